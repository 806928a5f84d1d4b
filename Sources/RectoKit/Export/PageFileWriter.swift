internal import DocumentModel
internal import FileSystem
internal import Geometry
internal import PageNumbers
internal import SystemPackage
internal import Tiles

/// Draws pages of an open document as thumbnails and writes them.
struct ThumbnailDrawing: Sendable {
  /// The document.
  let document: Document
  /// The output folder.
  let folder: ThumbnailFolder
  /// The length of the longer side in pixels.
  let size: Int
  /// The name of the files, without page number and extension.
  let name: FilePath
  /// The number of digits of a page number; nil for a name without one.
  let digits: Int?
  /// Pages that are drawn or written at the same time: enough to keep every worker busy while
  /// finished pages are written and subsets are made.
  let pagesAtOnce: Int

  /// Why a page has no thumbnail.
  enum Failure: Error {
    case document(DocumentError)
    case output(FileError)
  }

  /// Draws and writes pages.
  ///
  /// - Parameters:
  ///   - indices: The pages.
  ///   - known: What has been measured of them.
  /// - Returns: One result for each page, in order; nil for a page that was not drawn because the disk
  ///   is full.
  func write(
    _ indices: [PageIndex],
    _ known: MeasuredPages
  ) async -> [Result<Thumbnail, Failure>?] {
    await withTaskGroup(of: Written.self) { group in
      var results = [Result<Thumbnail, Failure>?](repeating: nil, count: indices.count)
      var waiting = indices.indices.makeIterator()
      func start() {
        guard let position = waiting.next() else { return }
        group.addTask {
          do throws(Failure) {
            let index = indices[position]
            return Written(position, .success(try await write(index, known[index])))
          } catch {
            return Written(position, .failure(error))
          }
        }
      }
      for _ in 0..<pagesAtOnce { start() }
      for await written in group {
        results[written.position] = written.result
        // A full disk is full for the next page too.
        if case .failure(.output(let error)) = written.result, error.isDevice { continue }
        start()
      }
      return results
    }
  }

  /// The result for one page, by its position in the list. A class because optimized code of Swift
  /// 6.3.1 takes the group's end for one more element, made of whatever lies there, when elements are
  /// tuples with this result: the program then crashes.
  private final class Written: Sendable {
    let position: Int
    let result: Result<Thumbnail, Failure>

    init(_ position: Int, _ result: Result<Thumbnail, Failure>) {
      self.position = position
      self.result = result
    }
  }

  /// Draws and writes the thumbnail of one page.
  ///
  /// - Parameters:
  ///   - index: The page.
  ///   - measured: The page as measured before, if it was.
  /// - Returns: The thumbnail that was written.
  /// - Throws: The error of a page that cannot be drawn, or of a file that cannot be written.
  private func write(
    _ index: PageIndex,
    _ measured: Result<PageInfo, DocumentError>?
  ) async throws(Failure) -> Thumbnail {
    let raster: PageRaster
    let picture: Tile
    do throws(DocumentError) {
      (picture, raster) = try await draw(index, measured)
    } catch {
      throw .document(error)
    }
    let suffix = digits.map { "-\(index.number(digits: $0))" } ?? ""
    do throws(FileError) {
      return Thumbnail(
        file: try await folder.write(picture.bytes, as: name.appendingToName("\(suffix).png")),
        size: raster.size,
        byteCount: picture.bytes.count,
        source: picture.source
      )
    } catch {
      throw .output(error)
    }
  }

  /// Draws the thumbnail of one page.
  ///
  /// - Parameters:
  ///   - index: The page.
  ///   - measured: The page as measured before, if it was.
  /// - Returns: The picture, and the raster it was drawn at.
  /// - Throws: The error of a page that cannot be measured or drawn.
  private func draw(
    _ index: PageIndex,
    _ measured: Result<PageInfo, DocumentError>?
  ) async throws(DocumentError) -> (picture: Tile, raster: PageRaster) {
    let info: PageInfo
    if let measured {
      info = try measured.get()
    } else {
      info = try await document.page(at: index)
    }
    let raster = try PageRaster(
      page: index,
      info: info,
      scale: Double(size) / max(info.size.width, info.size.height),
      rotation: .none
    )
    let whole = PixelRect(x: 0, y: 0, width: raster.size.width, height: raster.size.height)
    let pictures = try await document.pictures(of: raster, parts: [whole], isOneOff: true)
    guard let picture = pictures.pictures.first else {
      throw DocumentError(.fault, during: "draw", "no picture")
    }
    return (picture, raster)
  }
}

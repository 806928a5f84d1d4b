internal import ArgumentParser
internal import DocumentModel
internal import FileSystem
internal import Geometry
internal import PageLayout
internal import PageNumbers
internal import RectoKit
internal import SystemPackage
internal import Tiles

/// Makes the thumbnails of one document after the other.
struct ThumbnailRun: Sendable {
  let folder: FilePath
  /// Files that must not be written over.
  let inputs: Set<FileNode>
  let size: Int
  let pages: ThumbnailPages
  let settings: DocumentSettings
  let messages: MessagePrinter

  /// What became of a document.
  struct Outcome: Sendable {
    var pageCount: Int?
    /// What became of each page; of pages in a row that are missing, together.
    var thumbnails: [(pages: Range<PageIndex>, result: Result<Thumbnail, DocumentError>)] = []
    /// Why there is nothing at all.
    var failure: Failure?
    /// Why nothing more can be done for any document: the disk is full.
    var fatal: Failure?
    var cacheFailure: DocumentError?
  }

  /// A thumbnail on disk.
  struct Thumbnail: Sendable {
    var file: FilePath
    var size: PixelSize
    var byteCount: Int
    var source: Tile.Source

    /// A thumbnail that has been written.
    ///
    /// - Parameters:
    ///   - file: The path of the PNG.
    ///   - raster: The page as drawn.
    ///   - picture: The PNG and where it came from.
    init(_ file: FilePath, _ raster: PageRaster, _ picture: Tile) {
      self.file = file
      size = raster.size
      byteCount = picture.bytes.count
      source = picture.source
    }
  }

  /// Makes the thumbnails of one document; all of them again with poppler as the reader of its pages
  /// if poppler contradicts the page tree reader.
  func thumbnails(of item: LibraryScan.Item) async -> Outcome {
    let outcome = await thumbnails(of: item, settings)
    guard settings.pageReader == .auto, let mismatch = outcome.mismatch(path: item.path) else {
      return outcome
    }
    messages.print(rereading: mismatch)
    var settings = settings
    settings.pageReader = .poppler
    return await thumbnails(of: item, settings)
  }

  private func thumbnails(
    of item: LibraryScan.Item,
    _ settings: DocumentSettings
  ) async -> Outcome {
    var outcome = Outcome()
    do throws(Failure) {
      let document: Document
      let info: DocumentInfo
      do throws(DocumentError) {
        document = try Document(item.path, settings: settings)
        info = try await document.info()
      } catch {
        throw Failure(error, path: item.path)
      }
      outcome.pageCount = info.pageCount
      let digits = pages == .first ? nil : String(info.pageCount).count
      var known = MeasuredPages()
      for run in try wanted(of: info, item.path).runs {
        var rest = run
        while outcome.fatal == nil, let next = rest.page(at: 0) {
          if let failing = known.failing(at: next), failing.error == .missingPage {
            // Possibly far more than there can be: they are neither drawn nor named one by one.
            let missing = failing.pages.clamped(to: rest.pages ?? 0..<0)
            outcome.thumbnails.append((missing, .failure(failing.error)))
            rest = rest.part(missing.count..<rest.count)
            continue
          }
          let portion = (0..<min(Self.pagesAtOnce, rest.count)).compactMap { rest.page(at: $0) }
          // All at once, because sizes are stored in one file for many pages. A document that
          // cannot be opened is an error of each page, and met again there.
          known = (try? await document.measure(portion)) ?? MeasuredPages()
          let present = Array(portion.prefix { known.failing(at: $0)?.error != .missingPage })
          await draw(present, known, of: document, item.stem, digits: digits, into: &outcome)
          rest = rest.part(present.count..<rest.count)
        }
      }
      outcome.cacheFailure = await document.takeCacheFailure()
    } catch {
      outcome.failure = error
    }
    return outcome
  }

  /// Pages measured before they are drawn.
  private static let pagesAtOnce = 1024

  /// The pages to make thumbnails of.
  ///
  /// - Throws: A failure if the document has no pages or not the pages in the list.
  private func wanted(
    of info: DocumentInfo,
    _ path: FilePath
  ) throws(Failure) -> PageSequence {
    switch pages {
    case .first:
      guard info.pageCount > 0 else {
        throw Failure(
          exitCode: .badData,
          code: "damaged",
          path: path,
          page: nil,
          message: "the document has no pages"
        )
      }
      return PageSequence(pageCount: 1)
    case .all: return PageSequence(pageCount: info.pageCount)
    case .list(let list):
      return PageSequence(try list.runs(pageCount: info.pageCount, path: path))
    }
  }

  /// Draws and writes the thumbnails of some pages.
  ///
  /// - Parameters:
  ///   - indices: The pages to draw.
  ///   - known: What has been measured of them.
  ///   - document: The document.
  ///   - stem: The name of the files, without page number and ending.
  ///   - digits: The number of digits of a page number; nil for names without one.
  ///   - outcome: Receives the result for each page.
  private func draw(
    _ indices: [PageIndex],
    _ known: MeasuredPages,
    of document: Document,
    _ stem: FilePath,
    digits: Int?,
    into outcome: inout Outcome
  ) async {
    let writer = ThumbnailFolder(folder, sparing: inputs)
    let results = await withTaskGroup(of: Drawn.self) { group in
      var results = [Result<Thumbnail, ThumbnailError>?](repeating: nil, count: indices.count)
      var waiting = indices.indices.makeIterator()
      func start() {
        guard let position = waiting.next() else { return }
        group.addTask {
          do throws(ThumbnailError) {
            let name = digits.map {
              stem.appendingToName("-\(indices[position].number(digits: $0))")
            }
            let index = indices[position]
            let (picture, raster) = try await draw(index, known[index], of: document)
            let file = try await write(picture, as: name ?? stem, to: writer)
            return Drawn(position, .success(Thumbnail(file, raster, picture)))
          } catch {
            return Drawn(position, .failure(error))
          }
        }
      }
      // Enough to keep every worker busy while finished pages are written and windows are made.
      for _ in 0..<(settings.workers * 4) { start() }
      for await drawn in group {
        results[drawn.position] = drawn.result
        // A full disk is full for the next page too.
        if case .failure(.output(let error)) = drawn.result, error.isDevice { continue }
        start()
      }
      return results
    }
    for (index, result) in zip(indices, results) {
      let page = Range(only: index)
      switch result {
      case .success(let thumbnail): outcome.thumbnails.append((page, .success(thumbnail)))
      case .failure(.document(let error)): outcome.thumbnails.append((page, .failure(error)))
      case .failure(.output(let error)):
        let failure = Failure(output: error)
        if error.isDevice { outcome.fatal = failure } else { outcome.failure = failure }
      case nil: break
      }
    }
  }

  private enum ThumbnailError: Error {
    case document(DocumentError)
    case output(FileError)
  }

  /// The outcome for one page, by its position in the list. A class because optimized code of Swift 6.3.1 takes the
  /// group's end for one more element, made of whatever lies there, when elements are tuples with
  /// this result: the command then crashes.
  private final class Drawn: Sendable {
    let position: Int
    let result: Result<Thumbnail, ThumbnailError>

    init(_ position: Int, _ result: Result<Thumbnail, ThumbnailError>) {
      self.position = position
      self.result = result
    }
  }

  /// Draws the thumbnail of one page.
  ///
  /// - Parameters:
  ///   - index: The page.
  ///   - measured: The page as measured before, if it was.
  ///   - document: The document.
  /// - Throws: The error of a page that cannot be measured or drawn.
  private func draw(
    _ index: PageIndex,
    _ measured: Result<PageInfo, DocumentError>?,
    of document: Document
  ) async throws(ThumbnailError) -> (picture: Tile, raster: PageRaster) {
    do throws(DocumentError) {
      let info: PageInfo
      if let measured {
        info = try measured.get()
      } else {
        info = try await document.page(at: index)
      }
      let longest = max(info.size.width, info.size.height)
      let raster = try PageRaster(
        page: index,
        info: info,
        scale: Double(size) / longest,
        rotation: .none
      )
      let whole = PixelRect(x: 0, y: 0, width: raster.size.width, height: raster.size.height)
      let pictures = try await document.pictures(of: raster, parts: [whole], isOneOff: true)
      guard let picture = pictures.pictures.first else {
        throw DocumentError(.fault, during: "draw", "no picture")
      }
      return (picture, raster)
    } catch {
      throw .document(error)
    }
  }

  /// Writes a thumbnail.
  ///
  /// - Parameters:
  ///   - picture: The PNG.
  ///   - name: The path below the folder, without ending.
  ///   - folder: The output folder.
  /// - Returns: The path of the file.
  /// - Throws: The error of a file that cannot be written.
  private func write(
    _ picture: Tile,
    as name: FilePath,
    to folder: ThumbnailFolder
  ) async throws(ThumbnailError) -> FilePath {
    do throws(FileError) {
      return try await folder.write(picture.bytes, as: name.appendingToName(".png"))
    } catch {
      throw .output(error)
    }
  }
}

extension PageIndex {
  /// The number, padded with zeros to `digits`.
  fileprivate func number(digits: Int) -> String {
    let text = String(self.number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}

extension ThumbnailRun.Outcome {
  /// Why the page tree reader is wrong about the document; nil when it is not.
  fileprivate func mismatch(path: FilePath) -> Failure? {
    if let failure, failure.isPageMismatch { return failure }
    for (_, result) in thumbnails {
      guard case .failure(let error) = result, error.code == .pageMismatch else { continue }
      return Failure(error, path: path)
    }
    return nil
  }

  /// The JSON line of a finished document.
  func line(for item: LibraryScan.Item) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { object in
      object.path(item.path)
      if let pageCount { object.member("pages", pageCount) }
      if let failure = failure ?? fatal {
        object.object("error") { error in
          error.member("code", failure.code)
          error.member("message", failure.message)
        }
      }
      guard !thumbnails.isEmpty else { return }
      object.array("thumbnails") { array in
        for (pages, result) in thumbnails {
          array.object { object in
            object.member("page", pages.lowerBound.number)
            if pages.count > 1, let last = pages.last { object.member("lastPage", last.number) }
            switch result {
            case .failure(let error): object.error(error)
            case .success(let thumbnail):
              object.path(thumbnail.file, as: "file")
              object.member("width", thumbnail.size.width)
              object.member("height", thumbnail.size.height)
              object.member("bytes", thumbnail.byteCount)
              object.member("source", thumbnail.source.rawValue)
            }
          }
        }
      }
    }
    writer.newline()
    return writer.bytes
  }

  /// Says what failed; returns the first failure.
  func report(_ messages: MessagePrinter, _ item: LibraryScan.Item) -> Failure? {
    if let cacheFailure {
      messages.print(code: "cache", path: item.path, page: nil, cacheFailure.description)
    }
    if let failure {
      messages.print(failure)
      return failure
    }
    var first: Failure?
    for (pages, result) in thumbnails {
      guard case .failure(let error) = result else { continue }
      let failure = Failure(error, path: item.path, pages: pages)
      messages.print(failure)
      first = first ?? failure
    }
    return first
  }
}

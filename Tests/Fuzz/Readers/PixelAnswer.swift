import DocumentModel
import Glibc
import PDFEngine
import PDFStructure
import RectoGeometry

/// Draws pages from a whole file and from subsets of it, and compares them.
struct PixelAnswer {
  private let descriptor: Int32

  /// Pixels a side at most.
  private static let largestSide = 400.0
  /// Device pixels per point: 36 dots per inch.
  private static let scale = 0.5

  /// Nil when there is no place for the file.
  init?() {
    var path = Array("/dev/shm/recto-reader-fuzz-XXXXXX\0".utf8CString)
    let descriptor = mkstemp(&path)
    guard descriptor >= 0 else { return nil }
    unlink(path)
    self.descriptor = descriptor
  }

  /// One line: `same PAGES`, `skip reason`, `trusted detail`, or `differ KIND detail`.
  func line(_ file: [UInt8], seed: Int) -> String {
    guard ftruncate(descriptor, 0) == 0,
      file.withUnsafeBytes({ pwrite(descriptor, $0.baseAddress, $0.count, 0) }) == file.count
    else { return "skip no place for the file" }
    do {
      let reader = try PageTreeReader(bytes: MemoryBytes(file))
      let pages = try choice(reader, seed: seed)
      guard !pages.isEmpty else { return "skip no pages" }
      var pictures: [Picture?] = []
      for index in pages {
        // One document for each page: drawing a page may have poppler look for all objects anew.
        pictures.append(try Picture(PDFDocument(descriptor: descriptor), index))
      }
      var compared = 0
      for writer in Writer.allCases {
        switch try compare(file, pages, pictures, writer, walked: false) {
        case .same(let count): compared += count
        case .differ(let words):
          // Counts of subtrees are taken on trust in large documents until all has been walked.
          guard case .differ = try compare(file, pages, pictures, writer, walked: true) else {
            return "trusted \(words)"
          }
          return "differ \(words)"
        }
      }
      return "same \(compared)"
    } catch let error as StructureError {
      return "skip tree: \(error)"
    } catch {
      return "skip poppler: \(error)"
    }
  }

  private enum Outcome {
    case same(Int)
    case differ(String)
  }

  /// The two ways to make a subset.
  private enum Writer: String, CaseIterable {
    case document
    case tail

    var limits: ReaderLimits {
      var limits = ReaderLimits()
      limits.manyObjects = self == .document ? 0 : .max
      limits.manyFields = self == .document ? 0 : .max
      return limits
    }
  }

  /// First, last and two pages in between, without those that are missing.
  private func choice(_ reader: PageTreeReader, seed: Int) throws -> [PageIndex] {
    let count = reader.pageCount
    guard count > 0 else { return [] }
    let wanted = Set([0, count - 1, seed % count, (seed / 7919) % count])
    return try wanted.sorted().map(PageIndex.init(_:)).filter { try reader.page(at: $0) != nil }
  }

  private func compare(
    _ file: [UInt8],
    _ pages: [PageIndex],
    _ pictures: [Picture?],
    _ writer: Writer,
    walked: Bool
  ) throws -> Outcome {
    let reader = try PageTreeReader(bytes: MemoryBytes(file), limits: writer.limits)
    if walked { try reader.walkCompletely() }
    let pieces = try reader.subset(of: pages)
    let subset: PDFDocument
    do {
      subset = try PDFDocument(descriptor: descriptor, pieces: pieces)
    } catch {
      return .differ("subset-refused \(writer.rawValue): \(error)")
    }
    guard subset.info.pageCount == pages.count else {
      let words = "\(subset.info.pageCount) pages in place of \(pages.count)"
      return .differ("subset-count \(writer.rawValue): \(words)")
    }
    var compared = 0
    for (place, index) in pages.enumerated() {
      guard let whole = pictures[place] else { continue }
      let fresh = try PDFDocument(descriptor: descriptor, pieces: pieces)
      guard let part = try Picture(fresh, PageIndex(place)) else {
        return .differ("subset-missing \(writer.rawValue): page \(index.number)")
      }
      guard reader.repairs.isEmpty else {
        // It is meant to look different.
        guard let info = try reader.page(at: index)?.info, info.cropBox == part.info.cropBox else {
          return .differ("subset-size \(writer.rawValue): page \(index.number), repaired")
        }
        continue
      }
      guard whole.info.size == part.info.size, whole.info.cropBox == part.info.cropBox else {
        let words = "\(part.info.size) in place of \(whole.info.size)"
        return .differ("subset-size \(writer.rawValue): page \(index.number), \(words)")
      }
      let count = zip(whole.pixels, part.pixels).reduce(0) { $0 + ($1.0 == $1.1 ? 0 : 1) }
      if count > 0 || whole.pixels.count != part.pixels.count {
        let words = "\(count) of \(whole.pixels.count) pixels"
        return .differ("pixels \(writer.rawValue): page \(index.number), \(words)")
      }
      compared += 1
    }
    return .same(compared)
  }

  /// A page as drawn.
  private struct Picture {
    let info: PageInfo
    /// No pixels where the page cannot be drawn at all.
    var pixels: [UInt32] = []

    /// Nil when the document does not have the page.
    init?(_ document: PDFDocument, _ index: PageIndex) throws {
      guard let page = try? document.page(at: index) else { return nil }
      info = page.info()
      let side = max(info.size.width, info.size.height)
      let scale = min(PixelAnswer.scale, PixelAnswer.largestSide / side)
      guard scale > 1e-6,
        let raster = try? PageRaster(page: index, info: info, scale: scale, rotation: .none)
      else { return }
      let part = PixelRect(x: 0, y: 0, width: raster.size.width, height: raster.size.height)
      do {
        let bitmap = try page.bitmap(of: part, raster: raster)
        let pixels = bitmap.withPixels(of: part) { bytes, stride in
          (0..<part.height).flatMap { row in
            (0..<part.width).map {
              bytes.load(fromByteOffset: row * stride + $0 * 4, as: UInt32.self)
            }
          }
        }
        self.pixels = pixels ?? []
      } catch {
        // What cannot be drawn looks like nothing, in the file and in the subset.
      }
    }
  }
}

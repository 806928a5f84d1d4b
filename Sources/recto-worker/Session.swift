internal import DocumentModel
internal import Geometry
internal import PDFEngine
internal import PNGCoding
internal import WorkerProtocol

/// The open document and what is kept between requests.
final class Session {
  private let document: PDFDocument
  /// Where a page of the document is in what is open; nil when all of it is.
  private let places: [Int: Int]?
  private var encoder: PNGEncoder
  private var page: PDFPage?
  private var lists: [DisplayList] = []

  /// Recordings kept: those of the pages in a window and of its neighbours.
  private static let listLimit = 6
  /// Pages measured between two replies.
  private static let measureBatch = 256

  /// The libraries that draw, as part of every cache key.
  static var engine: String { PDFDocument.engine }

  /// Opens the document, or only a window of it.
  init(password: String?, window: DocumentWindow?) throws(DocumentError) {
    document = try PDFDocument(
      descriptor: WorkerRequest.documentDescriptor,
      password: password,
      pieces: window?.pieces
    )
    if let window {
      guard document.facts.pageCount == window.pages.count else {
        throw DocumentError(.damaged, during: "open", "the window does not hold its pages")
      }
      let places = zip(window.pages, window.pages.indices)
      self.places = Dictionary(places) { first, _ in first }
    } else {
      places = nil
    }
    do {
      encoder = try PNGEncoder()
    } catch {
      throw DocumentError(.fault, during: "open", "\(error)")
    }
  }

  var facts: DocumentFacts { document.facts }

  /// Measures pages and hands them over in batches, so that a page that never ends keeps only
  /// those behind it.
  func measure(
    _ pages: Range<Int>,
    _ deliver: (_ first: Int, [WorkerReply.PageMeasurement]) -> Void
  ) {
    var first = pages.lowerBound
    var batch: [WorkerReply.PageMeasurement] = []
    for index in pages {
      do {
        batch.append(.success(try document.page(at: index).facts()))
      } catch {
        batch.append(.failure(error))
      }
      if batch.count == Self.measureBatch {
        deliver(first, batch)
        first = index + 1
        batch.removeAll(keepingCapacity: true)
      }
    }
    if !batch.isEmpty { deliver(first, batch) }
  }

  /// Draws parts of a page and hands them over as PNG, in order.
  func draw(
    _ raster: PageRaster,
    parts: [PixelRect],
    isOneOff: Bool,
    _ deliver: ([UInt8]) -> Void
  ) throws(DocumentError) -> Complaints {
    let page = try page(at: raster.pageIndex)
    let list = isOneOff ? nil : recording(of: page, raster)
    var complaints = list?.complaints ?? Complaints()
    for part in parts {
      let bitmap =
        if let list { try list.bitmap(of: part) } else {
          try page.bitmap(of: part, raster: raster)
        }
      if bitmap.complaints.count > complaints.count { complaints = bitmap.complaints }
      deliver(try encode(bitmap))
    }
    return complaints
  }

  private func page(at index: Int) throws(DocumentError) -> PDFPage {
    let place = places.map { $0[index] } ?? index
    guard let place else {
      throw DocumentError(.fault, during: "find", "it is not in the window")
    }
    if let page, page.index == place { return page }
    let found = try document.page(at: place)
    page = found
    return found
  }

  /// The page's recording, made now if need be; nil when cairo cannot record it, as when a mask at
  /// this scale is larger than a surface may be. Each part is then drawn directly.
  private func recording(of page: PDFPage, _ raster: PageRaster) -> DisplayList? {
    if let index = lists.firstIndex(where: { $0.raster == raster }) {
      let list = lists.remove(at: index)
      lists.append(list)
      return list
    }
    guard let list = try? DisplayList(page, raster: raster) else { return nil }
    if lists.count == Self.listLimit { lists.removeFirst() }
    lists.append(list)
    return list
  }

  private func encode(_ bitmap: borrowing Bitmap) throws(DocumentError) -> [UInt8] {
    let size = bitmap.size
    return try bitmap.withPixels { (bytes, stride) throws(DocumentError) in
      do {
        return try encoder.tile(bytes.bytes, stride: stride, size: size)
      } catch {
        throw DocumentError(.fault, during: "encode", "\(error)")
      }
    }
  }
}

import DocumentModel
import Foundation
import RectoGeometry
import RectoKit
import Synchronization
import SystemPackage
import TestSupport

/// An engine that refuses each subset of a document, and finds the second page wider than its page tree says.
struct ContradictingEngine: DocumentEngine {
  let text = TextPlacement.precise
  let rasterizer = Rasterizer.auto
  let pageCount: Int
  /// The pages of which subsets are refused; texts of others are read from them.
  var refused: Range<PageIndex>
  /// What requests with a subset wait for before they are refused.
  var gate: Gate?

  private static let size = Size(width: 200, height: 300)

  /// Lets requests through from when so many have come, or it is opened.
  final class Gate: Sendable {
    private let state: Mutex<(missing: Int, waiting: [CheckedContinuation<Void, Never>])>

    init(_ count: Int) { state = Mutex((count, [])) }

    func pass() async {
      await withCheckedContinuation { continuation in
        let due = state.withLock { state in
          state.missing -= 1
          state.waiting.append(continuation)
          guard state.missing <= 0 else { return [CheckedContinuation<Void, Never>]() }
          defer { state.waiting = [] }
          return state.waiting
        }
        for continuation in due { continuation.resume() }
      }
    }

    func open() async {
      state.withLock { $0.missing = 0 }
      await pass()
    }
  }

  /// A document of equal pages over this engine.
  ///
  /// - Parameters:
  ///   - pageCount: The number of pages.
  ///   - folder: Where the file is written.
  ///   - settings: How the document is opened.
  ///   - refused: The pages of which subsets are refused; nil for all.
  ///   - gate: What requests with a subset wait for.
  /// - Returns: The document.
  /// - Throws: An error if the file cannot be written.
  static func document(
    pageCount: Int = 4,
    in folder: TemporaryFolder,
    _ settings: DocumentSettings = DocumentSettings(cache: nil),
    refusing refused: Range<PageIndex>? = nil,
    gate: Gate? = nil
  ) throws -> Document {
    var pdf = PDFFile()
    let kids = (0..<pageCount).map { "\(3 + $0) 0 R" }.joined(separator: " ")
    pdf.add("<</Type/Catalog/Pages 2 0 R>>")
    pdf.add("<</Type/Pages/Kids[\(kids)]/Count \(pageCount)>>")
    for _ in 0..<pageCount {
      pdf.add(
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 \(size.width) \(size.height)]/Resources<<>>>>"
      )
    }
    let path = folder.path("book.pdf")
    try pdf.finished().write(to: URL(filePath: path))
    let engine = ContradictingEngine(
      pageCount: pageCount,
      refused: refused ?? Range(pageCount: pageCount),
      gate: gate
    )
    return try Document(FilePath(path), settings: settings) { _ in engine }
  }

  /// The size of a page as poppler finds it.
  static func size(of page: PageIndex) -> Size {
    page == 1 ? Size(width: 400, height: 300) : size
  }

  /// Refuses a subset that holds a page.
  private func refuse(_ subset: DocumentSubset?, _ page: PageIndex) async throws(DocumentError) {
    guard subset != nil, refused.contains(page) else { return }
    await gate?.pass()
    throw DocumentError(.pageMismatch, during: "find", "page \(page.number) is another one")
  }

  private func info(_ page: PageIndex) -> PageInfo {
    let size = Self.size(of: page)
    return PageInfo(
      cropBox: Rect(origin: .zero, size: size),
      rotation: nil,
      userUnit: 1,
      size: size,
      label: "p\(page.number)"
    )
  }

  func prepare(subset: DocumentSubset?, workers: Int) async {}

  func open(_ subset: DocumentSubset?) async throws(DocumentError) -> OpenedDocument {
    OpenedDocument(info: DocumentInfo(pageCount: pageCount, title: "poppler"), engine: "test")
  }

  func properties() async throws(DocumentError) -> DocumentProperties {
    var properties = DocumentProperties()
    properties.author = "poppler"
    return properties
  }

  func measure(
    _ pages: Range<PageIndex>
  ) async throws(DocumentError) -> [Result<PageInfo, DocumentError>] {
    pages.map { .success(info($0)) }
  }

  func text(
    of pages: Range<PageIndex>,
    hasStyles: Bool,
    subset: DocumentSubset?
  ) async throws(DocumentError) -> [Result<PageText, DocumentError>] {
    try await refuse(subset, pages.lowerBound)
    let reader = subset == nil ? "poppler" : "tree"
    return pages.map { .success(PageText("\(reader) \($0.number)", boxes: [])) }
  }

  func links(of page: PageIndex) async throws(DocumentError) -> [PageLink] {
    [PageLink(areas: [], target: .uri("poppler"))]
  }

  func outline() async throws(DocumentError) -> DocumentOutline {
    DocumentOutline(
      items: [OutlineItem(title: "poppler", target: nil, isOpen: false, children: [])]
    )
  }

  func destination(named name: String) async throws(DocumentError) -> LinkDestination? {
    LinkDestination(page: 1, fit: .page, name: "poppler")
  }

  func draw(
    _ drawing: PageDrawing,
    subset: DocumentSubset?
  ) async throws(DocumentError) -> DrawnPage {
    let raster = drawing.raster
    try await refuse(subset, raster.pageIndex)
    let own = try PageRaster(
      page: raster.pageIndex,
      info: info(raster.pageIndex),
      scale: raster.scale,
      rotation: raster.rotation
    )
    guard raster.isFitted ? own.isNear(raster.size) : own.size == raster.size else {
      throw DocumentError(.pageMismatch, during: "find", "its size is not the one it was asked for")
    }
    let picture = Array("poppler".utf8)
    return DrawnPage(
      pictures: Array(repeating: picture, count: drawing.pictures.sizes.count),
      warnings: Warnings()
    )
  }

  func close() async {}
}

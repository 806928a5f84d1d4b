import ArgumentParser
import DocumentModel
import Foundation
import RectoGeometry
import RectoKit
import RectoTiles
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import RectoCommand

/// Documents of `serve` whose page tree reader and poppler disagree before anything was shown.
///
/// The time limit allows for tests of programs, which hold the threads that actors need.
@Suite(.timeLimit(.minutes(10))) struct ContradictedReaderTests {
  private let folder: TemporaryFolder
  private let lines = Lines()
  private let document: ServedDocument

  /// What was written.
  private final class Lines: Sendable {
    private let texts = Mutex<[String]>([])
    private let (all, arrivals) = AsyncStream<String>.makeStream()

    func put(_ bytes: [UInt8]) {
      let text = String(decoding: bytes, as: UTF8.self)
      texts.withLock { $0.append(text) }
      arrivals.yield(text)
    }

    /// Waits until a line with a text is there.
    func wait(for text: String) async { _ = await all.first { $0.contains(text) } }

    /// How many lines have a text.
    func count(of text: String) -> Int { texts.withLock { $0.count { $0.contains(text) } } }

    /// The last line that begins a scene or is an error.
    var last: String? {
      texts.withLock { $0.last { $0.contains(#""spreads":["#) || $0.contains(#""error":{"#) } }
    }
  }

  init() throws {
    folder = try TemporaryFolder()
    let lines = lines
    document = ServedDocument(
      1,
      path: FilePath(folder.path("one.pdf")),
      context: ServedDocument.Context.test(output: LineOutput { lines.put($0) }),
      notices: ServedDocument.Notices(opened: { _ in }, measured: {})
    )
  }

  /// A document of one page that is not where the cross-reference says. That is not found before the page is
  /// measured: the catalog and the root of the page tree are where they should be.
  private func write(isBroken: Bool) throws {
    var file = PDFFile()
    file.add("<</Type /Catalog /Pages 2 0 R>>")
    file.add("<</Type /Pages /Count 1 /Kids [3 0 R]>>")
    file.add("<</Type /Page /Parent 2 0 R /MediaBox [0 0 200 300] /Resources <<>>>>")
    var bytes = file.finished()
    let page = try #require(bytes.range(of: Data("3 0 obj".utf8))).lowerBound
    let row = { (offset: Int) in Data(String(format: "%010d 00000 n", offset).utf8) }
    if isBroken {
      bytes.replaceSubrange(try #require(bytes.range(of: row(page))), with: row(page + 4))
    }
    try bytes.write(to: folder.url.appending(path: "one.pdf"))
  }

  private func open() async throws {
    let request = ServeRequest(opening: folder.path("one.pdf"))
    guard case .open(let opening) = try request.operation.get() else {
      throw RequestError("no opening")
    }
    await document.open(opening, options: try LayoutOptions.parse([]), request)
  }

  private func close() async {
    await document.close()
    await document.context.queue.shutdown()
  }

  @Test func `a document is opened with poppler when that contradicts the page tree reader`()
    async throws
  {
    try write(isBroken: true)
    try await open()
    let line = try #require(lines.last)
    #expect(line.contains(#""reply":"open""#) && line.contains(#""pages":1,"#), "\(line)")
    #expect(line.contains(#""size":{"width":200,"height":300}"#), "\(line)")
    await close()
  }

  @Test func `a document is opened again with poppler when that contradicts the page tree reader`()
    async throws
  {
    try write(isBroken: false)
    try await open()
    try write(isBroken: true)
    let request = Array(#"{"op":"reload","id":7}"#.utf8)
    await document.perform(.reload(document: nil), ServeRequest(.text(request)))
    let line = try #require(lines.last)
    #expect(line.contains(#""reply":"reload","id":7"#) && line.contains(#""pages":1,"#), "\(line)")
    await close()
  }

  @Test
  func
    `a changed document is opened again with poppler when that contradicts the page tree reader`()
    async throws
  {
    try write(isBroken: false)
    try await open()
    try write(isBroken: true)
    await document.reloadChangedFile()
    let line = try #require(lines.last)
    #expect(line.contains(#""event":"reloaded""#), "\(line)")
    await close()
  }

  @Test func `a document whose reader changes for another client is shown again`() async throws {
    try write(isBroken: false)
    try await open()
    let shared = try #require(await document.opened?.viewer.document)
    #expect(shared.generation == 0)
    // No page has this size, so that the worker contradicts.
    let size = PixelSize(width: 10, height: 10)
    let raster = PageRaster(pageIndex: 0, scale: 1, rotation: .none, userUnit: 1, size: size)
    await #expect(throws: DocumentError.self) {
      try await shared.draw(PageDrawing(raster, .parts([])))
    }
    #expect(shared.generation == 1)
    await lines.wait(for: #""event":"reopened""#)
    #expect(await document.opened?.viewer.document === shared)
    #expect(await document.opened?.isCurrent == true)
    await close()
    #expect(lines.count(of: #""event":"reopened""#) == 1)
    #expect(lines.count(of: #""error":{"#) == 0)
  }

  @Test func `the page tree reader alone does not open what it cannot read`() async throws {
    try write(isBroken: true)
    await document.readPagesByTreeAlone()
    try await open()
    let line = try #require(lines.last)
    #expect(line.contains(#""error":{"code":"page-mismatch""#), "\(line)")
    await close()
  }
}

extension ServedDocument {
  /// As with `--page-reader tree`.
  fileprivate func readPagesByTreeAlone() { settings.pageReader = .tree }
}

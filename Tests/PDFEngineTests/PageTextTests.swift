import DocumentModel
import Foundation
import RectoGeometry
import RenderWorkers
import SystemPackage
import TestSupport
import Testing

/// The text that a worker reads.
@Suite(.timeLimit(.minutes(10))) struct PageTextTests {
  private func texts(
    of file: URL,
    count: Int,
    hasStyles: Bool = false,
    password: String? = nil
  ) async throws -> [Result<PageText, DocumentError>] {
    try await withPool(file, password: password) { pool in
      try await pool.text(of: Range(pageCount: count), hasStyles: hasStyles, subset: nil)
    }
  }

  @Test("Lines are in the order of reading, in scripts of both directions and in columns")
  func scripts() async throws {
    let texts = try await texts(of: TestPaths.fixture("text-scripts"), count: 7)
    #expect(
      try texts.map { try $0.get().string.split(separator: "\n").map(String.init) }
        == [
          [
            "שלום עולם", "שלום abc 123 עולם", "alphabet שלום xyz", "מחיר 1250 שקל", "שלום",
            "plain line",
          ],
          // poppler turns around what one glyph stands for.
          ["مرحبا بالعالم", "صفحة 123", "\u{FEE3}\u{FEAE}\u{FEA3}\u{FE92}\u{FE8E}", "ال سلام"],
          ["縦書きの本", "日本語の文字"],
          [
            "office", "\u{FB01}sh", "an exam-", "ple soft\u{AD}", "hyphen re\u{301}sume\u{301}",
            "r\u{E9}sum\u{E9} \u{17F}o",
          ],
          ["actual", "visible", "invisible", "in a form", "drawn", "bold"],
          // U+0000 and a line feed are taken for white space.
          [
            "a b", "a\u{FFFD}b", "a\u{202B}b", "a b", "a\u{1D49C}b", "a b", "a\u{FFFD}b",
            "a\u{200F}b",
          ],
          [],
        ].map { $0.map { String($0) } }
    )
  }

  @Test("Rotated pages, rotated text, columns and tables are read as poppler does, in words")
  func geometry() async throws {
    let texts = try await texts(of: TestPaths.fixture("text-geometry"), count: 9)
    let lines = try texts.map { try $0.get().string.split(separator: "\n").map(String.init) }
    #expect(lines[0] == ["page turned 0"])
    #expect(lines[1] == ["page turned 90"])
    #expect(lines[2] == ["page turned 180"])
    #expect(lines[3] == ["page turned 270"])
    #expect(Set(lines[4]).isSuperset(of: ["level", "upwards", "over"]))
    #expect(lines[5] == ["unit two"])
    // The first letter is outside the crop box.
    #expect(lines[6] == ["age turned 90"])
    #expect(
      lines[7] == ["left one", "left two", "left three", "right one", "right two", "right three"]
    )
    #expect(lines[8] == ["r0c0 r0c1 r0c2", "r1c0 r1c1 r1c2", "r2c0 r2c1 r2c2"])
    // All four pages are upright, so the text is in the same place but for the height of the page.
    for text in texts[..<4] {
      let box = try #require(try text.get().boxes().first)
      #expect(box.maxX - box.minX > 9 && box.maxX - box.minX < 10)
      #expect(abs(box.maxY - box.minY - 16) < 0.01)
    }
  }

  @Test("A word from right to left has boxes that go to the left, and spaces lie in their gaps")
  func boxesFromRightToLeft() async throws {
    let text = try await texts(of: TestPaths.fixture("text-scripts"), count: 1)[0].get()
    let line = text.boxes().prefix(9)
    for (box, next) in zip(line, line.dropFirst()) {
      #expect(abs(next.maxX - box.minX) < 0.01)
      #expect(abs(box.maxX - box.minX - 9.6) < 0.01)
    }
  }

  @Test("Characters and boxes are those of poppler", arguments: Corpus.files)
  func oracle(file: URL) async throws {
    let fixtures = try Fixture.all
    let fixture = fixtures.first { $0.url.lastPathComponent == file.lastPathComponent }
    // Pages that do not end or take too much memory are for other tests.
    let isHostile = fixture?.pages.contains { $0.error != nil } ?? false
    guard fixture?.error == nil, !isHostile else { return }
    let pages = try PopplerText.pages(of: file)
    guard !pages.isEmpty else { return }
    let texts = try await texts(of: file, count: pages.count)
    for (page, text) in zip(pages, texts) {
      guard let text = try? text.get() else { continue }
      // Marks of the file's own cannot be told from those of poppler here.
      guard page.scalars.count == page.boxes.count else {
        #expect(text.boxes().count >= page.boxes.count)
        continue
      }
      let expected = zip(page.scalars, page.boxes).filter { !$0.0.properties.isWhitespace }
        .map { BoxedScalar($0, $1) }
      let (found, slanted) = (text.boxed, text.slanted)
      try #require(found.count + slanted.count == expected.count, "page \(page.page)")
      // With marks of direction the order is another one, and letters within a word are turned around.
      guard page.scalars.count == page.text.unicodeScalars.count else {
        let scalars = found.map(\.scalar) + slanted
        #expect(scalars.sorted() == expected.map(\.scalar).sorted())
        continue
      }
      var (rest, moved) = (found[...], [Unicode.Scalar]())
      for character in expected {
        if rest.first?.isNear(character) == true {
          rest.removeFirst()
        } else {
          moved.append(character.scalar)
        }
      }
      #expect(rest.first == nil, "page \(page.page)")
      #expect(moved.sorted() == slanted.sorted(), "page \(page.page)")
    }
  }

  @Test("Styles cover the text, and fonts have no tag of a subset")
  func styles() async throws {
    let texts = try await texts(of: TestPaths.fixture("text-scripts"), count: 7, hasStyles: true)
    for text in texts {
      let text = try text.get()
      let styles = try #require(text.styles)
      #expect(styles.reduce(0) { $0 + $1.count } == text.string.unicodeScalars.count)
      #expect(styles.allSatisfy { $0.font != "AAAAAA+Letters" })
    }
    let first = try #require(try texts[0].get().styles?.first)
    #expect(first.font == "Letters" && first.size == 16)
  }

  @Test("Drawing collects no text, before and after text was read, and pixels stay the same")
  func drawing() async throws {
    try await withPool(TestPaths.fixture("book")) { pool in
      let info = try await pool.measure(0..<1)[0].get()
      let raster = try PageRaster(page: 0, info: info, scale: 1, rotation: .none)
      let whole = PixelRect(x: 0, y: 0, width: raster.size.width, height: raster.size.height)
      var pictures: [[UInt8]] = []
      var texts: [PageText] = []
      for _ in 0..<2 {
        pictures += try await pool.draw(PageDrawing(raster, .parts([whole])), subset: nil)
          .pictures
        texts += try await pool.text(of: 0..<1, hasStyles: false, subset: nil).map {
          try $0.get()
        }
      }
      #expect(pictures[0] == pictures[1])
      #expect(texts[0] == texts[1])
      #expect(texts[0].string.contains { $0.isLetter })
    }
  }

  @Test("A page that never ends costs its own text only")
  func endless() async throws {
    let file = try FileDescriptor.open(TestPaths.fixture("endless-forms").path, .readOnly)
    defer { try? file.close() }
    let settings = WorkerPool.Settings(
      executable: FilePath(TestPaths.worker.path),
      workers: 1,
      limits: WorkerLimits(draw: 2)
    )
    let pool = WorkerPool(settings, document: file)
    for _ in 0..<2 {
      let texts = try await pool.text(of: 0..<3, hasStyles: false, subset: nil)
      let codes = texts.map { text -> DocumentError.Code? in
        if case .failure(let error) = text { error.code } else { nil }
      }
      #expect(codes == [nil, .timeLimit, nil])
    }
    await pool.close()
  }

  @Test(
    "A page of more characters than the limit is an error that says so, and costs no other page"
  )
  func many() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "many.pdf")
    try Self.manyCharacters().write(to: file)
    let texts = try await texts(of: file, count: 2)
    guard case .failure(let error) = texts[0] else {
      Issue.record("the text was read")
      return
    }
    #expect(error.code == .memoryLimit)
    #expect(error.description.hasSuffix("the limit is \(PageText.largestCount)"))
    #expect(try texts[1].get().string == "x")
  }

  /// Page 1 shows a form of 11,000 characters a hundred times, page 2 one character. poppler leaves out
  /// most letters of less than three points.
  private static func manyCharacters() -> Data {
    let line = String(repeating: "abcdefghi ", count: 10)
    var form = "BT /F 6 Tf 6 TL 0 680 Td "
    for _ in 0..<112 { form += "(\(line)) ' " }
    form += "ET"
    var page = ""
    for index in 0..<100 {
      page += "q 1 0 0 1 \(index % 10 * 370) \(index / 10 * 690) cm /X Do Q\n"
    }
    var file = PDFFile()
    func stream(_ entries: String, _ content: String) {
      let data = Data(content.utf8)
      file.add("<< \(entries) /Length \(data.count) >>", stream: data)
    }
    file.add("<< /Type /Catalog /Pages 2 0 R >>")
    file.add("<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /MediaBox [0 0 3700 6900] >>")
    let resources = "/Resources << /Font << /F 5 0 R >> /XObject << /X 6 0 R >> >>"
    file.add("<< /Type /Page /Parent 2 0 R /Contents 7 0 R \(resources) >>")
    file.add("<< /Type /Page /Parent 2 0 R /Contents 8 0 R \(resources) >>")
    file.add("<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>")
    stream(
      "/Type /XObject /Subtype /Form /BBox [0 0 370 690] /Resources << /Font << /F 5 0 R >> >>",
      form
    )
    stream("", page)
    stream("", "BT /F 12 Tf 100 100 Td (x) Tj ET")
    return file.finished()
  }
}

import DocumentModel
import DocumentText
import Foundation
import RectoGeometry
import RectoKit
import RectoTiles
import RenderWorkers
import SystemPackage
import TestSupport
import Testing

/// Searches, with the text of real pages.
@Suite(.timeLimit(.minutes(10))) struct TextSearchTests {
  /// The hits of each page of a fixture.
  private func hits(_ query: TextQuery, in document: Document) async throws -> [PageIndex:
    [TextHit]]
  {
    var hits: [PageIndex: [TextHit]] = [:]
    try await TextSearch(query).run(document, width: 4) { page in
      guard let found = try? page.hits.get() else { return true }
      for index in page.pages { hits[index] = found }
      return true
    }
    return hits
  }

  private static let words = [
    "text-scripts": [
      "fi", "office", "sh", "שלום", "abc", "123", "résumé", "resume", "in a form", "本語",
    ],
    "text-geometry": ["page", "Turned", "r0c1", "left one", "upwards", "unit", "over", "r"],
    "book": ["The", "of", "of the", "a", "nothing of the kind"],
    "rotate": ["page"],
  ]

  @Test(
    "Hits are those of poppler within a line, in number and place",
    arguments: words.keys.sorted()
  )
  func oracle(fixture: String) async throws {
    let words = try #require(Self.words[fixture])
    let document = try OpenedFixture.document(fixture)
    let count = try await document.info().pageCount
    let known = try await document.measure([Range(pageCount: count)])
    for isCaseSensitive in [false, true] {
      for isDiacriticSensitive in [false, true] {
        var flags: PopplerText.FindFlags = isCaseSensitive ? .caseSensitive : []
        if !isDiacriticSensitive { flags.insert(.ignoreDiacritics) }
        let pages = try PopplerText.pages(
          of: TestPaths.fixture(fixture),
          finding: words.map { ($0, flags) }
        )
        #expect(pages.count == count)
        for (index, word) in words.enumerated() {
          let query = TextQuery(
            word,
            isCaseSensitive: isCaseSensitive,
            isDiacriticSensitive: isDiacriticSensitive
          )
          let hits = try await hits(query, in: document)
          for page in pages {
            let number = try #require(PageIndex(number: page.page))
            let unit = known.info(of: number)?.userUnit ?? 1
            // Matches across the ends of lines are ours alone.
            let found = (hits[number] ?? []).filter { $0.areas.count == 1 }.flatMap(\.areas).map(
              \.rect
            )
            let expected = page.found[index].map { box in
              Rect(
                x: box[0] * unit,
                y: box[1] * unit,
                width: (box[2] - box[0]) * unit,
                height: (box[3] - box[1]) * unit
              )
            }
            #expect(found.count == expected.count, "\(word), page \(page.page)")
            for (found, expected) in zip(sorted(found), sorted(expected)) {
              #expect(isNear(found, expected), "\(word), page \(page.page)")
            }
          }
        }
      }
    }
  }

  private func sorted(_ rects: [Rect]) -> [Rect] {
    rects.sorted { ($0.minY.rounded(), $0.minX) < ($1.minY.rounded(), $1.minX) }
  }

  private func isNear(_ first: Rect, _ second: Rect) -> Bool {
    [
      first.minX - second.minX, first.minY - second.minY, first.maxX - second.maxX,
      first.maxY - second.maxY,
    ].allSatisfy { abs($0) < 0.01 }
  }

  @Test("Words over the end of a line and divided by hyphens have a rectangle on each line")
  func acrossLines() async throws {
    let document = try OpenedFixture.document("text-scripts")
    let page = try #require(PageIndex(number: 4))
    for (word, match) in [("example", "exam-\nple"), ("softhyphen", "soft\u{AD}\nhyphen")] {
      let hit = try #require(try await hits(TextQuery(word), in: document)[page]?.first)
      #expect(hit.areas.count == 2)
      let text = Array(try await document.text(of: page).string.unicodeScalars)
      #expect(String(String.UnicodeScalarView(text[hit.scalars])) == match)
    }
    #expect(try await hits(TextQuery("office fish"), in: document)[page]?.count == 1)
  }

  @Test(
    "A second search takes the text from the cache, starts no worker and finds the same; a changed file is read"
  )
  func cached() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "book.pdf")
    try FileManager.default.copyItem(at: TestPaths.fixture("book"), to: file)
    let cache = CacheDirectory(root: FilePath(folder.path("cache")), limits: CacheLimits())
    func document() throws -> Document {
      let worker = FilePath(TestPaths.worker.path)
      return try Document(
        FilePath(file.path),
        settings: DocumentSettings(cache: cache, workerProgram: worker)
      )
    }
    let first = try document()
    let expected = try await hits(TextQuery("the"), in: first)
    #expect(!ProcessTable.workers(of: file).isEmpty)
    await first.close()
    #expect(await eventually { ProcessTable.workers(of: file).isEmpty })
    let second = try document()
    #expect(try await hits(TextQuery("the"), in: second) == expected)
    _ = try await hits(TextQuery("of"), in: second)
    #expect(ProcessTable.workers(of: file).isEmpty)
    await second.close()
    try FileManager.default.removeItem(at: file)
    try FileManager.default.copyItem(at: TestPaths.fixture("text-scripts"), to: file)
    let third = try document()
    let changed = try await hits(TextQuery("office"), in: third)
    #expect(changed[3]?.count == 1)
    await third.close()
  }

  @Test("Text of a page is the same through a subset and from the whole document")
  func readers() async throws {
    for name in ["book", "text-scripts", "text-geometry", "object-streams"] {
      let whole = try OpenedFixture.document(name, reader: .poppler)
      let subset = try OpenedFixture.document(name)
      let count = try await whole.info().pageCount
      let known = try await subset.measure([Range(pageCount: count)])
      // poppler does not tell user units.
      let texts = try await whole.text(of: Range(pageCount: count)).enumerated().map {
        index,
        text in
        try text.get().scaled(by: known.info(of: PageIndex(index))?.userUnit ?? 1)
      }
      let found = try await subset.text(of: Range(pageCount: count)).map { try $0.get() }
      #expect(found == texts)
      for page in Range(pageCount: count) {
        let styled = try await subset.text(of: page, hasStyles: true)
        let text = texts[page.value]
        #expect(try await subset.text(of: page) == text)
        #expect(styled.utf8 == text.utf8 && styled.boxes() == text.boxes())
      }
      await whole.close()
      await subset.close()
    }
  }
}

import DocumentModel
import PageLayout
import RectoGeometry
import RectoKit
import TestSupport
import Testing

/// Lists of pages as text.
@Suite struct PageListTests {
  private func pages(_ text: String, of count: Int = 6) throws -> [Int] {
    let pages = PageSequence(try PageList(parsing: text).runs(pageCount: count))
    return (0..<pages.count).compactMap { pages.page(at: $0)?.number }
  }

  @Test(
    "Ranges can be open, run backward, and name pages from the end or every other one",
    arguments: [
      ("3", [3]), ("z", [6]), ("last", [6]), ("4-", [4, 5, 6]), ("-3", [1, 2, 3]),
      ("z-4", [6, 5, 4]), ("last-", [6]), ("-z", [1, 2, 3, 4, 5, 6]), ("all", [1, 2, 3, 4, 5, 6]),
      ("odd", [1, 3, 5]), ("even", [2, 4, 6]), ("even,1,-2", [2, 4, 6, 1, 1, 2]),
      ("5-,all", [5, 6, 1, 2, 3, 4, 5, 6]),
    ]
  )
  func lists(text: String, numbers: [Int]) throws {
    #expect(try pages(text) == numbers)
  }

  @Test(
    "The text of a label ends before a delimiter, or is in quotes",
    arguments: [
      ("label:iv", ["iv"]), ("label:iv-label:x", ["iv", "x"]), ("label:A,label:B", ["A", "B"]),
      (#"label:"A-1""#, ["A-1"]), (#"label:"A-1"-label:'B,"+:'"#, ["A-1", #"B,"+:"#]),
      (#"label:"say ""a""""#, [#"say "a""#]), ("label:''", [""]), ("label:§ 4", ["§ 4"]),
      ("-label:x", ["x"]), ("label:x-", ["x"]),
    ]
  )
  func labels(text: String, labels: [String]) throws {
    let list = try PageList(parsing: text)
    let found = list.items.flatMap { $0.first == $0.last ? [$0.first] : [$0.first, $0.last] }
      .compactMap { if case .label(let label) = $0 { label } else { nil } }
    #expect(found == labels)
    #expect(list.hasLabels)
    #expect(throws: PageListError.noLabel(labels[0])) { try list.runs(pageCount: 6) }
  }

  @Test(
    "What is wrong is quoted",
    arguments: [
      ("5-x", "\"x\" is not a page"), ("", "an entry is empty"), ("1,,2", "an entry is empty"),
      ("1,", "an entry is empty"), ("-", "\"-\" has no page"), ("1--2", "\"-2\" has no page"),
      ("0", "\"0\" is not a page; pages are counted from 1"), ("1.5", "\"1.5\" is not a page"),
      ("5+1", "unexpected \"+1\""), ("odd-3", "unexpected \"-3\""), ("2:4", "unexpected \":4\""),
      ("99999999999999999999", "\"99999999999999999999\" is not a page"),
      ("label:", "label: has no text"), ("label:,3", "label: has no text"),
      (#"label:"x"#, #"label:"x has no closing quote"#), (#"label:"x"y"#, "unexpected \"y\""),
      ("ODD", "\"ODD\" is not a page"), ("１", "\"１\" is not a page"),
    ]
  )
  func errors(text: String, reason: String) {
    let error = #expect(throws: PageListSyntaxError.self) { try PageList(parsing: text) }
    #expect(error?.description.hasPrefix(reason) == true, "\(error?.description ?? "")")
  }

  @Test("Any text is a list or has one line that says why it is not")
  func anyText() {
    var random = SeededGenerator(14)
    let parts = ["1", "z", "-", ",", "+", ":", "label:", "\"", "'", "odd", "last", " ", "é", "\n"]
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 0..<9, using: &random)).map { _ in random.pick(parts) }
        .joined()
      do {
        let list = try PageList(parsing: text)
        #expect(!list.items.isEmpty)
        _ = try? list.runs(pageCount: 9)
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
  }

  @Test("Every other page of a claim that is too large is refused, all of them are not")
  func claims() throws {
    let count = Int(Int32.max)
    #expect(throws: PageListError.tooMany(count)) {
      try PageList(parsing: "odd").runs(pageCount: count)
    }
    #expect(try PageList(parsing: "all").runs(pageCount: count).count == 1)
    #expect(try PageList(parsing: "even").runs(pageCount: 1 << 20).count == 1 << 19)
    #expect(try pages("even", of: 1).isEmpty)
  }

  @Test("Labels are found by both page readers", arguments: [PageReader.tree, .poppler])
  func resolving(reader: PageReader) async throws {
    let document = try OpenedFixture.document("labels", reader: reader)
    let count = try await document.info().pageCount
    for page in Range(pageCount: count) {
      let label = try #require(try await document.page(at: page).label)
      #expect(try await document.page(labeled: label) == page, "\(label)")
    }
    #expect(try await document.page(labeled: "none") == nil)
    let list = try await document.resolving(try PageList(parsing: "label:ii-label:'A-1',label:no"))
    #expect(list.items[0] == PageList.Item(first: .page(1), last: .page(3)))
    #expect(throws: PageListError.noLabel("no")) { try list.runs(pageCount: count) }
  }
}

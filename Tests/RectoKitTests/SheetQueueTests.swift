import RectoKit
import SystemPackage
import TestSupport
import Testing

/// Which cells are on which contact sheet.
@Suite struct SheetQueueTests {
  /// The cells of documents, as `document.cell`.
  private func documents(_ counts: [Int]) -> [[String]] {
    counts.indices.map { document in (0..<counts[document]).map { "\(document).\($0)" } }
  }

  /// The sheets of documents that finish in an order.
  private func sheets(
    _ documents: [[String]],
    finishing order: [Int],
    capacity: Int,
    cellsPerDocument: Int? = nil
  ) -> [Int: [String]] {
    var queue = SheetQueue<String>(capacity: capacity, cellsPerDocument: cellsPerDocument)
    var sheets: [SheetQueue<String>.Sheet] = []
    for _ in documents { _ = queue.add() }
    for document in order { sheets += queue.finish(document, documents[document]) }
    if let last = queue.end() { sheets.append(last) }
    return Dictionary(uniqueKeysWithValues: sheets.map { ($0.number, $0.cells) })
  }

  /// Consecutive cells, as many on each sheet as there can be.
  private func expected(_ documents: [[String]], capacity: Int) -> [Int: [String]] {
    let cells = Array(documents.joined())
    let starts = stride(from: 0, to: cells.count, by: capacity)
    return Dictionary(
      uniqueKeysWithValues: starts.map { start in
        (start / capacity + 1, Array(cells[start..<min(start + capacity, cells.count)]))
      }
    )
  }

  @Test("sheets do not depend on the order in which documents finish", arguments: UInt64(0)..<200)
  func order(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let isOneEach = Bool.random(using: &random)
    let counts = (0..<Int.random(in: 1...20, using: &random)).map { _ in
      isOneEach ? 1 : Int.random(in: 0...9, using: &random)
    }
    let documents = documents(counts)
    let capacity = Int.random(in: 1...8, using: &random)
    let sheets = sheets(
      documents,
      finishing: documents.indices.shuffled(using: &random),
      capacity: capacity,
      cellsPerDocument: isOneEach ? 1 : nil
    )
    #expect(sheets == expected(documents, capacity: capacity))
  }

  @Test("a sheet is complete as soon as its last cell is there")
  func prompt() {
    var queue = SheetQueue<String>(capacity: 2, cellsPerDocument: 1)
    for _ in 0..<5 { _ = queue.add() }
    #expect(queue.finish(2, ["c"]).isEmpty)
    #expect(queue.finish(3, ["d"]).map(\.number) == [2])
    #expect(queue.finish(0, ["a"]).isEmpty)
    #expect(queue.finish(1, ["b"]).map(\.cells) == [["a", "b"]])
    #expect(queue.finish(4, ["e"]).isEmpty)
    #expect(queue.end()?.cells == ["e"])
  }

  @Test("a sheet of which a document is missing is not made", arguments: [1, nil])
  func missing(cellsPerDocument: Int?) {
    let documents = documents([1, 1, 1, 1, 1])
    for absent in documents.indices {
      let order = documents.indices.filter { $0 != absent }
      let sheets = sheets(
        documents,
        finishing: order,
        capacity: 2,
        cellsPerDocument: cellsPerDocument
      )
      #expect(sheets[absent / 2 + 1] == nil)
      for (number, cells) in sheets {
        #expect(cells == expected(documents, capacity: 2)[number])
      }
    }
  }
}

/// The paths of contact sheets.
@Suite struct SheetTemplateTests {
  @Test(
    "paths of sheets",
    arguments: [
      ("s.png", 1, "s.png"), ("s.png", 2, "s-2.png"), ("a.b/s", 12, "a.b/s-12"),
      ("s-{sheet}.jpg", 3, "s-3.jpg"), ("{sheet:03}.png", 7, "007.png"),
      ("{sheet:3}/{{x}}.png", 1234, "1234/{x}.png"),
    ]
  )
  func path(template: String, number: Int, path: String) throws {
    #expect(try SheetTemplate(FilePath(template)).path(of: number) == FilePath(path))
  }

  @Test("a shard has to be named, and only a shard")
  func shard() throws {
    #expect(throws: SheetTemplateError.noShard) { try SheetTemplate("s-{sheet}.png", shard: 2) }
    #expect(throws: SheetTemplateError.unusedShard) { try SheetTemplate("s-{shard}.png") }
    let template = try SheetTemplate("{shard}/s.png", shard: 2)
    #expect(template.path(of: 3) == "2/s-3.png")
  }

  @Test("an unknown placeholder is named", arguments: ["page", "sheet:0", "sheet:x", ""])
  func unknown(name: String) {
    #expect(throws: SheetTemplateError.unknownPlaceholder(name)) {
      try SheetTemplate(FilePath("s{\(name)}.png"))
    }
  }
}

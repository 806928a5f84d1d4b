import DocumentModel
import Foundation
import RectoGeometry
import RectoTiles
import TestSupport
import Testing

/// The text of pages in the cache.
@Suite struct TextCacheTests {
  private let fixture: CacheFixture

  init() throws { fixture = try CacheFixture() }

  private func texts(_ cache: CacheDirectory? = nil, document: Int = 0) -> TextCache {
    let key = fixture.document(document)
    return TextCache(
      document: key,
      drawing: .drawing(of: key, program: nil, engine: "x"),
      in: cache ?? fixture.cache()
    )
  }

  /// A text that only the page with this number has.
  private func text(_ number: Int, count: Int = 300) -> PageText {
    let letters = "\(number) " + String(repeating: "é", count: count)
    let boxes = (0..<letters.unicodeScalars.count).map { index in
      TextBox(minX: Float(index), minY: Float(number), maxX: Float(index + 1), maxY: 9999)
    }
    return PageText(letters, boxes: boxes)
  }

  private func pages(_ numbers: some Sequence<Int>) -> [PageIndex: PageText] {
    Dictionary(uniqueKeysWithValues: numbers.map { (PageIndex($0), text($0)) })
  }

  @Test("What was stored is found, by all pages of its block and by no other document")
  func stored() throws {
    try texts().store(pages(16..<32), inBlockOf: 20)
    for page in 16..<32 { #expect(texts().pages(inBlockOf: PageIndex(page)) == pages(16..<32)) }
    #expect(texts().texts(inBlockOf: 31) == pages(16..<32).mapValues(\.utf8))
    #expect(texts().pages(inBlockOf: 15).isEmpty && texts().pages(inBlockOf: 32).isEmpty)
    #expect(texts(document: 1).pages(inBlockOf: 16).isEmpty)
  }

  @Test("Pages of a block that are learned one after the other are all known")
  func partly() throws {
    for page in [3, 0, 15, 7] {
      try texts().store(pages([page]), inBlockOf: PageIndex(page))
    }
    #expect(texts().pages(inBlockOf: 1) == pages([0, 3, 7, 15]))
    // Pages of another block are not kept in this one.
    try texts().store(pages([8, 16]), inBlockOf: 8)
    #expect(texts().pages(inBlockOf: 1) == pages([0, 3, 7, 8, 15]))
    #expect(texts().pages(inBlockOf: 16).isEmpty)
  }

  @Test("A page without text is known to have none")
  func empty() throws {
    try texts().store([4: .empty], inBlockOf: 4)
    #expect(texts().pages(inBlockOf: 4) == [4: .empty])
  }

  @Test("Text of another version of the libraries, or of a changed file, is not found")
  func keys() throws {
    try texts().store(pages(0..<16), inBlockOf: 0)
    let key = fixture.document()
    for engine in ["y", "x "] {
      let other = TextCache(
        document: key,
        drawing: .drawing(of: key, program: nil, engine: engine),
        in: fixture.cache()
      )
      #expect(other.texts(inBlockOf: 0).isEmpty)
    }
    #expect(texts(document: 7).texts(inBlockOf: 0).isEmpty)
  }

  @Test("A damaged file is a miss, verifying removes it, and storing again heals it")
  func damaged() throws {
    for suffix in ["", "-boxes"] {
      var generator = SeededGenerator(seed: 17)
      for _ in 0..<12 {
        try texts().store(pages(0..<16), inBlockOf: 0)
        let names = fixture.folder.files.filter {
          $0.contains("/texts/") && $0.hasSuffix("-boxes") == !suffix.isEmpty
        }
        try #require(names.count == 1)
        let url = fixture.folder.url.appending(path: names[0])
        var bytes = try Data(contentsOf: url)
        if Bool.random(using: &generator) {
          bytes[Int.random(in: 0..<bytes.count, using: &generator)] ^= 0x40
        } else {
          bytes = bytes.prefix(Int.random(in: 0..<bytes.count, using: &generator))
        }
        try bytes.write(to: url)
        #expect(texts().pages(inBlockOf: 0).isEmpty)
        #expect(texts().texts(inBlockOf: 0).isEmpty == suffix.isEmpty)
        let verified = try fixture.cache().verify()
        #expect(verified.damaged.count == 1)
        #expect(!FileManager.default.fileExists(atPath: url.path))
      }
    }
    try texts().store(pages(0..<16), inBlockOf: 0)
    #expect(texts().pages(inBlockOf: 0) == pages(0..<16))
    #expect(try fixture.cache().verify().damaged.isEmpty)
  }

  @Test("Texts that another process wrote without their boxes are known, the boxes are not")
  func mismatch() throws {
    try texts().store(pages(0..<16), inBlockOf: 0)
    let boxes = try fixture.file("-boxes")
    let old = try Data(contentsOf: boxes)
    try texts().store([0: text(0, count: 5)], inBlockOf: 0)
    try old.write(to: boxes)
    #expect(texts().pages(inBlockOf: 0) == pages(1..<16))
    #expect(texts().texts(inBlockOf: 0).count == 16)
  }

  @Test("Clearing a document removes its texts only, and clearing the cache removes all")
  func cleared() throws {
    for document in 0..<2 {
      try texts(document: document).store(pages(0..<40), inBlockOf: 0)
      try texts(document: document).store(pages(16..<32), inBlockOf: 16)
    }
    try fixture.cache().clear([fixture.document(0)])
    #expect(texts().pages(inBlockOf: 0).isEmpty && texts().pages(inBlockOf: 16).isEmpty)
    #expect(texts(document: 1).pages(inBlockOf: 16) == pages(16..<32))
    try fixture.cache().clear()
    #expect(texts(document: 1).pages(inBlockOf: 16).isEmpty)
    #expect(!fixture.folder.files.contains { $0.contains("/texts/") })
  }

  @Test("Texts count as all else against the limit of the cache")
  func limits() throws {
    let limit = 200_000
    let cache = fixture.cache(limit: limit)
    for block in 0..<30 {
      let numbers = block * 16..<(block + 1) * 16
      try texts(cache).store(pages(numbers), inBlockOf: PageIndex(block * 16))
    }
    _ = try cache.trim()
    #expect(cache.contents().bytes <= limit)
    #expect(fixture.folder.files.contains { $0.contains("/texts/") })
    _ = try fixture.cache(limit: 0).trim()
    #expect(!fixture.folder.files.contains { $0.contains("/texts/") })
  }
}

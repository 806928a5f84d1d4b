import RectoGeometry
import Testing

@testable import RectoTiles

@Suite struct TileMemoryTests {
  private let source = SourceID(number: 1)

  private func name(_ page: PageIndex) -> SourceTile {
    SourceTile(source: source, key: QueueFixture.key(page))
  }

  private func filled(_ pages: Range<PageIndex>, limit: Int) -> TileMemory {
    var memory = TileMemory(limit: limit)
    for page in pages {
      memory.insert(QueueFixture.tile(QueueFixture.key(page)), as: name(page)) { _ in false }
    }
    return memory
  }

  @Test func `the tile used longest ago goes first`() {
    var memory = filled(0..<3, limit: 300)
    #expect(memory.use(name(0)) != nil)
    memory.insert(QueueFixture.tile(QueueFixture.key(3)), as: name(3)) { _ in false }
    #expect(Range(pageCount: 4).map { memory.use(name($0)) != nil } == [true, false, true, true])
    #expect(memory.bytes == 300)
  }

  @Test func `a pinned tile stays, whatever the limit`() {
    var memory = filled(0..<2, limit: 200)
    let first = name(0)
    for page in PageIndex(2)..<9 {
      memory.insert(QueueFixture.tile(QueueFixture.key(page)), as: name(page)) { $0 == first }
    }
    #expect(memory.use(first) != nil)
    #expect(memory.bytes == 200)
    memory.insert(QueueFixture.tile(QueueFixture.key(9), bytes: 900), as: name(9)) { _ in true }
    #expect(memory.bytes == 1100)
    memory.trim { _ in false }
    #expect(memory.bytes <= 200)
  }

  @Test func `a tile that comes again replaces itself`() {
    var memory = filled(0..<2, limit: 1000)
    memory.insert(QueueFixture.tile(QueueFixture.key(0), bytes: 50), as: name(0)) { _ in false }
    #expect(memory.bytes == 150 && memory.count == 2)
    #expect(memory.use(name(0))?.source == .memory)
  }

  @Test func `a source's tiles leave together`() {
    var memory = filled(0..<5, limit: 1000)
    let other = SourceTile(source: SourceID(number: 2), key: QueueFixture.key(0))
    memory.insert(QueueFixture.tile(QueueFixture.key(0)), as: other) { _ in false }
    memory.removeAll(of: source)
    #expect(memory.bytes == 100 && memory.count == 1)
    #expect(memory.use(other) != nil)
  }
}

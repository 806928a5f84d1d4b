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

/// A document of `serve` without its session: a test decides when an event of the queue arrives.
///
/// The time limit allows for tests of programs, which hold the threads that actors need.
@Suite(.timeLimit(.minutes(10))) struct ServedDocumentTests {
  /// What was written, and a gate in front of chosen lines.
  private final class Lines: Sendable {
    private let texts = Mutex<[String]>([])
    private let stops = Mutex<(@Sendable (String) -> Bool)?>(nil)
    private let gate = DispatchSemaphore(value: 0)
    private let (reached, arrivals) = AsyncStream<Void>.makeStream()

    /// Writes as standard output would.
    func put(_ bytes: [UInt8]) {
      let text = String(decoding: bytes, as: UTF8.self)
      if stops.withLock({ $0?(text) ?? false }) {
        arrivals.yield()
        gate.wait()
      }
      texts.withLock { $0.append(text) }
    }

    /// Holds up the lines that `body` is true for.
    func stop(at body: @escaping @Sendable (String) -> Bool) { stops.withLock { $0 = body } }

    /// Returns when a line is held up.
    func stopped() async { for await _ in reached { return } }

    /// Lets the line that is held up pass.
    func open() { gate.signal() }

    /// The lines behind the last reply or geometry event, from it on.
    var sinceScene: [String] {
      let all = texts.withLock { $0 }
      let last = all.lastIndex { $0.contains(#""spreads":["#) }
      return last.map { Array(all[$0...]) } ?? all
    }

    /// How many of those are tiles.
    var tilesSinceScene: Int { sinceScene.count { $0.contains(#""event":"tile""#) } }
  }

  /// A document whose first window was told, and the first tile that left the queue.
  private struct Opened {
    let lines = Lines()
    let queue = RenderQueue()
    let document: ServedDocument
    var source: SourceID
    var key: TileKey
    var tile: Tile

    init() async throws {
      let lines = lines
      document = ServedDocument(
        1,
        path: FilePath(TestPaths.fixture("book").path),
        context: ServedDocument.Context.test(
          viewport: Size(width: 400, height: 500),
          queue: queue,
          output: LineOutput { lines.put($0) }
        ),
        notices: ServedDocument.Notices(opened: { _ in }, measured: {})
      )
      let request = ServeRequest(opening: TestPaths.fixture("book").path)
      guard case .open(let opening) = try request.operation.get() else {
        throw RequestError("no opening")
      }
      await document.open(opening, options: try LayoutOptions.parse([]), request)
      (source, key, tile) = try #require(await Self.nextTile(queue))
    }

    /// The next tile that leaves the queue.
    static func nextTile(_ queue: RenderQueue) async -> (SourceID, TileKey, Tile)? {
      for await event in queue.events {
        if case .tile(let source, let key, let tile) = event { return (source, key, tile) }
      }
      return nil
    }

    /// The request of a client who goes to an offset.
    func view(y: Double) async {
      var move = ViewerMove()
      move.place = .offset(Point(x: 0, y: y))
      let line = Array(#"{"op":"view"}"#.utf8)
      await document.perform(.view(document: nil, move), ServeRequest(.text(line)))
    }

    /// The tile arrives, which left the queue long ago.
    func deliver() async { await document.deliver(key, tile, from: source) }

    func close() async {
      await document.close()
      await queue.shutdown()
    }
  }

  @Test func `a tile that left the queue before a view request is not sent after its reply`()
    async throws
  {
    let opened = try await Opened()
    await opened.view(y: 3000)
    #expect(opened.lines.sinceScene.first?.contains(#""reply":"view""#) == true)
    await opened.deliver()
    #expect(opened.lines.tilesSinceScene == 0)
    await opened.close()
  }

  @Test func `a tile that arrives while a newer reply is being written is dropped`()
    async throws
  {
    let opened = try await Opened()
    opened.lines.stop { $0.contains(#""reply":"view""#) }
    async let viewed: Void = opened.view(y: 3000)
    await opened.lines.stopped()
    // The reply is on its way, and the queue does not know of the view yet.
    async let delivered: Void = opened.deliver()
    opened.lines.open()
    await viewed
    await delivered
    #expect(opened.lines.tilesSinceScene == 0)
    await opened.close()
  }

  @Test func `a tile that becomes visible again is sent once, even if its first event is late`()
    async throws
  {
    let opened = try await Opened()
    await opened.view(y: 3000)
    await opened.view(y: 0)
    await opened.deliver()
    #expect(opened.lines.tilesSinceScene == 1)
    // The queue tells it again, from memory.
    var again: TileKey?
    while again != opened.key {
      let (source, key, tile) = try #require(await Opened.nextTile(opened.queue))
      again = key
      if key == opened.key { await opened.document.deliver(key, tile, from: source) }
    }
    #expect(opened.lines.tilesSinceScene == 1)
    await opened.close()
  }

  @Test func `a tile that stays visible is sent once`() async throws {
    let opened = try await Opened()
    await opened.deliver()
    #expect(opened.lines.tilesSinceScene == 1)
    await opened.view(y: 1)
    await opened.deliver()
    #expect(opened.lines.tilesSinceScene == 0)
    await opened.close()
  }

  @Test func `no error event for a page that is no longer visible`() async throws {
    let opened = try await Opened()
    let error = DocumentError(.drawing, during: "draw", "a fake failure")
    let raster = opened.key.raster
    await opened.document.reportFailure(of: raster, error, from: opened.source)
    #expect(opened.lines.sinceScene.last?.contains("a fake failure") == true)
    await opened.view(y: 3000)
    await opened.document.reportFailure(of: raster, error, from: opened.source)
    #expect(opened.lines.sinceScene.count == 1)
    await opened.close()
  }
}

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

/// A conversation whose client is gone.
///
/// The time limit allows for tests of programs, which hold the threads that actors need.
@Suite(.timeLimit(.minutes(10))) struct ClientGoneTests {
  /// The outlines that were written, and a gate in front of the first one.
  private final class Outlines: Sendable {
    private let written = Mutex(0)
    private let gate = DispatchSemaphore(value: 0)
    private let (reached, arrivals) = AsyncStream<Void>.makeStream()

    func put(_ bytes: [UInt8]) {
      guard String(decoding: bytes, as: UTF8.self).contains(#""items":"#) else { return }
      let count = written.withLock { count in
        count += 1
        return count
      }
      guard count == 1 else { return }
      arrivals.yield()
      gate.wait()
    }

    var count: Int { written.withLock { $0 } }

    /// Returns when the first one is about to be written.
    func begun() async { for await _ in reached { return } }

    func open() { gate.signal() }
  }

  @Test(arguments: [10, 60, 200])
  func `what waits is dropped when the client is gone`(requestCount: Int) async throws {
    let outlines = Outlines()
    let context = ServedDocument.Context.test(output: LineOutput { outlines.put($0) })
    let session = ServeSession(context, options: try LayoutOptions.parse([]))
    let (lines, sending) = AsyncStream<[UInt8]>.makeStream()
    let (end, ending) = AsyncStream<Never>.makeStream()
    let path = TestPaths.fixture("book").path
    sending.yield(Array(#"{"op":"open","path":"\#(path)"}"#.utf8))
    for id in 0..<requestCount { sending.yield(Array(#"{"op":"outline","id":\#(id)}"#.utf8)) }
    async let run: Void = session.run(lines, until: end)
    await outlines.begun()
    ending.finish()
    // One is being carried out as long as its outline is not written; the others are answered as cancelled.
    while await session.requests.values.contains(where: { $0.task?.isCancelled == false }) {
      await Task.yield()
    }
    outlines.open()
    await run
    #expect(outlines.count == 1)
    sending.finish()
  }

  /// What a conversation holds on to.
  private struct Held: Sendable {
    weak let session: ServeSession?
    weak let queue: RenderQueue?
  }

  /// A conversation that opens a document and ends.
  private func conversation() async throws -> Held {
    let (opened, opening) = AsyncStream<Void>.makeStream()
    let queue = RenderQueue()
    let context = ServedDocument.Context.test(
      queue: queue,
      output: LineOutput {
        if String(decoding: $0, as: UTF8.self).contains(#""reply":"open""#) { opening.yield() }
      }
    )
    let session = ServeSession(context, options: try LayoutOptions.parse([]))
    let (lines, sending) = AsyncStream<[UInt8]>.makeStream()
    let (end, ending) = AsyncStream<Never>.makeStream()
    sending.yield(Array(#"{"op":"open","path":"\#(TestPaths.fixture("book").path)"}"#.utf8))
    async let run: Void = session.run(lines, until: end)
    for await _ in opened { break }
    ending.finish()
    await run
    sending.finish()
    return Held(session: session, queue: queue)
  }

  @Test func `nothing of a conversation stays in memory when its client is gone`() async throws {
    let held = try await conversation()
    #expect(await eventually { held.session == nil && held.queue == nil })
  }
}

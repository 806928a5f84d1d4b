import Dispatch
import PageLayout
import RectoGeometry
import TestSupport
import Testing

@testable import RectoKit

/// Scenes of a document that is busy with something else.
@Suite(.timeLimit(.minutes(10))) struct KnownSizesTests {
  /// Lets a document do something until a gate is opened.
  fileprivate final class Occupation: Sendable {
    let (reached, arrivals) = AsyncStream<Void>.makeStream()
    let gate = DispatchSemaphore(value: 0)

    /// Returns when the document is at it.
    func begun() async { for await _ in reached { return } }
  }

  @Test func `a scene from known sizes does not wait for the document`() async throws {
    let document = try OpenedFixture.document("mixed-sizes")
    let first = try await OpenedFixture.viewer(document)
    measuring: while true { if case .finished = try await first.measureMore() { break measuring } }
    // Another reader of the same document, whose layout has the size of the first page only.
    let second = try await OpenedFixture.viewer(document)
    let occupation = Occupation()
    async let busy: Void = document.occupy(occupation)
    await occupation.begun()
    for page in 0..<8 {
      var move = ViewerMove()
      move.place = .page(PageIndex(page), fraction: 0)
      let scene = try await second.show(move)
      #expect(scene.pages.allSatisfy { $0.isExact })
      #expect(scene.pages.contains { $0.page == PageIndex(page) })
    }
    occupation.gate.signal()
    await busy
  }
}

extension Document {
  /// Keeps the document's queue busy.
  fileprivate func occupy(_ occupation: KnownSizesTests.Occupation) {
    occupation.arrivals.yield()
    occupation.gate.wait()
  }
}

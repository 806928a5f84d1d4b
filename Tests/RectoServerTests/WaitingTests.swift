import NIOCore
import Testing

@testable import RectoServer

/// What waits in conversations.
@Suite struct WaitingTests {
  /// The requests that a conversation hands out.
  private func requests(of session: ViewerSession) async -> [String] {
    var all: [String] = []
    for await line in session.lines { all.append(String(decoding: line, as: UTF8.self)) }
    return all
  }

  @Test func `requests come in their order, without empty lines`() async throws {
    let session = ViewerSession()
    #expect(session.take(ByteBuffer(string: "one\n \r\ntwo\n")))
    #expect(session.byteCount == 6)
    var lines = session.lines.makeAsyncIterator()
    for text in ["one", "two"] {
      let line = try await lines.next()
      #expect(line == Array(text.utf8))
    }
    #expect(session.byteCount == 0)
  }

  @Test func `requests and output that wait are dropped when the conversation ends`() async throws {
    let session = ViewerSession()
    for _ in 0..<100 { #expect(session.take(ByteBuffer(string: "a request"))) }
    session.put(Array("an answer\n".utf8))
    session.end()
    #expect(session.byteCount == 0)
    #expect(await requests(of: session) == [])
    #expect(!session.take(ByteBuffer(string: "late")))
    session.put(Array("late\n".utf8))
    #expect(session.byteCount == 0)
    try await session.sendEvents { _ in Issue.record("something was sent") }
  }

  @Test func `requests that wait have a limit of their number and one of their bytes`() {
    let many = ViewerSession()
    for _ in 0..<256 { #expect(many.take(ByteBuffer(string: "r"))) }
    #expect(!many.take(ByteBuffer(string: "r")))
    let long = ViewerSession()
    let half = ByteBuffer(repeating: 0x61, count: 1 << 19)
    #expect(long.take(half) && long.take(half))
    #expect(!long.take(ByteBuffer(string: "r")))
  }

  @Test func `output waits until it was sent`() async throws {
    let session = ViewerSession()
    session.put(Array("one\n".utf8))
    session.put(Array("two\n".utf8))
    try await session.sendEvents { buffer in
      #expect(String(buffer: buffer) == "data: one\n\ndata: two\n\n")
      #expect(session.byteCount == 8)
      session.end()
    }
  }

  @Test func `the conversation that holds the most ends when all together hold too much`() {
    let memory = ConversationMemory(limit: 1000)
    let sessions = (0..<4).map { _ in memory.makeSession() }
    for session in sessions { session.put([UInt8](repeating: 0x61, count: 100)) }
    sessions[1].put([UInt8](repeating: 0x61, count: 300))
    for _ in 0..<3 { sessions[2].put([UInt8](repeating: 0x61, count: 100)) }
    #expect(memory.byteCount == 1000)
    #expect(sessions[3].take(ByteBuffer(string: "r")))
    // Either of the two largest ended.
    #expect(sessions.count { $0.byteCount == 0 } == 1)
    #expect(sessions[0].byteCount == 100 && sessions[3].byteCount == 101)
    #expect(memory.byteCount == sessions.reduce(0) { $0 + $1.byteCount })
    for session in sessions { memory.remove(session) }
    #expect(memory.byteCount == 0)
  }
}

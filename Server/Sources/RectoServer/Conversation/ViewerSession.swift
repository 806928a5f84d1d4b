internal import NIOCore
internal import RectoCommand
internal import Synchronization

/// A conversation with one viewer: requests come with one kind of HTTP request, and what is told goes out
/// as server-sent events.
final class ViewerSession: Sendable {
  /// Whose conversation it is.
  let client = Client.current
  private let requests: AsyncStream<[UInt8]>.Continuation
  private let lines: AsyncStream<[UInt8]>
  private let output = Mutex(Output())
  /// Told when there is something to send.
  private let bell: AsyncStream<Void>.Continuation
  private let bells: AsyncStream<Void>

  private struct Output {
    var waiting: [[UInt8]] = []
    var bytes = 0
    var isOverfull = false
  }

  /// Requests that may wait.
  private static let requestLimit = 256
  /// Bytes that may wait for a client to read them; then the conversation ends.
  private static let outputLimit = 16 << 20

  init() {
    (lines, requests) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.requestLimit))
    (bells, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Takes requests.
  ///
  /// - Parameter body: One request in each line.
  /// - Returns: Whether there was room for all of them; those behind the first that did not fit are dropped.
  func take(_ body: ByteBuffer) -> Bool {
    for line in body.readableBytesView.split(separator: UInt8(ascii: "\n")) {
      let text = Array(line)
      guard text.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { continue }
      if case .dropped = requests.yield(text) { return false }
    }
    return true
  }

  /// Carries out the requests until ``end()``.
  func run(_ command: ServerCommand, host: any ViewerHost) async {
    await command.converse(lines, host: host) { self.put($0) }
    bell.finish()
  }

  /// Ends the conversation. What it is doing is cancelled.
  func end() { requests.finish() }

  private func put(_ line: [UInt8]) {
    let isOverfull = output.withLock { output in
      if output.bytes + line.count > Self.outputLimit {
        output.isOverfull = true
        output.waiting = []
        return true
      }
      output.waiting.append(line)
      output.bytes += line.count
      return false
    }
    if isOverfull { end() }
    bell.yield()
  }

  /// What is to be sent next, as server-sent events. Calls `send` until the conversation ends, the client
  /// reads too little, or `send` throws. Without anything else to send, it is called with a comment every
  /// fifteen seconds, so that a connection that is gone is noticed.
  func sendEvents(_ send: (ByteBuffer) async throws -> Void) async throws {
    let bells = bells
    let clock = Task { [bell] in
      while !Task.isCancelled {
        try await Task.sleep(for: .seconds(15))
        bell.yield()
      }
    }
    defer { clock.cancel() }
    for await _ in bells {
      let (lines, isOverfull) = output.withLock { output in
        defer {
          output.waiting = []
          output.bytes = 0
        }
        return (output.waiting, output.isOverfull)
      }
      if isOverfull { return }
      var buffer = ByteBuffer()
      if lines.isEmpty { buffer.writeString(": still here\n\n") }
      for line in lines {
        buffer.writeString("data: ")
        // The line has its own end.
        buffer.writeBytes(line)
        buffer.writeString("\n")
      }
      try await send(buffer)
    }
  }
}

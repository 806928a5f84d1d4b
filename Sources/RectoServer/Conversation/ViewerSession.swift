internal import NIOCore
internal import RectoCommand
internal import Synchronization

/// A conversation with one viewer: requests come in the bodies of HTTP requests, and output is sent as server-sent
/// events.
final class ViewerSession: Sendable {
  /// Whose conversation it is.
  let client = Client.current
  private let incoming: AsyncStream<[UInt8]>
  private let requests: AsyncStream<[UInt8]>.Continuation
  /// Told when there is something to send.
  private let bell: AsyncStream<Void>.Continuation
  private let bells: AsyncStream<Void>
  /// Ends with the conversation.
  private let untilEnd: AsyncStream<Never>
  private let ending: AsyncStream<Never>.Continuation
  private let state = Mutex(State())
  private let changed: @Sendable (Int) -> Void

  private struct State {
    /// Output that is not being sent yet.
    var output: [[UInt8]] = []
    /// Bytes of output that was not sent.
    var outputBytes = 0
    /// Requests that were not begun.
    var requests = 0
    var requestBytes = 0
    var isEnded = false
  }

  /// Requests that may wait, and their bytes.
  private static let requestLimit = (count: 256, bytes: 1 << 20)
  /// The most unread bytes; above that, the conversation ends.
  private static let outputLimit = 16 << 20
  /// The most bytes sent together, except for a longer line.
  private static let portion = 1 << 20

  /// A conversation that has not started.
  ///
  /// - Parameter changed: Called with the change of waiting bytes.
  init(_ changed: @escaping @Sendable (Int) -> Void = { _ in }) {
    self.changed = changed
    (incoming, requests) = AsyncStream.makeStream()
    (bells, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    (untilEnd, ending) = AsyncStream.makeStream()
  }

  /// Bytes of waiting requests and output.
  var byteCount: Int { state.withLock { $0.outputBytes + $0.requestBytes } }

  /// Takes requests.
  ///
  /// - Returns: Whether there was room for all of them; the first that does not fit and those after it are dropped.
  func take(_ body: ByteBuffer) -> Bool {
    for line in body.readableBytesView.split(separator: UInt8(ascii: "\n")) {
      let text = Array(line)
      guard text.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { continue }
      let fits = state.withLock { state in
        guard !state.isEnded, state.requests < Self.requestLimit.count,
          state.requestBytes + text.count <= Self.requestLimit.bytes
        else { return false }
        state.requests += 1
        state.requestBytes += text.count
        return true
      }
      guard fits else { return false }
      requests.yield(text)
      changed(text.count)
    }
    return true
  }

  /// The requests in order; without those waiting at the end of the conversation.
  var lines: some AsyncSequence<[UInt8], Never> & Sendable {
    incoming.compactMap { [self] line in begin(line) ? line : nil }
  }

  /// Removes a request from the waiting ones.
  ///
  /// - Returns: Whether to perform it.
  private func begin(_ line: [UInt8]) -> Bool {
    let isWanted = state.withLock { state in
      guard !state.isEnded else { return false }
      state.requests -= 1
      state.requestBytes -= line.count
      return true
    }
    if isWanted { changed(-line.count) }
    return isWanted
  }

  /// Carries out the requests until ``end()``.
  func run(_ command: ServerCommand, host: any ViewerHost) async {
    await command.converse(lines, until: untilEnd, host: host) { self.put($0) }
    bell.finish()
  }

  /// Ends the conversation: drops waiting requests and output, and cancels running requests.
  func end() {
    let dropped = state.withLock { state in
      defer { state = State(isEnded: true) }
      return (bytes: state.outputBytes + state.requestBytes, output: state.output)
    }
    requests.finish()
    ending.finish()
    bell.yield()
    if dropped.bytes > 0 { changed(-dropped.bytes) }
  }

  /// Takes a line of output. Ends the conversation if too much waits.
  func put(_ line: [UInt8]) {
    let isOverfull = state.withLock { state -> Bool? in
      guard !state.isEnded else { return nil }
      guard state.outputBytes + line.count <= Self.outputLimit else { return true }
      state.output.append(line)
      state.outputBytes += line.count
      return false
    }
    switch isOverfull {
    case nil: break
    case true?: end()
    case false?:
      bell.yield()
      changed(line.count)
    }
  }

  /// Sends output as server-sent events. Calls `send` until the conversation ends, the client reads too little, or
  /// `send` throws. While there is no output, sends a comment every fifteen seconds, so that a lost connection is
  /// detected.
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
      var isFirst = true
      while let lines = nextLines(), isFirst || !lines.isEmpty {
        isFirst = false
        var buffer = ByteBuffer()
        if lines.isEmpty { buffer.writeString(": still here\n\n") }
        for line in lines {
          buffer.writeString("data: ")
          // The line has its own end.
          buffer.writeBytes(line)
          buffer.writeString("\n")
        }
        try await send(buffer)
        sent(lines.reduce(0) { $0 + $1.count })
      }
      if state.withLock(\.isEnded) { return }
    }
  }

  /// The lines to be sent together; nil when the conversation has ended.
  private func nextLines() -> ArraySlice<[UInt8]>? {
    state.withLock { state in
      guard !state.isEnded else { return nil }
      var (count, bytes) = (0, 0)
      while count < state.output.count, count == 0 || bytes < Self.portion {
        bytes += state.output[count].count
        count += 1
      }
      defer { state.output.removeFirst(count) }
      return state.output[..<count]
    }
  }

  /// Bytes have been sent, and wait no more.
  private func sent(_ bytes: Int) {
    let isCounted = state.withLock { state in
      if !state.isEnded { state.outputBytes -= bytes }
      return !state.isEnded
    }
    if isCounted, bytes > 0 { changed(-bytes) }
  }
}

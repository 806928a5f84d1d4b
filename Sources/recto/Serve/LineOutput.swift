internal import ArgumentParser
internal import Concurrency
internal import Synchronization

/// Lines to standard output, from a queue of its own: a client that reads slowly holds up only what
/// is meant for it.
///
/// A line gets its place among the others when it is added, which needs no waiting: what an actor
/// decides in one step is what the client reads in that order. Lines are made and written later.
actor LineOutput {
  /// What makes a line.
  typealias Line = @Sendable (inout JSONWriter) -> Void

  private let executor = QueueExecutor(label: "recto.output")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Lines that were added and not yet written. Whoever adds one waits for it, so they are few.
  private let added = Mutex<[Line]>([])
  private let put: @Sendable ([UInt8]) throws(Failure) -> Void

  /// Lines that go through `put`, one at a time; by default to standard output.
  init(
    _ put: @escaping @Sendable ([UInt8]) throws(Failure) -> Void = { (bytes) throws(Failure) in
      try StandardStreams.write(bytes)
    }
  ) {
    self.put = put
  }

  /// Puts a line behind all others.
  nonisolated func add(_ line: @escaping Line) { added.withLock { $0.append(line) } }

  /// Writes all lines that were added.
  ///
  /// Ends the process when nobody reads any more (a quiet success) or when writing fails (74):
  /// there is nobody left to answer.
  func flush() {
    while let line = added.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      var writer = JSONWriter()
      writer.object(line)
      writer.newline()
      do throws(Failure) {
        try put(writer.take())
      } catch {
        Messages(style: .text).print(error)
        Shutdown.end(with: error.exitCode.rawValue)
      }
    }
  }

  /// Writes a line behind all others.
  func write(_ line: @escaping Line) {
    add(line)
    flush()
  }
}

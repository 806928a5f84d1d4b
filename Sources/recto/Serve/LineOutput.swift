internal import ArgumentParser
internal import Concurrency
internal import Synchronization

/// Writes lines to standard output on a queue of its own, so that a slow reader blocks only its own
/// output.
///
/// The order of lines is fixed when they are added, without waiting, so lines that an actor adds in
/// one step reach the client in that order. They are formatted and written later.
actor LineOutput {
  /// What makes a line.
  typealias Line = @Sendable (inout JSONWriter) -> Void

  private let executor = QueueExecutor(label: "recto.output")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Lines that were added and not yet written. Callers wait for their line, so there are few.
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

  /// Appends a line.
  nonisolated func add(_ line: @escaping Line) { added.withLock { $0.append(line) } }

  /// Writes all lines that were added.
  ///
  /// Ends the process if the reader is gone (exit code 0) or if writing fails (74).
  func flush() {
    while let line = added.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      var writer = JSONWriter()
      writer.object(line)
      writer.newline()
      do throws(Failure) {
        try put(writer.take())
      } catch {
        MessagePrinter(style: .text).print(error)
        Shutdown.end(with: error.exitCode.rawValue)
      }
    }
  }

  /// Appends a line and writes all lines.
  func write(_ line: @escaping Line) {
    add(line)
    flush()
  }
}

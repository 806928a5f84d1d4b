internal import ArgumentParser
internal import TileRender

/// Lines to standard output, from a queue of its own: a client that reads slowly holds up only what
/// is meant for it.
actor LineOutput {
  private let executor = QueueExecutor(label: "recto.output")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Writes a line made by `body`.
  ///
  /// Ends the process when nobody reads any more (a quiet success) or when writing fails (74):
  /// there is nobody left to answer.
  func write(_ body: @Sendable (inout JSONWriter) -> Void) {
    var writer = JSONWriter()
    writer.object(body)
    writer.newline()
    do throws(Failure) {
      try StandardStreams.write(writer.take())
    } catch {
      Messages(style: .text).print(error)
      Shutdown.end(with: error.exitCode.rawValue)
    }
  }
}

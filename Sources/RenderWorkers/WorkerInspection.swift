internal import CLinux
public import DocumentModel
internal import Glibc
internal import RectoBase
public import SystemPackage

/// A description of a worker program, and whether it can draw.
public struct WorkerInspection: Sendable {
  /// Its report about itself.
  public var description: EngineDescription
  /// Seconds from its start to the picture of a built-in page, or why there is none.
  public var drawing: Result<Double, DocumentError>

  /// Starts a worker, asks for its description, and lets it draw a page.
  ///
  /// - Parameter executable: The worker program.
  /// - Returns: The result.
  /// - Throws: `DocumentError` when it cannot be started, or does not answer in time.
  public static func inspect(
    _ executable: FilePath
  ) async throws(DocumentError) -> WorkerInspection {
    try await Inspector().inspect(executable)
  }
}

/// Waits for the worker on its own queue.
private actor Inspector {
  private let executor = QueueExecutor(label: "recto.worker-inspection")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Seconds for each answer, and bytes of memory.
  private static let limits = (seconds: 30.0, memory: 1_500_000_000)

  func inspect(_ executable: FilePath) throws(DocumentError) -> WorkerInspection {
    let file = try sampleFile()
    defer { close(file) }
    let start = monotonicSeconds()
    let worker = try WorkerProcess(alone: executable, document: file)
    var drawing: Result<Double, DocumentError>
    do throws(DocumentError) {
      for request in SamplePage.requests { _ = try answer(of: worker, to: request) }
      drawing = .success(monotonicSeconds() - start)
    } catch {
      drawing = .failure(error)
    }
    guard case .description(let description) = try answer(of: worker, to: .describe) else {
      throw DocumentError(.fault, during: "start a worker", "it does not describe itself")
    }
    return WorkerInspection(description: description, drawing: drawing)
  }

  /// The last reply to a request.
  private func answer(
    of worker: WorkerProcess,
    to request: WorkerRequest
  ) throws(DocumentError) -> WorkerReply? {
    var last: WorkerReply?
    try worker.send(
      request,
      by: Deadline(after: Self.limits.seconds),
      memory: Self.limits.memory,
      cancellation: Cancellation(),
      ahead: { nil }
    ) { last = $0 }
    return last
  }

  /// The page, in a file without a name, open for reading only.
  private func sampleFile() throws(DocumentError) -> Int32 {
    let file = memfd_create("page", 1)
    defer { if file >= 0 { close(file) } }
    let page = SamplePage.file
    let count = file < 0 ? -1 : page.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    let copy = count == page.count ? open("/proc/self/fd/\(file)", O_RDONLY | O_CLOEXEC) : -1
    guard copy >= 0 else {
      throw DocumentError(.fault, during: "make a page", String(cString: strerror(errno)))
    }
    return copy
  }
}

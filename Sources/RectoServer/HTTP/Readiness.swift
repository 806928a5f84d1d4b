internal import DocumentModel
internal import HTTPTypes
internal import RenderWorkers

/// Whether the server can draw: a worker of its own draws a built-in page.
actor Readiness {
  /// The seconds for which an answer holds: monitoring must not start a worker for each question.
  private static let seconds = 5

  private let requiresSandbox: Bool
  private var last: (time: ContinuousClock.Instant, answer: Task<DocumentError?, Never>)?
  private var isEnding = false

  /// - Parameter sandbox: Whether pages are drawn without a complete sandbox.
  init(_ sandbox: SandboxPolicy) { requiresSandbox = sandbox == .require }

  /// Says from now on that the server is not ready.
  func end() { isEnding = true }

  /// Checks whether the server can draw.
  ///
  /// - Throws: A problem if it cannot, or is about to end.
  func check() async throws(Problem) {
    guard !isEnding else { throw Problem(.serviceUnavailable, "the server is about to end") }
    if let error = await answer() {
      throw Problem(.serviceUnavailable, error.description, code: error.code.rawValue)
    }
  }

  /// Why no page can be drawn; nil if one can.
  private func answer() async -> DocumentError? {
    let now = ContinuousClock.now
    if let last, now - last.time < .seconds(Self.seconds) { return await last.answer.value }
    let answer = Task { [requiresSandbox] in await Self.failure(requiresSandbox) }
    last = (now, answer)
    return await answer.value
  }

  private static func failure(_ requiresSandbox: Bool) async -> DocumentError? {
    do throws(DocumentError) {
      let inspection = try await WorkerInspection.inspect(try WorkerProgram.locate())
      if case .failure(let error) = inspection.drawing { return error }
      return requiresSandbox ? DocumentError(requiring: inspection.description.sandbox) : nil
    } catch {
      return error
    }
  }
}

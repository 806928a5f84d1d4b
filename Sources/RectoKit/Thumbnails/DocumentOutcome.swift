package import DocumentModel

/// What came of the work on one of many documents.
package protocol DocumentOutcome: Sendable {
  /// Whether the document, or a part of it, ended its worker process.
  var hasCrash: Bool { get }
  /// Whether the work ended before the document was done, because the task was cancelled.
  var isInterrupted: Bool { get set }
  /// Whether work on other documents would fail, too: the disk is full, for example.
  var endsRun: Bool { get }

  /// Records that the time limit of the document was reached.
  ///
  /// - Parameter seconds: The time limit.
  mutating func exceed(limit seconds: Double)
}

extension DocumentOutcome {
  /// The outcome of work on a document within its time limit.
  ///
  /// - Parameters:
  ///   - seconds: The most seconds that it may take; nil for no limit. Then its task is cancelled.
  ///   - work: The work.
  package static func within(
    _ seconds: Double?,
    _ work: @escaping @Sendable () async -> Self
  ) async -> Self {
    guard let seconds else { return await work() }
    let isOver = StopFlag()
    let task = Task { await work() }
    let clock = Task {
      // Cancelled when the work is done.
      guard (try? await Task.sleep(for: .seconds(seconds))) != nil else { return }
      isOver.set()
      task.cancel()
    }
    var result = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    clock.cancel()
    if isOver.isSet, result.isInterrupted, !Task.isCancelled { result.exceed(limit: seconds) }
    return result
  }
}

extension DocumentError {
  /// The error of a document, or of the rest of its pages, that was not done within its time limit.
  ///
  /// - Parameter seconds: The time limit.
  package static func notDone(after seconds: Double) -> DocumentError {
    // Without decimals that are zero.
    let text = Int(exactly: seconds).map(String.init) ?? "\(seconds)"
    return DocumentError(.timeLimit, during: "", "the document was not done after \(text) s")
  }
}

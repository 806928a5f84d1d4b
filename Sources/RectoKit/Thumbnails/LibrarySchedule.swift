/// Decides which document a run works on next.
///
/// Up to a number of documents are in progress at the same time. A document that killed its worker process is tried
/// once more while no other is in progress: the cause may have been lack of memory, or a limit of all processes
/// together.
struct LibrarySchedule<Item: Sendable, Outcome: DocumentOutcome> {
  /// The work to start.
  enum Action {
    /// The next document is to be found.
    case ask
    /// A document is to be worked on.
    case make(Item)
    /// A document is to be tried once more.
    case retry(Item, Outcome)
  }

  /// The most documents in progress at the same time.
  private let atOnce: Int
  /// Documents that are being worked on.
  private var running = 0
  /// Whether the next document is being looked for.
  private var isAsking = false
  /// Whether there is no document any more.
  private var isAtEnd = false
  /// Whether a document is being tried once more, alone.
  private var isAlone = false
  /// A document that was found while another was tried once more.
  private var found: Item?
  /// Documents to try once more, in the order in which they failed.
  private var suspects: [(item: Item, outcome: Outcome)] = []

  /// A schedule with nothing begun.
  ///
  /// - Parameter atOnce: The most documents in progress at the same time.
  init(atOnce: Int) { self.atOnce = max(1, atOnce) }

  /// The actions to begin now; they count as begun.
  mutating func actions(isCancelled: Bool) -> [Action] {
    guard !isCancelled, !isAlone else { return [] }
    if running == 0, !suspects.isEmpty {
      running = 1
      isAlone = true
      let suspect = suspects.removeFirst()
      return [.retry(suspect.item, suspect.outcome)]
    }
    var actions: [Action] = []
    if let item = found.take() {
      running += 1
      actions.append(.make(item))
    }
    if !isAsking, !isAtEnd, running < atOnce {
      isAsking = true
      actions.append(.ask)
    }
    return actions
  }

  /// Handles the result of an action.
  ///
  /// - Returns: The outcome of a document, if it is final.
  /// - Throws: Why the next document could not be found.
  mutating func take<Failure: Error>(
    _ result: LibraryStep<Item, Outcome, Failure>.Result
  ) throws(Failure) -> Outcome? {
    switch result {
    case .found(let result):
      isAsking = false
      found = try result.get()
      isAtEnd = found == nil
      return nil
    case .done(let item, let outcome):
      running -= 1
      if isAlone {
        isAlone = false
        return outcome
      }
      guard outcome.hasCrash, !outcome.isInterrupted, !outcome.endsRun else { return outcome }
      suspects.append((item, outcome))
      return nil
    }
  }

  /// Removes and returns the documents that will not be tried once more, because the run was
  /// cancelled.
  mutating func removeSuspects() -> [Outcome] {
    defer { suspects = [] }
    return suspects.map { suspect in
      var outcome = suspect.outcome
      outcome.isInterrupted = true
      return outcome
    }
  }
}

/// The result of a task of a run. A class because optimized code of Swift 6.3.1 misreads the end of the group as one
/// more element if elements are large values.
final class LibraryStep<Item: Sendable, Outcome: Sendable, Failure: Error>: Sendable {
  /// The purpose of a task.
  enum Result: Sendable {
    /// The next document was looked for.
    case found(Swift.Result<Item?, Failure>)
    /// A document is done.
    case done(Item, Outcome)
  }

  /// The result.
  let result: Result

  /// A result.
  init(_ result: Result) { self.result = result }

  /// The result of looking for the next document.
  convenience init(
    asking next: @Sendable () async throws(Failure) -> Item?
  ) async {
    do throws(Failure) {
      self.init(.found(.success(try await next())))
    } catch {
      self.init(.found(.failure(error)))
    }
  }
}

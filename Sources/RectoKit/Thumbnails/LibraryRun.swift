internal import DocumentModel
internal import RenderWorkers
internal import Synchronization

/// Work on many documents at the same time, by worker processes that they share.
///
/// A document that fails does not affect the others. One that killed its worker process is tried once more while no
/// other document is being worked on.
package struct LibraryRun: Sendable {
  /// How documents are opened. ``DocumentSettings/workers`` is the number of worker processes for all documents
  /// together.
  package var settings: DocumentSettings
  /// Whether the time for each document is limited: then none waits for a process of another one.
  package var hasDocumentLimit = false
  /// Whether documents are on servers: then more of them are in progress, because they wait for answers.
  package var isDistant = false
  /// The most seconds in which documents in progress are finished after the task is cancelled.
  package var patience: Double = 0

  /// A run that has not started.
  ///
  /// - Parameter settings: How documents are opened.
  package init(settings: DocumentSettings) { self.settings = settings }

  /// Works on documents that are found during the run.
  ///
  /// When the task is cancelled, no further document is begun, and `work` is told to stop.
  ///
  /// - Parameters:
  ///   - count: The number of documents; nil if it is not known. Then each has one worker process.
  ///   - isolation: The actor that `body` runs on.
  ///   - next: Returns the next document; nil at the end. Called once at a time. It must return soon after the task is
  ///     cancelled. An error ends the run.
  ///   - work: Works on a document, with the settings for one; the second time it also receives the first outcome. When
  ///     the flag is set it begins nothing more. Its task is cancelled when the patience is over.
  ///   - body: Receives each outcome as soon as it is there, in any order. The next document waits until it returns. An
  ///     error ends the run and cancels the work in progress.
  /// - Throws: What `next` and `body` throw.
  package func run<Item: Sendable, Outcome: DocumentOutcome, Failure: Error>(
    expecting count: Int? = nil,
    isolation: isolated (any Actor)? = #isolation,
    next: @escaping @Sendable () async throws(Failure) -> Item?,
    work: @escaping @Sendable (Item, Outcome?, DocumentSettings, StopFlag) async -> Outcome,
    each body: (Outcome) throws(Failure) -> Void
  ) async throws(Failure) {
    var single = settings
    let documentsAtOnce = share(among: count, &single)
    // Located once instead of for each document. If it is missing, each document reports that.
    single.workerProgram = settings.workerProgram ?? (try? WorkerProgram.locate())
    if count != 1, settings.template == nil {
      single.template = single.workerProgram.map { WorkerTemplate($0, sandbox: settings.sandbox) }
    }
    single.template?.start()
    var schedule = LibrarySchedule<Item, Outcome>(atOnce: documentsAtOnce)
    var failure: Failure?
    await withTaskGroup(of: LibraryStep<Item, Outcome, Failure>.self) { group in
      // A closure runs on the actor of a parameter only if it captures the parameter.
      _ = isolation
      func begin(_ item: Item, after first: Outcome?) {
        group.addTask { [self, single] in
          LibraryStep(
            .done(item, await finishing { await work(item, first, single, $0) })
          )
        }
      }
      func advance() {
        guard failure == nil else { return }
        for action in schedule.actions(isCancelled: Task.isCancelled) {
          switch action {
          case .ask: group.addTask { await LibraryStep(asking: next) }
          case .make(let item): begin(item, after: nil)
          case .retry(let item, let first): begin(item, after: first)
          }
        }
      }
      advance()
      for await step in group where failure == nil {
        do throws(Failure) {
          if let outcome = try schedule.take(step.result) { try body(outcome) }
          advance()
        } catch {
          failure = error
          group.cancelAll()
        }
      }
    }
    if let failure { throw failure }
    for rest in schedule.removeSuspects() { try body(rest) }
  }

  /// Works on a document. When the task is cancelled, what is being done is finished, within the patience of the run.
  private func finishing<Outcome: DocumentOutcome>(
    _ work: @escaping @Sendable (StopFlag) async -> Outcome
  ) async -> Outcome {
    let stop = StopFlag()
    let seconds = patience
    // A separate task is not cancelled together with this one.
    let task = Task { await work(stop) }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      stop.set()
      guard seconds > 0 else { return task.cancel() }
      Task {
        // It cannot be cancelled.
        try? await Task.sleep(for: .seconds(seconds))
        task.cancel()
      }
    }
  }

  /// Documents on servers in progress at the same time.
  private static let mostDistant = 24

  /// Divides the worker processes among documents.
  ///
  /// A document needs a process for only part of the time: first it is opened, later its files are written. So more
  /// documents are in progress than there are processes, and wait for one. With a time limit per document, the waiting
  /// would count. Half as many additional processes are allowed, because while one starts or ends, its core is idle,
  /// for a third of the time of a small document.
  ///
  /// - Parameters:
  ///   - count: The number of documents; nil if it is not known.
  /// - Returns: The number of documents to process at the same time.
  private func share(among count: Int?, _ settings: inout DocumentSettings) -> Int {
    let processes = max(1, self.settings.workers)
    guard count != 1, !hasDocumentLimit, settings.budget == nil else {
      settings.workers = max(1, processes / max(1, count ?? processes))
      return processes
    }
    let atOnce = processes + (processes + 1) / 2
    settings.budget = WorkerBudget(
      .init(processes: atOnce, background: atOnce, memory: .max, endsIdle: false)
    )
    return isDistant ? max(atOnce * 2, Self.mostDistant) : atOnce * 2
  }
}

/// A flag that tells tasks to stop; they check it from time to time.
package final class StopFlag: Sendable {
  private let flag = Atomic(false)

  /// A flag that is not set.
  package init() {}

  /// Whether it is to end.
  package var isSet: Bool { flag.load(ordering: .relaxed) }

  /// Sets the flag.
  package func set() { flag.store(true, ordering: .relaxed) }
}

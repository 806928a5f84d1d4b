internal import DocumentModel
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// Worker processes that work on one document after another.
///
/// A worker belongs to one document unless pools share such an object (`WorkerPool.Settings.reuse`). With it, a pool
/// that is closed passes its workers on, which saves the start of a process for each small document. A worker is not
/// passed on after any failure, nor after ``documents`` documents. What fails in a worker that had another document
/// before is done again in one that had none, and that result counts. Documents with a password have workers of their
/// own.
///
/// A document that takes over its worker can falsify the results of later documents of this worker, and read them: only
/// for documents that are trusted as much as each other. The workers end with the last reference to the object.
public final class WorkerReuse: Sendable {
  /// The most documents of a worker.
  public let documents: Int
  private let resting = Mutex<[RestingWorker]>([])

  /// No workers yet.
  ///
  /// - Parameter documents: The most documents of a worker; at least one.
  public init(documents: Int = 200) { self.documents = max(1, documents) }

  deinit {
    for worker in resting.withLock(\.self) { worker.end() }
  }

  /// Keeps a worker for another document, or ends it.
  ///
  /// - Parameters:
  ///   - process: The worker, which gets no other request.
  ///   - settings: The settings of its pool.
  func take(_ process: WorkerProcess, _ settings: WorkerPool.Settings) {
    guard process.drawn < settings.limits.pages, process.ownMemory < settings.limits.growth,
      var worker = process.rest()
    else { return }
    guard worker.documents < documents else { return worker.end() }
    worker.executable = settings.executable
    worker.sandbox = settings.sandbox
    resting.withLock { $0.append(worker) }
  }

  /// A worker that can be used for another document; nil if there is none.
  ///
  /// - Parameter settings: The settings of the pool.
  func next(_ settings: WorkerPool.Settings) -> RestingWorker? {
    resting.withLock { workers in
      let index = workers.lastIndex {
        $0.executable == settings.executable && $0.sandbox == settings.sandbox
      }
      return index.map { workers.remove(at: $0) }
    }
  }
}

extension WorkerReuse: Hashable {
  /// Whether two are the same object.
  public static func == (one: WorkerReuse, other: WorkerReuse) -> Bool { one === other }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A worker between two documents.
struct RestingWorker: Sendable {
  var worker: Spawn.Worker
  /// The libraries that draw, as it reported before it read its first document.
  var engine: String
  /// Pages drawn since the start.
  var drawn: Int
  /// Documents that it has been used for.
  var documents: Int
  var executable: FilePath = ""
  var sandbox = SandboxPolicy.auto

  /// Ends the process.
  func end() {
    WorkerProcesses.end(worker.pid)
    close(worker.requests)
    close(worker.replies)
  }
}

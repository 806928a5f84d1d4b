internal import CLinux
public import DocumentModel
internal import Glibc
internal import Synchronization
package import SystemPackage

/// All workers of this process, of all pools, and their children.
///
/// A worker is killed together with its process group. A fake or compromised worker can start
/// processes that leave the group. They are found if this process adopts orphans
/// (``adoptOrphans()``): whenever a worker has ended, each child that is not a worker must be such
/// a process, and is killed with its children. This affects the whole process, so a library does
/// not decide it.
///
/// A process keeps its ID until it has been waited for. All starts, kills and waits happen under one lock, so an ID is
/// never used when it may belong to another process.
public enum WorkerProcesses {
  private struct State {
    /// Workers, and helpers, that have not been waited for.
    var workers: Set<pid_t> = []
    /// Those of them that are no workers.
    var helpers: Set<pid_t> = []
    var isAdopting = false
    var hasEnded = false
  }

  private static let state = Mutex(State())

  /// Makes this process adopt orphans. From then on, whenever a worker has ended, all children that
  /// are not workers are killed.
  ///
  /// For programs that start no other processes. Neither this process nor its children can gain
  /// privileges any more, so a kill is never refused. Calls `prctl` with `PR_SET_CHILD_SUBREAPER`
  /// and `PR_SET_NO_NEW_PRIVS`.
  ///
  /// - Throws: `fault` when the system refuses.
  public static func adoptOrphans() throws(DocumentError) {
    guard recto_drop_privileges() == 0, recto_adopt_orphans() == 0 else {
      throw DocumentError(.fault, during: "adopt orphans", String(cString: strerror(errno)))
    }
    state.withLock { $0.isAdopting = true }
  }

  /// Makes the memory of this process unreadable for other processes of the user, including workers, and disables core
  /// dumps. Calls `prctl` with `PR_SET_DUMPABLE`. Does nothing with `RECTO_WORKER_VISIBLE` in the environment, for
  /// debugging.
  ///
  /// - Throws: `fault` when the system refuses.
  public static func hideMemory() throws(DocumentError) {
    guard getenv("RECTO_WORKER_VISIBLE") == nil else { return }
    guard recto_hide_memory() == 0 else {
      throw DocumentError(.fault, during: "hide memory", String(cString: strerror(errno)))
    }
  }

  /// Kills all workers except helpers without waiting: their memory is freed while this process does other work.
  ///
  /// For a program that needs them no longer. They still count as workers until ``endAll()``; others can be started.
  public static func killAll() {
    state.withLock { state in
      for worker in state.workers.subtracting(state.helpers) { signalKill(worker) }
    }
  }

  /// Kills all workers and their children, and waits for them; no more can be started. Call it
  /// right before the process exits.
  public static func endAll() {
    state.withLock { state in
      state.hasEnded = true
      for worker in state.workers { signalKill(worker) }
      for worker in state.workers { _ = reap(worker) }
      state.workers = []
      state.helpers = []
      if state.isAdopting { killOrphans(sparing: []) }
    }
  }

  /// Starts a worker.
  ///
  /// - Throws: `DocumentError` with `cancelled` when this process is about to exit, and what
  ///   `spawn` throws.
  static func start(
    _ spawn: () throws(DocumentError) -> Spawn.Worker
  ) throws(DocumentError) -> Spawn.Worker {
    try start(spawn, pid: \.pid)
  }

  /// Starts a process that counts as a worker.
  ///
  /// - Parameters:
  ///   - pid: The path of the process ID in the result of `spawn`.
  ///   - isHelper: Whether it is not a worker, and survives ``killAll()``.
  /// - Returns: What `spawn` returns.
  /// - Throws: `DocumentError` with `cancelled` when this process is about to exit, and what
  ///   `spawn` throws.
  static func start<Started: Sendable>(
    _ spawn: () throws(DocumentError) -> Started,
    pid: (Started) -> pid_t,
    isHelper: Bool = false
  ) throws(DocumentError) -> Started {
    try state.withLock { (state) throws(DocumentError) in
      guard !state.hasEnded else {
        throw DocumentError(.cancelled, during: "start a worker", "this process is about to end")
      }
      let started = try spawn()
      state.workers.insert(pid(started))
      if isHelper { state.helpers.insert(pid(started)) }
      return started
    }
  }

  /// Starts a program that is not a worker but ends like one, with a socket as standard input and output. End it with
  /// ``end(_:)``. It gets the environment of this process.
  ///
  /// - Returns: The process, and the other end of the socket, which the caller closes.
  /// - Throws: `DocumentError` with `cancelled` when this process is about to exit; when the process cannot be started.
  package static func start(
    helper executable: FilePath
  ) throws(DocumentError) -> (pid: Int32, socket: Int32) {
    try start(
      { () throws(DocumentError) in
        try Spawn.helper(executable: executable)
      },
      pid: \.pid,
      isHelper: true
    )
  }

  /// Whether a worker has ended. It keeps its process ID.
  static func hasEnded(_ worker: pid_t) -> Bool {
    var information = siginfo_t()
    let status = waitid(P_PID, id_t(worker), &information, WEXITED | WNOHANG | WNOWAIT)
    // It has no signal if the state did not change; a failure means that it was already waited for.
    return status != 0 || information.si_signo == SIGCHLD
  }

  /// Kills a worker that has not been waited for, and its process group.
  static func kill(_ worker: pid_t) {
    state.withLock { state in
      if state.workers.contains(worker) { signalKill(worker) }
    }
  }

  /// Kills a worker and its children, waits for it, and returns its status.
  @discardableResult
  package static func end(_ worker: Int32) -> Int32 {
    kill(worker)
    // Not under the lock, because freeing a gigabyte takes a while. The process keeps its ID. Fails
    // only if `endAll` has already waited for the worker.
    var information = siginfo_t()
    while waitid(P_PID, id_t(worker), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    return state.withLock { state in
      guard state.workers.contains(worker) else { return SIGKILL }
      let status = reap(worker)
      state.workers.remove(worker)
      state.helpers.remove(worker)
      // Its children became children of this process when it ended.
      if state.isAdopting { killOrphans(sparing: state.workers) }
      return status
    }
  }

  private static func signalKill(_ worker: pid_t) {
    // First the process, because it may have changed its group, then the group, which may no longer
    // exist. The calls cannot fail otherwise: both belong to this user and cannot have gained
    // privileges.
    _ = Glibc.kill(worker, SIGKILL)
    _ = Glibc.kill(-worker, SIGKILL)
  }

  private static func reap(_ process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      if errno != EINTR { return SIGKILL }
    }
    return status
  }

  /// Kills children that are not workers, then their children, which are adopted in turn, until
  /// there are none; for at most a second, because they may multiply meanwhile.
  private static func killOrphans(sparing workers: Set<pid_t>) {
    let deadline = Deadline(after: 1)
    while !deadline.hasPassed {
      let orphans = ProcessChildren.withOrphans().subtracting(workers)
      if orphans.isEmpty { return }
      for orphan in orphans { signalKill(orphan) }
      for orphan in orphans { _ = reap(orphan) }
    }
  }
}

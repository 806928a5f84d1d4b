internal import CLinux
public import DocumentModel
internal import Glibc
internal import Synchronization
package import SystemPackage

/// All workers of this process, whichever pool they belong to, and what they leave behind.
///
/// A worker is killed together with its process group. A false one, or one that a file has taken
/// over, can start processes that leave the group. They are found if this process has agreed to
/// become the parent of those whose own parent ends (``adoptOrphans()``): then, whenever a worker
/// has ended, each child that is no worker is such a process and is killed, and so are its children
/// in turn. That is a matter of the whole process, so a library does not decide it.
///
/// The number of a process is that process's own until it has been waited for. All starts, kills and
/// waits happen under one lock, so no number is ever used that may belong to another process.
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

  /// Has processes whose parent ends become children of this process, and from then on kills all
  /// children that are no workers each time a worker has ended.
  ///
  /// For programs that start no processes of their own. Neither this process nor what it starts can
  /// gain privileges any more, so none of them can come to where a kill is refused. Calls `prctl`
  /// with `PR_SET_CHILD_SUBREAPER` and `PR_SET_NO_NEW_PRIVS`.
  ///
  /// - Throws: `fault` when the system refuses.
  public static func adoptOrphans() throws(DocumentError) {
    guard recto_drop_privileges() == 0, recto_adopt_orphans() == 0 else {
      throw DocumentError(.fault, during: "adopt orphans", String(cString: strerror(errno)))
    }
    state.withLock { $0.isAdopting = true }
  }

  /// Makes the memory of this process unreadable for other processes of the user, workers among them, and has it leave
  /// no core dump. Calls `prctl` with `PR_SET_DUMPABLE`. Does nothing with `RECTO_WORKER_VISIBLE` in the
  /// environment, for debugging.
  ///
  /// - Throws: `fault` when the system refuses.
  public static func hideMemory() throws(DocumentError) {
    guard getenv("RECTO_WORKER_VISIBLE") == nil else { return }
    guard recto_hide_memory() == 0 else {
      throw DocumentError(.fault, during: "hide memory", String(cString: strerror(errno)))
    }
  }

  /// Kills all workers, helpers not among them, and does not wait: their memory goes while this process does other work.
  ///
  /// For a program that has all it wanted of them. They still count as workers until ``endAll()``; others can be
  /// started.
  public static func killAll() {
    state.withLock { state in
      for worker in state.workers.subtracting(state.helpers) { signalKill(worker) }
    }
  }

  /// Kills all workers and what they started, and waits for them; none can be started any more.
  /// Right before the process ends.
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
  /// - Throws: `DocumentError` with `cancelled` when this process is about to end, and what `spawn`
  ///   throws.
  static func start(
    _ spawn: () throws(DocumentError) -> Spawn.Worker
  ) throws(DocumentError) -> Spawn.Worker {
    try start(spawn, pid: \.pid)
  }

  /// Starts a process that counts as a worker.
  ///
  /// - Parameters:
  ///   - pid: Its number in what `spawn` returns.
  ///   - isHelper: Whether it is no worker, and outlives ``killAll()``.
  /// - Returns: What `spawn` returns.
  /// - Throws: `DocumentError` with `cancelled` when this process is about to end, and what `spawn`
  ///   throws.
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

  /// Starts a program that is no worker but ends as workers do, with a socket as standard input and output.
  /// It is ended with ``end(_:)``.
  ///
  /// - Parameters:
  ///   - inheritsEnvironment: Whether it gets all variables of this process, or those of a worker.
  /// - Returns: The process, and the other end of the socket, which the caller closes.
  /// - Throws: `DocumentError` with `cancelled` when this process is about to end; when the process cannot
  ///   be started.
  package static func start(
    helper executable: FilePath,
    inheritsEnvironment: Bool = false
  ) throws(DocumentError) -> (pid: Int32, socket: Int32) {
    try start(
      { () throws(DocumentError) in
        try Spawn.helper(executable: executable, inheritsEnvironment: inheritsEnvironment)
      },
      pid: \.pid,
      isHelper: true
    )
  }

  /// Whether a worker has ended. It keeps its number.
  static func hasEnded(_ worker: pid_t) -> Bool {
    var information = siginfo_t()
    let status = waitid(P_PID, id_t(worker), &information, WEXITED | WNOHANG | WNOWAIT)
    // Without a change of state there is no signal in it; a failure means that it was waited for.
    return status != 0 || information.si_signo == SIGCHLD
  }

  /// Kills a worker that has not been waited for, and its process group.
  static func kill(_ worker: pid_t) {
    state.withLock { state in
      if state.workers.contains(worker) { signalKill(worker) }
    }
  }

  /// Kills a worker and all that it started, and waits for it: returns its status.
  @discardableResult
  package static func end(_ worker: Int32) -> Int32 {
    kill(worker)
    // Not under the lock, because memory of a gigabyte takes a while to go: this leaves its number
    // to it. It fails only when the worker has been waited for, by `endAll`.
    var information = siginfo_t()
    while waitid(P_PID, id_t(worker), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    return state.withLock { state in
      guard state.workers.contains(worker) else { return SIGKILL }
      let status = reap(worker)
      state.workers.remove(worker)
      state.helpers.remove(worker)
      // Those that it started became our children when it ended.
      if state.isAdopting { killOrphans(sparing: state.workers) }
      return status
    }
  }

  private static func signalKill(_ worker: pid_t) {
    // The process itself, because it may have changed its group, then the group, which may be gone.
    // Neither call can fail in another way: both are ours, and neither can have gained privileges.
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

  /// Kills children that are no workers, then theirs, which become our children in turn, until
  /// there are none; for a second at the most, since they may multiply meanwhile.
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

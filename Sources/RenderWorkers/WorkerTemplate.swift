internal import CLinux
public import DocumentModel
internal import Glibc
internal import Synchronization
public import SystemPackage

/// Starts workers by forking a process that is ready to draw.
///
/// Starting a worker takes longer than drawing most pages: it loads libraries, the font configuration and poppler's
/// tables. The template has done that, and never opens a document. A copy is a child of this process like any other
/// worker, belongs to one document, and is killed in the same way.
///
/// Useful if several workers are started. If the template does not start, ends, or does not answer, workers are started
/// without it for half a minute. It ends with its last reference, and with this process.
public final class WorkerTemplate: Sendable {
  /// The path of the worker program.
  public let executable: FilePath
  /// Whether its workers may work without a sandbox.
  public let sandbox: SandboxPolicy
  private let state = Mutex(State.unstarted)

  private enum State {
    case unstarted
    case running(Running)
    /// Cannot be used until a deadline; the process, if there is one, must be waited for.
    case ended(pid_t?, until: Deadline)

    /// Given up for a while.
    static func ended(_ process: pid_t?) -> State {
      .ended(process, until: Deadline(after: pause))
    }
  }

  private struct Running: Sendable {
    var pid: pid_t
    /// The end of the socket to send requests to.
    var control: Int32
    /// Whether it has said that it is ready.
    var isReady = false
    /// How long workers wait for it.
    var patience: Deadline
  }

  /// Seconds that workers wait for the template to be ready, from its start.
  private static let startPatience = 0.5
  /// Seconds to wait for an answer. Meanwhile no other document gets a worker, and no worker can be
  /// killed.
  private static let answerPatience = 2.0

  /// Seconds for a copy to report its process ID, or to end, after its template was killed.
  /// Otherwise it would never be waited for.
  private static let copyPatience = 10.0
  /// Seconds after which a failed template is started again: the machine may have been short of memory for a moment,
  /// and a run may take a night.
  private static let pause = 30.0

  /// A template for a worker program. Does not start a process yet.
  ///
  /// - Parameters:
  ///   - executable: The path of the worker program.
  ///   - sandbox: Whether its workers may work without a sandbox.
  public init(_ executable: FilePath, sandbox: SandboxPolicy = .auto) {
    self.executable = executable
    self.sandbox = sandbox
  }

  deinit {
    let pid: pid_t? = state.withLock { state in
      switch state {
      case .unstarted: return nil
      case .running(let process):
        close(process.control)
        return process.pid
      case .ended(let pid, _): return pid
      }
    }
    if let pid { _ = WorkerProcesses.end(pid) }
  }

  /// The process; nil if there is none, or it is no longer used.
  package var process: Int32? {
    state.withLock { state in
      if case .running(let process) = state { process.pid } else { nil }
    }
  }

  /// Whether the process can start workers.
  package var isReady: Bool { state.withLock { Self.ready(&$0) != nil } }

  /// Starts the process if there is none and it was not tried recently; does not wait until it is ready.
  public func start() {
    let former: pid_t? = state.withLock { state in
      var former: pid_t?
      switch state {
      case .running: return nil
      case .ended(let pid, let pause):
        guard pause.hasPassed else { return nil }
        former = pid
      case .unstarted: break
      }
      do throws(DocumentError) {
        let (pid, control) = try WorkerProcesses.start(
          { () throws(DocumentError) in
            try Spawn.template(executable: executable, sandbox: sandbox)
          },
          pid: \.pid
        )
        state = .running(
          Running(pid: pid, control: control, patience: Deadline(after: Self.startPatience))
        )
      } catch {
        state = .ended(nil)
      }
      return former
    }
    if let former { _ = WorkerProcesses.end(former) }
  }

  /// Starts a worker that finds `document` open as its descriptor 3.
  ///
  /// - Returns: The worker; nil if it must be started without the template.
  /// - Throws: `DocumentError` with `cancelled` when this process is about to end; `fault` when the
  ///   pipes cannot be made.
  func worker(document: Int32) throws(DocumentError) -> Spawn.Worker? {
    start()
    waitUntilReady()
    return try state.withLock { (state) throws(DocumentError) -> Spawn.Worker? in
      guard var process = Self.ready(&state) else { return nil }
      do throws(DocumentError) {
        return try WorkerProcesses.start { () throws(DocumentError) in
          try Spawn.worker(document: document) { descriptors throws(DocumentError) in
            let answer = Self.ask(&process, descriptors)
            if !process.isReady { state = .ended(process.pid) }
            guard let answer, answer > 0 else {
              throw DocumentError(.fault, during: "start a worker", "the template gave up")
            }
            return answer
          }
        }
      } catch {
        if error.code == .fault { return nil }
        throw error
      }
    }
  }

  /// Waits until the template is ready, has ended, or takes too long.
  private func waitUntilReady() {
    let waiting: Running? = state.withLock { state in
      guard case .running(let process) = state, !process.isReady else { return nil }
      return process
    }
    guard let waiting else { return }
    _ = Self.wait(for: waiting.control, until: waiting.patience)
  }

  /// The template if it is ready.
  private static func ready(_ state: inout State) -> Running? {
    guard case .running(var process) = state else { return nil }
    if !process.isReady {
      switch receive(process.control) {
      case .nothing: return nil
      case .number(0): process.isReady = true
      case .number, .end:
        close(process.control)
        state = .ended(process.pid)
        return nil
      }
      state = .running(process)
    }
    return process
  }

  /// Asks the template to fork.
  ///
  /// A template that does not answer in time is killed. It may already have forked; the copy then answers itself. The
  /// socket is closed when both have ended.
  ///
  /// - Parameters:
  ///   - process: The template, which is marked as ended if it fails.
  /// - Returns: The process ID of the worker, or a negated error number; nil if there is no answer.
  private static func ask(_ process: inout Running, _ descriptors: [Int32]) -> Int32? {
    var answer: Answer = .end
    let count = Int32(descriptors.count)
    if recto_send_descriptors(process.control, [0] as [UInt8], 1, descriptors, count) == 1 {
      if wait(for: process.control, until: Deadline(after: answerPatience)) {
        answer = receive(process.control)
        if case .number(let number) = answer { return number }
      }
      _ = kill(process.pid, SIGKILL)
      if wait(for: process.control, until: Deadline(after: copyPatience)) {
        answer = receive(process.control)
      }
    }
    process.isReady = false
    close(process.control)
    if case .number(let number) = answer { return number }
    return nil
  }

  private enum Answer {
    case number(Int32)
    case nothing
    case end
  }

  /// The answer of the template, without waiting.
  private static func receive(_ control: Int32) -> Answer {
    var number: Int32 = 0
    while true {
      let count = recv(control, &number, 4, Int32(MSG_DONTWAIT))
      if count == 4 { return .number(number) }
      if count < 0, errno == EINTR { continue }
      return count < 0 && errno == EAGAIN ? .nothing : .end
    }
  }

  /// Waits until something can be received, or the other end is closed.
  private static func wait(for control: Int32, until deadline: Deadline) -> Bool {
    var end = pollfd(fd: control, events: Int16(POLLIN), revents: 0)
    while true {
      let rest = deadline.left
      let ready = poll(&end, 1, Int32(max(0, rest * 1000).rounded(.up)))
      if ready > 0 { return true }
      if ready == 0 || errno != EINTR { return false }
    }
  }
}

extension WorkerTemplate: Hashable {
  /// Whether two are the same template.
  public static func == (one: WorkerTemplate, other: WorkerTemplate) -> Bool { one === other }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

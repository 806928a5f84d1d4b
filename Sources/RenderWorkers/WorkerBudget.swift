internal import DocumentModel
internal import RectoBase
internal import Synchronization

/// Limits the worker processes of all pools that share it, and the memory of idle ones.
///
/// A pool keeps its processes after a request, because they have the document open. Many documents would keep many
/// processes. With a budget, the least recently used process is ended as soon as another pool needs one. A process
/// belongs to one document, and is used for others only with ``WorkerReuse``.
///
/// A request waits while the allowed number of processes is busy. Tiles have priority over thumbnails and pages as
/// files, and these over opening and measuring, which get at most ``Limits/background`` processes at a time, so that slow documents do not keep others from being
/// drawn.
public final class WorkerBudget: Sendable {
  /// The limits for all pools of a budget together.
  public struct Limits: Hashable, Sendable {
    /// Worker processes, busy or not; at least one.
    public var processes: Int
    /// Processes that may open or measure a document at the same time; at least one.
    public var background: Int
    /// Bytes of private memory of all processes, above which idle ones are ended. Measured after
    /// each request.
    public var memory: Int
    /// Whether an idle process is ended when another pool needs one; otherwise that pool waits until this one is
    /// closed.
    public var endsIdle: Bool

    /// Limits from their parts.
    ///
    /// - Parameters:
    ///   - processes: Worker processes, busy or not; at least one.
    ///   - background: Processes that open or measure at the same time; at least one. By default half
    ///     of them, rounded up.
    ///   - memory: Bytes above which idle processes are ended.
    ///   - endsIdle: Whether an idle process is ended when another pool needs one.
    public init(
      processes: Int,
      background: Int? = nil,
      memory: Int = 1_500_000_000,
      endsIdle: Bool = true
    ) {
      self.processes = max(1, processes)
      self.background = max(1, background ?? (self.processes + 1) / 2)
      self.memory = memory
      self.endsIdle = endsIdle
    }
  }

  /// A snapshot of the processes of a budget.
  public struct Statistics: Hashable, Sendable {
    /// Processes that run or are about to start.
    public var processes: Int
    /// Those that have a request.
    public var busy: Int
    /// Bytes of private memory, measured after the last request of each process.
    public var bytes: Int
  }

  /// The limits.
  public let limits: Limits
  private let state: Mutex<BudgetState>

  /// An unused budget.
  public init(_ limits: Limits) {
    self.limits = limits
    state = Mutex(BudgetState(limits))
  }

  /// The processes at this moment.
  public var statistics: Statistics { state.withLock(\.statistics) }

  /// How many requests wait for a process.
  package var waitingCount: Int { state.withLock(\.waitingCount) }

  /// Waits until a process may take a request.
  ///
  /// - Parameters:
  ///   - held: The number of the existing process's permit; nil if one must be started. Not the
  ///     permit itself, which is returned with its last reference: this call may wait for that.
  /// - Returns: A permit to start a process; nil if the existing one may take the request.
  /// - Throws: `cancelled`.
  func enter(
    _ held: Int?,
    for purpose: WorkerPurpose,
    _ cancellation: Cancellation
  ) async throws(DocumentError) -> WorkerPermit? {
    let ticket = state.withLock { $0.nextTicket() }
    let granted: BudgetState.Grant? = await withCheckedContinuation { continuation in
      let request = BudgetState.Waiting(ticket: ticket, held: held, purpose: purpose) {
        continuation.resume(returning: $0)
      }
      change { state, _ in state.enter(request) }
      // Called at once if it was already cancelled.
      cancellation.whenCancelled {
        let request = self.state.withLock { $0.leave(ticket) }
        request?.answer(nil)
      }
    }
    cancellation.whenCancelled(nil)
    switch granted {
    case nil: throw .cancelled
    case .same: return nil
    case .new(let number): return WorkerPermit(number, self)
    }
  }

  /// A permit for another process if there is room without ending one.
  func enterAtOnce(for purpose: WorkerPurpose = .background) -> WorkerPermit? {
    state.withLock { $0.enterAtOnce(for: purpose) }.map { WorkerPermit($0, self) }
  }

  /// A request is done, and its process keeps its permit.
  ///
  /// - Parameters:
  ///   - end: Ends the process, unless it has a request again.
  func rest(_ permit: WorkerPermit, bytes: Int, end: @escaping @Sendable () -> Void) {
    change { state, _ in state.rest(permit.number, bytes: bytes, end: end) }
  }

  /// A permit was returned, and its process has ended.
  fileprivate func giveBack(_ number: Int) { change { $0.giveBack(number, &$1) } }

  /// Changes the state, and performs the effects.
  private func change(_ change: (inout BudgetState, inout Effects) -> Void) {
    state.withEffects { state, effects in
      change(&state, &effects)
      state.settle(&effects)
    }
  }
}

extension WorkerBudget: Hashable {
  /// Whether two are the same budget.
  public static func == (one: WorkerBudget, other: WorkerBudget) -> Bool { one === other }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The purpose of a request, the most urgent first.
enum WorkerPurpose: CaseIterable {
  /// Tiles or text of a viewport.
  case viewing
  /// Thumbnails, and pages as files.
  case pictures
  /// Opening or measuring.
  case background

  /// The purpose of a drawing.
  init(_ purpose: PageDrawing.Purpose) { self = purpose == .tiles ? .viewing : .pictures }
}

/// The permit for one process. It is returned with its last reference, which must be released after the process has
/// ended.
final class WorkerPermit: Sendable {
  let number: Int
  private let budget: WorkerBudget

  fileprivate init(_ number: Int, _ budget: WorkerBudget) {
    self.number = number
    self.budget = budget
  }

  deinit { budget.giveBack(number) }
}

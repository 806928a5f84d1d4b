internal import CLinux
internal import DocumentModel
internal import Glibc
internal import RectoBase
internal import SystemPackage

/// A running worker, used by the thread that talks to it.
///
/// poppler cannot be interrupted, can hang, crash or use up memory in any call, and a hostile file
/// can make it send anything. So each request has a deadline and a limit for the reply, memory is
/// watched from outside, and the only remedy is SIGKILL. All calls block, but not beyond the
/// deadline.
final class WorkerProcess {
  private let worker: Spawn.Worker
  /// The number of documents that it has been used for, with this one.
  private let documents: Int
  /// The descriptor of the document, if it must be sent with the first request.
  private var unsentDocument: Int32?
  /// Whether a request has failed.
  private var hasFailed = false
  /// Whether it may be used for another document.
  private var isResting = false
  /// Given back after the process has ended.
  let permit: WorkerPermit
  private var reader = FrameReader()
  private var isAlive = true
  /// Cancels the request that is being answered.
  private var cancellation: Cancellation?
  /// The part of the requests that the pipe has not accepted yet.
  private var unsent: ArraySlice<UInt8> = []
  /// The answer to the request that was sent ahead; nil if there is none.
  private var expectedNext: ExpectedAnswer?
  /// When memory was last checked after a reply, in seconds.
  private var lastLook = 0.0
  /// The peak memory until then, in bytes.
  private var lastPeak = 0
  /// The libraries that draw, as the process reported before it read its document. Later reports are not trusted,
  /// because a hostile document could forge them.
  private(set) var engine: String?
  /// Pages drawn since the start.
  private(set) var drawn = 0
  /// Bytes of memory that are not file-backed, at the last check after an answer.
  private(set) var ownMemory = 0

  /// How often memory is checked while waiting for a reply, in seconds.
  private static let watchInterval = 0.02
  /// How often it is checked after replies, in seconds, while the worker is busy with the next request.
  private static let shortestInterval = 0.005
  /// More bytes than can be written in that time.
  private static let shortestGrowth = 200_000_000

  /// Starts a worker that finds `document` open as its descriptor 3.
  ///
  /// - Parameters:
  ///   - template: Starts workers by forking; nil for none.
  ///   - sandbox: Whether it may work without one.
  /// - Throws: `DocumentError` when the process cannot be started.
  init(
    executable: FilePath,
    template: WorkerTemplate?,
    sandbox: SandboxPolicy,
    document: Int32,
    permit: WorkerPermit
  ) throws(DocumentError) {
    self.permit = permit
    documents = 1
    if let template, template.executable == executable, template.sandbox == sandbox,
      let copy = try template.worker(document: document)
    {
      worker = copy
    } else {
      worker = try WorkerProcesses.start { () throws(DocumentError) in
        try Spawn.worker(executable: executable, document: document, sandbox: sandbox)
      }
    }
  }

  /// A worker that belongs to no pool, started without a template.
  ///
  /// - Parameter drawsSheet: Whether it draws a contact sheet, and not pages.
  /// - Throws: `DocumentError` when the process cannot be started.
  init(
    alone executable: FilePath,
    document: Int32,
    drawsSheet: Bool = false
  ) throws(DocumentError) {
    let budget = WorkerBudget(.init(processes: 1, background: 1, memory: .max))
    guard let permit = budget.enterAtOnce() else {
      throw DocumentError(.fault, during: "start a worker", "no permit")
    }
    self.permit = permit
    documents = 1
    worker = try WorkerProcesses.start { () throws(DocumentError) in
      try Spawn.worker(
        executable: executable,
        document: document,
        sandbox: .auto,
        drawsSheet: drawsSheet
      )
    }
  }

  /// Continues with a worker that has worked on other documents. It gets `document` with the first request, which must
  /// open it.
  ///
  /// - Throws: `DocumentError` when the document could be written to; then the worker is ended.
  init(_ resting: RestingWorker, document: Int32, permit: WorkerPermit) throws(DocumentError) {
    worker = resting.worker
    engine = resting.engine
    drawn = resting.drawn
    documents = resting.documents + 1
    self.permit = permit
    unsentDocument = document
    try Spawn.requireReadOnly(document)
  }

  /// Whether it has worked on other documents.
  var isReused: Bool { documents > 1 }

  /// Gives up the process, so that it can be used for another document.
  ///
  /// - Returns: The process; nil if it must end: after a failure, or because it is not at rest.
  func rest() -> RestingWorker? {
    guard isAlive, !hasFailed, let engine, unsent.isEmpty, !hasRequestAhead, reader.isEmpty,
      unsentDocument == nil, !isUnusable
    else { return nil }
    isAlive = false
    isResting = true
    return RestingWorker(worker: worker, engine: engine, drawn: drawn, documents: documents)
  }

  deinit {
    guard !isResting else { return }
    kill()
    close(worker.requests)
    close(worker.replies)
  }

  /// Sends a request and receives its answer.
  ///
  /// - Parameters:
  ///   - deadline: When the answer must be complete. For `measure`, which can have any number of
  ///     pages, the time applies to each part of the answer.
  ///   - memory: Bytes of memory above which the worker is killed.
  ///   - ahead: Returns the next request, which is sent while this one is being answered, so that the worker need not
  ///     wait for it. The next call must be with that request. Called again as long as it returns nil.
  ///   - take: Called with each reply to the request.
  /// - Throws: The worker's own error; `cancelled`, or `timeLimit`, `memoryLimit`, `crash`,
  ///   `changed`, and `fault` for invalid replies, after which the worker is dead (see
  ///   ``isUsable``).
  func send(
    _ request: WorkerRequest,
    by deadline: Deadline,
    memory: Int,
    cancellation: Cancellation,
    ahead: () -> WorkerRequest?,
    _ take: (WorkerReply) -> Void
  ) throws(DocumentError) {
    guard cancellation.attach(worker: worker.pid) else {
      // It may be at the request already.
      if hasRequestAhead { kill() }
      throw .cancelled
    }
    self.cancellation = cancellation
    var failure: DocumentError?
    do throws(DocumentError) {
      try RunningTime.watching { look throws(DocumentError) in
        let start = look()
        let watch = Watch(
          deadline: deadline,
          memory: memory,
          start: start,
          processorSeconds: deadline.reserve > 0
            ? ProcessStatus.processorSeconds(of: worker.pid) : 0,
          nextLook: start + Self.watchInterval
        )
        try answer(request, watch, look, ahead, take)
      }
    } catch {
      failure = error
    }
    cancellation.release()
    self.cancellation = nil
    hasFailed = hasFailed || failure != nil
    if cancellation.isCancelled {
      // Kills it, unless it died at the same moment.
      kill()
      throw .cancelled
    }
    if let failure { throw failure }
  }

  /// Whether it can take another request.
  var isUsable: Bool { isAlive }

  /// Whether the next request has been sent already.
  var hasRequestAhead: Bool { expectedNext != nil }

  /// Whether it has ended or sent something without a request. Then it is unusable.
  var isUnusable: Bool {
    var output = pollfd(fd: worker.replies, events: Int16(POLLIN), revents: 0)
    return poll(&output, 1, 0) > 0 || WorkerProcesses.hasEnded(worker.pid)
  }

  /// Checks the process while it has no request.
  ///
  /// - Returns: Bytes of its memory, and the processor time since its start in seconds.
  func look() -> (bytes: Int, processorSeconds: Double) {
    (status().bytes, ProcessStatus.processorSeconds(of: worker.pid))
  }

  /// The checks while waiting for an answer.
  private struct Watch {
    var deadline: Deadline
    /// Bytes.
    let memory: Int
    /// When the request began, in seconds of ``RunningTime``.
    let start: Double
    /// The processor time of the worker until then, in seconds; 0 without a reserve.
    let processorSeconds: Double
    /// When memory is checked next, in seconds.
    var nextLook: Double
  }

  private func answer(
    _ request: WorkerRequest,
    _ watch: Watch,
    _ now: () -> Double,
    _ ahead: () -> WorkerRequest?,
    _ take: (WorkerReply) -> Void
  ) throws(DocumentError) {
    var watch = watch
    var expected = expectedNext.take() ?? begin(request)
    while !expected.isComplete {
      let time = now()
      try look(&watch, at: time)
      if unsent.isEmpty, expectedNext == nil, let next = ahead() { expectedNext = begin(next) }
      guard let reply = try nextReply(expected) else {
        try exchange(within: min(watch.deadline.end, watch.nextLook) - time)
        continue
      }
      // The next request is sent only after all of this one.
      guard unsent.isEmpty || hasRequestAhead else {
        throw killed(.fault, "the worker answered before it was asked")
      }
      try accept(reply, &expected)
      take(reply)
      if expected.hasTimeForEach { watch.deadline = Deadline(after: watch.deadline.seconds) }
    }
    guard reader.isEmpty || hasRequestAhead else {
      throw killed(.fault, "the worker said more than it was asked")
    }
    // The last page has no next request.
    if hasRequestAhead, monotonicSeconds() - lastLook < Self.shortestInterval,
      lastPeak < watch.memory - Self.shortestGrowth
    {
      return
    }
    // A peak between two checks counts, too: pictures drawn near the limit may be incomplete.
    guard status().peakBytes <= watch.memory else {
      throw killed(.memoryLimit, Self.memoryWords(watch.memory))
    }
  }

  /// Starts to send a request.
  private func begin(_ request: WorkerRequest) -> ExpectedAnswer {
    if request.isDrawing { drawn += 1 }
    unsent += Frame.framed(request.payload)
    return ExpectedAnswer(to: request)
  }

  /// Looks at the worker's memory.
  private func status() -> ProcessStatus {
    let status = ProcessStatus(of: worker.pid)
    ownMemory = status.ownBytes
    lastPeak = status.peakBytes
    lastLook = monotonicSeconds()
    return status
  }

  /// Checks the deadline, and from time to time the worker's memory. Called before every step, however much the worker
  /// sends.
  private func look(_ watch: inout Watch, at now: Double) throws(DocumentError) {
    if now >= watch.deadline.end {
      guard watch.deadline.reserve > 0, hasHadLittleTime(watch, at: now) else {
        throw killed(.timeLimit, "gave up after \(Self.short(watch.deadline.seconds)) s")
      }
      watch.deadline.useReserve()
    }
    guard now >= watch.nextLook else { return }
    watch.nextLook = now + Self.watchInterval
    if ProcessStatus(of: worker.pid).bytes > watch.memory {
      throw killed(.memoryLimit, Self.memoryWords(watch.memory))
    }
  }

  /// Whether the worker was on a processor for less than half of the time of its request.
  private func hasHadLittleTime(_ watch: Watch, at now: Double) -> Bool {
    let used = ProcessStatus.processorSeconds(of: worker.pid) - watch.processorSeconds
    return used < (now - watch.start) / 2
  }

  /// The next reply, if all of it has arrived.
  private func nextReply(_ expected: ExpectedAnswer) throws(DocumentError) -> WorkerReply? {
    do {
      guard let payload = try reader.next(atMost: expected.largestPayload) else { return nil }
      return try WorkerReply(payload: payload)
    } catch {
      throw killed(.fault, "the worker sent a message that cannot be one (\(error))")
    }
  }

  /// Handles a reply: the worker survives its own error, but is killed for an invalid reply.
  private func accept(
    _ reply: WorkerReply,
    _ expected: inout ExpectedAnswer
  ) throws(DocumentError) {
    do throws(DocumentError) {
      try expected.take(reply)
      if engine == nil, case .engine(let name) = reply { engine = name }
    } catch {
      guard case .failed = reply, expected.isComplete, reader.isEmpty || hasRequestAhead else {
        throw killed(error.code, error.detail)
      }
      _ = status()
      throw error
    }
  }

  /// Waits until something can be sent or received, at most some seconds, and does so.
  private func exchange(within seconds: Double) throws(DocumentError) {
    let milliseconds = Int32((seconds * 1000).rounded(.up).clamped(to: 0...1000))
    var ends = [pollfd(fd: worker.replies, events: Int16(POLLIN), revents: 0)]
    if !unsent.isEmpty {
      ends.append(pollfd(fd: worker.requests, events: Int16(POLLOUT), revents: 0))
    }
    let ready = poll(&ends, nfds_t(ends.count), milliseconds)
    guard ready >= 0 || errno == EINTR else {
      throw killed(.fault, "cannot wait for the worker: \(String(cString: strerror(errno)))")
    }
    guard ready > 0 else {
      // Its children may keep its end of the pipe open.
      if WorkerProcesses.hasEnded(worker.pid) { throw exitReason() }
      return
    }
    if ends[0].revents != 0 { try receive() }
    if ends.count > 1, ends[1].revents != 0 { try sendRest() }
  }

  private func receive() throws(DocumentError) {
    try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) {
      (buffer) throws(DocumentError) in
      let count = read(worker.replies, buffer.baseAddress, buffer.count)
      if count > 0 {
        reader.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
        throw exitReason()
      }
    }
  }

  /// Sends as much as the worker accepts now.
  private func sendRest() throws(DocumentError) {
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    let count = unsent.withUnsafeBytes { bytes in
      if var document = unsentDocument {
        recto_send_descriptors(worker.requests, bytes.baseAddress, bytes.count, &document, 1)
      } else {
        Glibc.send(worker.requests, bytes.baseAddress, bytes.count, flags)
      }
    }
    if count >= 0 {
      unsentDocument = nil
      unsent = unsent.dropFirst(count)
    } else if errno != EINTR && errno != EAGAIN {
      throw exitReason()
    }
  }

  private func killed(_ code: DocumentError.Code, _ words: String) -> DocumentError {
    kill()
    return DocumentError(code, during: "", words)
  }

  private func kill() {
    if isAlive { _ = end() }
  }

  /// Kills the worker and its children, waits for it, and returns its status.
  private func end() -> Int32 {
    isAlive = false
    // From here on its process ID may belong to another worker.
    cancellation?.release()
    return WorkerProcesses.end(worker.pid)
  }

  /// Why the worker closed its end.
  private func exitReason() -> DocumentError {
    guard isAlive else { return DocumentError(.crash, during: "", "the worker is gone") }
    // It is killed in case it closed its pipe without ending.
    let status = end()
    let signal = status & 0x7f
    switch signal {
    case SIGBUS: return DocumentError(.changed, during: "", "the file was cut short meanwhile")
    case SIGABRT:
      return DocumentError(.crash, during: "", "the PDF library gave up (out of memory or a fault)")
    case SIGSYS:
      return DocumentError(
        .crash,
        during: "",
        "the sandbox ended the worker (forbidden system call)"
      )
    case SIGKILL: return DocumentError(.crash, during: "", "the worker was killed")
    case SIGTERM, SIGINT, SIGHUP:
      return DocumentError(.crash, during: "", "the worker was ended (signal \(signal))")
    case 0:
      return DocumentError(
        .crash,
        during: "",
        "the worker ended with exit code \((status >> 8) & 0xff)"
      )
    default: return DocumentError(.crash, during: "", "the PDF library crashed (signal \(signal))")
    }
  }

  private static func memoryWords(_ bytes: Int) -> String {
    "needs more than the limit of \(bytes / 1_000_000) MB of memory"
  }

  private static func short(_ seconds: Double) -> String {
    seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
  }
}

extension WorkerRequest {
  /// Whether a page is drawn.
  fileprivate var isDrawing: Bool {
    switch self {
    case .draw: true
    case .open, .measure, .properties, .readText, .links, .outline, .destination, .describe,
      .beginSheet, .drawOnSheet, .encodeSheet:
      false
    }
  }
}

extension Double {
  fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}

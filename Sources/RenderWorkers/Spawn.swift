internal import CLinux
internal import DocumentModel
internal import Glibc
internal import SystemPackage

/// Starting a worker.
///
/// Uses `posix_spawn` and no library, because a worker inherits exactly one extra descriptor, leads
/// its own process group, and serves many requests while a thread waits for it.
enum Spawn {
  /// A worker that has been started.
  struct Worker {
    /// The process.
    var pid: pid_t
    /// The end to write requests to, a socket.
    var requests: Int32
    /// The end to read replies from, a pipe.
    var replies: Int32
  }

  /// The pipes between a worker and its parent: the worker's ends and the parent's.
  private struct Ends {
    var input: Int32
    var output: Int32
    var requests: Int32
    var replies: Int32

    func closeAll() {
      for descriptor in [input, output, requests, replies] { close(descriptor) }
    }
  }

  /// Starts `executable` with a socket as standard input, a pipe as standard output and `document` as descriptor 3.
  ///
  /// - Parameters:
  ///   - document: The document, open for reading only.
  ///   - sandbox: Whether it may work without one.
  ///   - drawsSheet: Whether it draws a contact sheet.
  /// - Throws: `DocumentError` when the pipes or the process cannot be made, or the document could be written to.
  static func worker(
    executable: FilePath,
    document: Int32,
    sandbox: SandboxPolicy,
    drawsSheet: Bool = false
  ) throws(DocumentError) -> Worker {
    let words = (drawsSheet ? [WorkerRequest.sheetArgument] : []) + arguments(for: sandbox)
    return try worker(document) { ends throws(DocumentError) in
      try spawn(executable, words, ends.input, ends.output, document)
    }
  }

  /// The arguments that allow or forbid a worker program to work without a sandbox.
  private static func arguments(for sandbox: SandboxPolicy) -> [String] {
    switch sandbox {
    case .auto: []
    case .require: [WorkerRequest.requireSandboxArgument]
    }
  }

  /// Starts a worker as a copy of a template.
  ///
  /// - Parameters:
  ///   - document: The document, open for reading only.
  ///   - fork: Passes the worker's ends and the document to the template, in this order.
  /// - Throws: `DocumentError` when the pipes cannot be made, or the document could be written to, and what
  ///   `fork` throws.
  static func worker(
    document: Int32,
    _ fork: (_ descriptors: [Int32]) throws(DocumentError) -> pid_t
  ) throws(DocumentError) -> Worker {
    try worker(document) { ends throws(DocumentError) in
      try fork([ends.input, ends.output, document])
    }
  }

  /// Checks that a worker cannot write to its document.
  ///
  /// - Throws: `fault` when the descriptor is open for writing.
  static func requireReadOnly(_ document: Int32) throws(DocumentError) {
    guard fcntl(document, F_GETFL) & O_ACCMODE == O_RDONLY else {
      let words = "the document has to be open for reading only"
      throw DocumentError(.fault, during: "start a worker", words)
    }
  }

  private static func worker(
    _ document: Int32,
    _ start: (Ends) throws(DocumentError) -> pid_t
  ) throws(DocumentError) -> Worker {
    try requireReadOnly(document)
    let (input, requests) = try socketPair(SOCK_STREAM)
    let replies: Int32
    let output: Int32
    do {
      (replies, output) = try pipe()
    } catch {
      close(input)
      close(requests)
      throw error
    }
    // A whole tile fits, so the worker can draw while the previous tile is read. The size is
    // unchanged if the user's limit for pipes is reached.
    _ = recto_set_pipe_size(replies, 1 << 20)
    let ends = Ends(input: input, output: output, requests: requests, replies: replies)
    do {
      let pid = try start(ends)
      close(input)
      close(output)
      return Worker(pid: pid, requests: requests, replies: replies)
    } catch {
      ends.closeAll()
      throw error
    }
  }

  /// Starts a program with a socket as standard input and output, no other descriptor, and the environment of this
  /// process.
  ///
  /// - Returns: The process, and the other end of the socket.
  /// - Throws: `DocumentError` when the socket or the process cannot be made.
  static func helper(
    executable: FilePath
  ) throws(DocumentError) -> (pid: pid_t, socket: Int32) {
    let (childEnd, socket) = try socketPair(SOCK_STREAM)
    defer { close(childEnd) }
    do {
      let process = try spawn(
        executable,
        [],
        childEnd,
        childEnd,
        nil,
        inheritsEnvironment: true
      )
      return (process, socket)
    } catch {
      close(socket)
      throw error
    }
  }

  /// Starts `executable` as a template, with a socket as standard input.
  ///
  /// - Parameters:
  ///   - sandbox: Whether its workers may work without one.
  /// - Returns: The process, and the end of the socket to send requests to.
  /// - Throws: `DocumentError` when the socket or the process cannot be made.
  static func template(
    executable: FilePath,
    sandbox: SandboxPolicy
  ) throws(DocumentError) -> (pid: pid_t, control: Int32) {
    // Keeps message boundaries, and reports when the other side closes.
    let (input, control) = try socketPair(SOCK_SEQPACKET)
    defer { close(input) }
    let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { if null >= 0 { close(null) } }
    do {
      let words = [WorkerRequest.templateArgument] + arguments(for: sandbox)
      return (try spawn(executable, words, input, null, nil), control)
    } catch {
      close(control)
      throw error
    }
  }

  /// Starts `executable` in its own process group.
  ///
  /// - Parameters:
  ///   - document: Its descriptor 3; nil for none.
  ///   - inheritsEnvironment: Whether it gets all variables of this process, or only those of a
  ///     worker.
  /// - Throws: `DocumentError` when the process cannot be started.
  private static func spawn(
    _ executable: FilePath,
    _ options: [String],
    _ input: Int32,
    _ output: Int32,
    _ document: Int32?,
    inheritsEnvironment: Bool = false
  ) throws(DocumentError) -> pid_t {
    try SpawnThread.run { () throws(DocumentError) in
      try spawnHere(executable, options, input, output, document, inheritsEnvironment)
    }
  }

  private static func spawnHere(
    _ executable: FilePath,
    _ options: [String],
    _ input: Int32,
    _ output: Int32,
    _ document: Int32?,
    _ inheritsEnvironment: Bool
  ) throws(DocumentError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    try check(posix_spawn_file_actions_init(&actions), executable)
    defer { posix_spawn_file_actions_destroy(&actions) }
    try check(posix_spawn_file_actions_adddup2(&actions, input, 0), executable)
    try check(posix_spawn_file_actions_adddup2(&actions, output, 1), executable)
    if getenv("RECTO_WORKER_STDERR") == nil {
      let status = posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
      try check(status, executable)
    }
    // Last, because descriptor 3 may have been another one until here.
    var firstUnused = WorkerRequest.documentDescriptor
    if let document {
      try check(posix_spawn_file_actions_adddup2(&actions, document, firstUnused), executable)
      firstUnused += 1
    }
    try check(posix_spawn_file_actions_addclosefrom_np(&actions, firstUnused), executable)

    var attributes = posix_spawnattr_t()
    try check(posix_spawnattr_init(&attributes), executable)
    defer { posix_spawnattr_destroy(&attributes) }
    var noSignals = sigset_t()
    var allSignals = sigset_t()
    sigemptyset(&noSignals)
    sigfillset(&allSignals)
    try check(posix_spawnattr_setsigmask(&attributes, &noSignals), executable)
    try check(posix_spawnattr_setsigdefault(&attributes, &allSignals), executable)
    // A separate group: Ctrl-C reaches only this process, and a kill reaches everything that the
    // worker started.
    try check(posix_spawnattr_setpgroup(&attributes, 0), executable)
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    try check(posix_spawnattr_setflags(&attributes, Int16(flags)), executable)

    var pid: pid_t = 0
    let status = executable.withPlatformString { path in
      let words = [strdup(path)] + options.map { strdup($0) }
      defer { for word in words { free(word) } }
      guard words.allSatisfy({ $0 != nil }) else { return ENOMEM }
      guard !inheritsEnvironment else {
        return posix_spawn(&pid, path, &actions, &attributes, words + [nil], environ)
      }
      let variables = WorkerEnvironment.entries()
      defer { for entry in variables { free(entry) } }
      guard variables.allSatisfy({ $0 != nil }) else { return ENOMEM }
      return posix_spawn(&pid, path, &actions, &attributes, words + [nil], variables + [nil])
    }
    try check(status, executable)
    return pid
  }

  /// Throws if a call of the `posix_spawn` family returned an error number.
  private static func check(_ status: Int32, _ executable: FilePath) throws(DocumentError) {
    guard status == 0 else {
      let words = String(cString: strerror(status))
      throw DocumentError(.fault, during: "start \(executable)", words)
    }
  }

  /// Two connected sockets that no other child inherits. Requests use a socket because writing to a
  /// dead worker must not raise SIGPIPE in the host program, and writing to a worker that does not
  /// read must not block.
  private static func socketPair(
    _ kind: __socket_type
  ) throws(DocumentError) -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(kind.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
      throw DocumentError(.fault, during: "start a worker", String(cString: strerror(errno)))
    }
    return (ends[0], ends[1])
  }

  /// A pipe that no other child inherits: the end to read and the end to write.
  private static func pipe() throws(DocumentError) -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    guard pipe2(&ends, O_CLOEXEC) == 0 else {
      throw DocumentError(.fault, during: "start a worker", String(cString: strerror(errno)))
    }
    return (ends[0], ends[1])
  }
}

internal import CLinux
internal import DocumentModel
internal import Glibc
internal import SystemPackage
internal import WorkerProtocol

/// Starting a worker.
///
/// `posix_spawn` and not a library: a worker inherits one extra descriptor and nothing else, leads
/// a process group of its own, and lives for many requests that a thread of ours waits for.
enum Spawn {
  /// Starts `executable` with a socket as standard input, a pipe as standard output and `document` as descriptor 3.
  ///
  /// - Returns: the process, the end to write requests to and the end to read replies from.
  static func worker(
    executable: FilePath,
    document: Int32
  ) throws(DocumentError) -> (pid: pid_t, requests: Int32, replies: Int32) {
    let (childInput, requests) = try socketPair()
    defer { close(childInput) }
    let replies: Int32
    let childOutput: Int32
    do {
      (replies, childOutput) = try pipe()
    } catch {
      close(requests)
      throw error
    }
    defer { close(childOutput) }
    // A whole tile fits, so the worker goes on drawing while we take the last one away.
    _ = recto_set_pipe_size(replies, 1 << 20)

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, childInput, 0)
    posix_spawn_file_actions_adddup2(&actions, childOutput, 1)
    if getenv("RECTO_WORKER_STDERR") == nil {
      posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    }
    // Last: by now nothing else of ours can be needed as descriptor 3.
    posix_spawn_file_actions_adddup2(&actions, document, WorkerRequest.documentDescriptor)
    posix_spawn_file_actions_addclosefrom_np(&actions, WorkerRequest.documentDescriptor + 1)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var noSignals = sigset_t()
    var allSignals = sigset_t()
    sigemptyset(&noSignals)
    sigfillset(&allSignals)
    posix_spawnattr_setsigmask(&attributes, &noSignals)
    posix_spawnattr_setsigdefault(&attributes, &allSignals)
    // A group of its own: Ctrl-C reaches us alone, and a kill reaches all that the worker started.
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
    )

    var pid: pid_t = 0
    let status = executable.withPlatformString { path in
      var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(path), nil]
      defer { free(arguments[0]) }
      return posix_spawn(&pid, path, &actions, &attributes, &arguments, environ)
    }
    guard status == 0 else {
      close(requests)
      close(replies)
      throw DocumentError(
        .fault,
        during: "start \(executable)",
        String(cString: strerror(status))
      )
    }
    return (pid, requests, replies)
  }

  /// Two connected sockets that no other child inherits. Requests go through a socket because a
  /// write to a worker that has died must not raise SIGPIPE in whatever program we are part of.
  private static func socketPair() throws(DocumentError) -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
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

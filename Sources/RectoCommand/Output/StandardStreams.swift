internal import Glibc
internal import RectoBase
internal import Synchronization
internal import SystemPackage

/// The process's output and error streams.
enum StandardStreams {
  /// Held while data is written: a pipe takes long lines in parts, and lines of other tasks must not come in between.
  private static let output = Mutex(())

  /// Writes data to standard output, as a whole.
  ///
  /// If the reader of a pipe is gone, ends the process with exit code 0 and without a message.
  ///
  /// - Throws: ``Failure`` with code 74 when the data cannot be written.
  static func write(_ bytes: [UInt8]) throws(Failure) {
    guard let error = output.withLock({ _ in write(bytes, to: .standardOutput) }) else { return }
    if error == .brokenPipe { Shutdown.end(with: 0) }
    throw Failure(
      exitCode: .io,
      code: "io",
      path: nil,
      page: nil,
      message: "standard output: \(error)"
    )
  }

  /// Ends the process with exit code 0 when the reader of standard output has closed it, even while nothing is written.
  static func endWithReader() {
    _ = DetachedThread.start(stackSize: 1 << 16) {
      // Without events, only the loss of the reader is reported.
      var output = pollfd(fd: FileDescriptor.standardOutput.rawValue, events: 0, revents: 0)
      while poll(&output, 1, -1) < 0, errno == EINTR {}
      if Int32(output.revents) & (POLLERR | POLLHUP) != 0 { Shutdown.end(with: 0) }
    }
  }

  /// Writes text to standard error. Ignores errors: there is no other stream to report them.
  static func writeError(_ text: String) {
    _ = write(Array(text.utf8), to: .standardError)
  }

  /// Whether standard error is a terminal in which a line can be replaced.
  static var canShowProgress: Bool {
    guard isatty(2) == 1, let terminal = getenv("TERM") else { return false }
    return !["", "dumb"].contains(String(cString: terminal))
  }

  /// Opens missing standard streams, so that no other file gets their numbers: output would be
  /// written to a tile or a pipe. Reading missing standard input and writing to the others still
  /// fails, because each is opened for the opposite.
  static func openMissing() {
    for (number, mode) in [(0, O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)] as [(Int32, Int32)]
    where fcntl(number, F_GETFD) < 0 && errno == EBADF {
      // The lowest free number is the missing one. Without /dev/null, the stream stays closed.
      _ = open("/dev/null", mode)
    }
  }

  /// Columns of the terminal on standard error; 80 if unknown.
  static var columns: Int {
    var size = winsize()
    guard ioctl(2, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Nil if all was written.
  private static func write(_ bytes: [UInt8], to descriptor: FileDescriptor) -> Errno? {
    Shutdown.waitIfEnding()
    do {
      try descriptor.writeAll(bytes)
      return nil
    } catch {
      return error as? Errno ?? .ioError
    }
  }
}

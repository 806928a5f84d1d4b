internal import CLinux
package import Foundation
internal import Glibc

/// A pipe that no other child inherits.
package struct Pipes {
  /// The end to read from.
  package let reading: PipeEnd
  /// The end to write to.
  package let writing: PipeEnd

  /// Makes a pipe.
  ///
  /// - Throws: `ChildProcessError` when there are no descriptors left.
  package init() throws {
    // A program that ends early is an error of one write, and not the end of all tests.
    _ = Self.ignoringBrokenPipes
    var ends: [Int32] = [-1, -1]
    guard pipe2(&ends, O_CLOEXEC) == 0 else {
      throw ChildProcessError("cannot make a pipe: \(String(cString: strerror(errno)))")
    }
    reading = PipeEnd(descriptor: ends[0])
    writing = PipeEnd(descriptor: ends[1])
  }

  private static let ignoringBrokenPipes: Void = { _ = signal(SIGPIPE, SIG_IGN) }()
}

/// One end of a pipe, closed with its last owner.
package final class PipeEnd {
  /// The descriptor; -1 when it is closed.
  package private(set) var descriptor: Int32

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit { close() }

  /// Closes it; does nothing the second time.
  package func close() {
    guard descriptor >= 0 else { return }
    _ = Glibc.close(descriptor)
    descriptor = -1
  }

  /// Waits for bytes and returns those there are, none at the end.
  ///
  /// - Throws: `ChildProcessError` when nothing arrives in time.
  package func read(seconds: Double = ChildProcess.patience) throws -> Data {
    try waitUntilReady(POLLIN, seconds)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count >= 0 { return Data(buffer[..<count]) }
      guard errno == EINTR else { throw ChildProcessError("read: \(Self.reason)") }
    }
  }

  /// Writes all bytes.
  ///
  /// - Throws: `ChildProcessError` when there is no reader, or it does not read in time.
  package func write(_ data: Data, seconds: Double = ChildProcess.patience) throws {
    var rest = data[...]
    while !rest.isEmpty {
      try waitUntilReady(POLLOUT, seconds)
      // No more than a pipe has room for when it is ready: a longer write would block.
      let count = rest.prefix(Int(PIPE_BUF)).withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw ChildProcessError("write: \(Self.reason)")
      }
    }
  }

  private func waitUntilReady(_ events: Int32, _ seconds: Double) throws {
    let deadline = TestDeadline(after: seconds)
    var polled = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    while true {
      let count = poll(&polled, 1, deadline.milliseconds)
      if count > 0 { return }
      guard count < 0, errno == EINTR else {
        throw ChildProcessError("nothing happened on a pipe for \(seconds) s")
      }
    }
  }

  private static var reason: String { String(cString: strerror(errno)) }
}

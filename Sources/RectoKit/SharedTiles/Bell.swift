internal import Glibc
internal import RenderWorkers

/// Wakes a thread that waits.
final class Bell: Sendable {
  /// The ends to read and to write; -1 if the system has no descriptors left, in which case waits
  /// are short.
  private let ends: (read: Int32, write: Int32)

  init() {
    var ends: [Int32] = [-1, -1]
    let type = [SOCK_STREAM, SOCK_CLOEXEC, SOCK_NONBLOCK].reduce(0) { $0 | Int32($1.rawValue) }
    self.ends = socketpair(AF_UNIX, type, 0, &ends) == 0 ? (ends[0], ends[1]) : (-1, -1)
  }

  deinit {
    for end in [ends.read, ends.write] where end >= 0 { close(end) }
  }

  /// Ends the current wait, or the next one.
  func ring() {
    // One that is full has been rung already.
    var byte: UInt8 = 1
    _ = write(ends.write, &byte, 1)
  }

  /// Waits for a ring, or until a moment.
  func wait(until end: Double) {
    var none: [pollfd] = []
    wait(for: &none, until: end)
  }

  /// Waits for a ring or for descriptors, until a deadline. Clears the ring.
  func wait(for others: inout [pollfd], until end: Double) {
    var all = [pollfd(fd: ends.read, events: Int16(POLLIN), revents: 0)] + others
    let longest: Double = ends.read < 0 ? 20 : 60_000
    let seconds = max(0, end - monotonicSeconds())
    let milliseconds = Int32(min((seconds * 1000).rounded(.up), longest))
    // An error just ends the wait early: the caller checks again.
    if poll(&all, nfds_t(all.count), milliseconds) <= 0 { return }
    if all[0].revents != 0 {
      var bytes = [UInt8](repeating: 0, count: 64)
      while read(ends.read, &bytes, bytes.count) == bytes.count {}
    }
    others = Array(all.dropFirst())
  }
}

// SPDX-License-Identifier: GPL-2.0-or-later

internal import Glibc
internal import RectoBase

/// The worker's two threads: the first one watches the parent, the other one draws.
enum Threads {
  /// Starts a thread that is never joined, or ends the process.
  static func start(stackSize: Int, _ body: @escaping @Sendable () -> Void) {
    guard DetachedThread.start(stackSize: stackSize, body) else { exit(70) }
  }

  /// Exits as soon as the parent closes the requests, even while a page hangs, so that a killed
  /// parent leaves no orphan.
  static func exitWhenParentLeaves() -> Never {
    var input = pollfd(fd: 0, events: 0, revents: 0)
    while true {
      let ready = poll(&input, 1, -1)
      if ready < 0, errno == EINTR { continue }
      _exit(0)
    }
  }
}

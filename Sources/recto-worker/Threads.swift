internal import CLinux
internal import Glibc

/// The worker's two threads: one that draws, one that watches the parent.
enum Threads {
  /// Starts a thread that is never joined.
  static func start(stackSize: Int, _ body: @escaping @Sendable () -> Void) {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0,
      pthread_attr_setstacksize(&attributes, max(stackSize, 1 << 16)) == 0,
      pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED)) == 0
    else { exit(70) }
    defer { pthread_attr_destroy(&attributes) }
    let box = Unmanaged.passRetained(Body(run: body))
    var thread = pthread_t()
    let status = pthread_create(
      &thread,
      &attributes,
      { argument in
        if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      },
      box.toOpaque()
    )
    if status != 0 {
      box.release()
      exit(70)
    }
  }

  /// Ends the process as soon as nobody can send requests any more, even in the middle of a page
  /// that never ends: a killed parent leaves no orphan.
  static func exitWhenParentLeaves() {
    var input = pollfd(fd: 0, events: 0, revents: 0)
    while true {
      let ready = poll(&input, 1, -1)
      if ready < 0, errno == EINTR { continue }
      _exit(0)
    }
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }
}

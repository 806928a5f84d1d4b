internal import Glibc

/// A thread that is never joined.
public enum DetachedThread {
  /// Starts a thread.
  ///
  /// - Parameters:
  ///   - stackSize: Bytes of address space for its stack; only used pages take memory.
  ///   - body: The function to run; the thread ends when it returns.
  /// - Returns: Whether the system started it.
  public static func start(stackSize: Int, _ body: @escaping @Sendable () -> Void) -> Bool {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return false }
    defer { pthread_attr_destroy(&attributes) }
    guard pthread_attr_setstacksize(&attributes, max(stackSize, 1 << 16)) == 0,
      pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED)) == 0
    else { return false }
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
    if status != 0 { box.release() }
    return status == 0
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }
}

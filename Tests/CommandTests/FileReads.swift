import Glibc
import Testing

/// Whether anything reads a file, as the kernel reports it.
final class FileReads {
  private let descriptor: Int32

  /// Reports reads from now on.
  init(of path: String) throws {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    try #require(descriptor >= 0)
    try #require(inotify_add_watch(descriptor, path, UInt32(IN_ACCESS)) >= 0)
  }

  deinit { close(descriptor) }

  /// Whether there was a read since this was asked last.
  var happened: Bool {
    var buffer = [UInt8](repeating: 0, count: 4096)
    return read(descriptor, &buffer, buffer.count) > 0
  }
}

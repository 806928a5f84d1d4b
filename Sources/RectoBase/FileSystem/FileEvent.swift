internal import Glibc

/// An event of inotify(7).
struct FileEvent {
  /// The watch of the directory.
  var directory: Int32
  /// What happened, as bits.
  var mask: UInt32
  /// The name in the directory.
  var name: [UInt8]

  /// Reads all pending events of a descriptor that does not block.
  static func readAll(from descriptor: Int32, _ body: (FileEvent) -> Void) {
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
      while true {
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        forEach(in: UnsafeRawBufferPointer(rebasing: buffer[..<count]), body)
      }
    }
  }

  private static func forEach(in bytes: UnsafeRawBufferPointer, _ body: (FileEvent) -> Void) {
    let head = MemoryLayout<inotify_event>.size
    var rest = bytes[...]
    while rest.count >= head {
      let event = UnsafeRawBufferPointer(rebasing: rest).loadUnaligned(as: inotify_event.self)
      let length = min(Int(event.len), rest.count - head)
      let name = Array(rest.dropFirst(head).prefix(length).prefix { $0 != 0 })
      body(FileEvent(directory: event.wd, mask: event.mask, name: name))
      rest = rest.dropFirst(head + length)
    }
  }
}

import PageLayout

/// The numbers of a request.
typealias Numbers = UnsafePointer<Double>?

/// How many numbers a reply has, and then they themselves; for a refused request minus the length of a message, and then
/// its UTF-8 bytes. The caller gives the memory back with `release_memory`.
typealias Reply = UnsafeMutablePointer<Double>

/// The reply to a request.
func reply(
  _ numbers: Numbers,
  _ count: Int32,
  _ body: (inout NumberReader, inout NumberWriter) throws(LayoutError) -> Void
) -> Reply {
  var reader = NumberReader(numbers, count)
  var writer = NumberWriter()
  do throws(LayoutError) {
    try body(&reader, &writer)
  } catch {
    return failure(error.description)
  }
  let reply = Reply.allocate(capacity: writer.numbers.count + 1)
  reply.initialize(to: Double(writer.numbers.count))
  for (index, number) in writer.numbers.enumerated() { (reply + 1 + index).initialize(to: number) }
  return reply
}

private func failure(_ message: String) -> Reply {
  let bytes = Array(message.utf8)
  let reply = Reply.allocate(capacity: bytes.count / 8 + 2)
  reply.initialize(to: -Double(bytes.count))
  UnsafeMutableRawPointer(reply + 1).copyMemory(from: bytes, byteCount: bytes.count)
  return reply
}

/// A value that JavaScript holds by its address, until it calls `release`.
class Held {
  /// The address, which owns the value.
  final var address: Double {
    Double(UInt(bitPattern: Unmanaged.passRetained(self).toOpaque()))
  }
}

final class HeldViewpoint: Held {
  let viewpoint: Viewpoint
  init(_ viewpoint: Viewpoint) { self.viewpoint = viewpoint }

  static func at(_ address: UnsafeRawPointer) -> Viewpoint {
    Unmanaged<HeldViewpoint>.fromOpaque(address).takeUnretainedValue().viewpoint
  }
}

final class HeldTransition: Held {
  let transition: Transition
  init(_ transition: Transition) { self.transition = transition }

  static func at(_ address: UnsafeRawPointer) -> Transition {
    Unmanaged<HeldTransition>.fromOpaque(address).takeUnretainedValue().transition
  }
}

@_expose(wasm)
@_cdecl("memory_for")
func memory(forNumbers count: Int32) -> UnsafeMutablePointer<Double>? {
  guard (0...1 << 26).contains(count) else { return nil }
  return .allocate(capacity: Int(count))
}

@_expose(wasm)
@_cdecl("release_memory")
func releaseMemory(_ memory: UnsafeMutablePointer<Double>?) { memory?.deallocate() }

@_expose(wasm)
@_cdecl("release")
func release(_ address: UnsafeRawPointer) {
  Unmanaged<Held>.fromOpaque(address).release()
}

/// Hashing needs no secret: a page can only slow down itself.
@_cdecl("arc4random_buf")
func fillWithRandomBytes(_ bytes: UnsafeMutableRawPointer, _ count: Int) {
  bytes.initializeMemory(as: UInt8.self, repeating: 0, count: count)
}

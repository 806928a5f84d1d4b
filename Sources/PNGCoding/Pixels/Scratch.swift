/// Memory that is kept between pictures and grows to the largest one seen. Exactly one owner.
///
/// Its contents are not initialized: the caller writes before reading.
struct Scratch: ~Copyable {
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  deinit { memory.deallocate() }

  /// `count` bytes, aligned for vectors and valid until the next call; what was in them is lost.
  mutating func bytes(_ count: Int) -> UnsafeMutableRawBufferPointer {
    if count > memory.count {
      memory.deallocate()
      memory = .allocate(byteCount: count, alignment: 64)
    }
    return UnsafeMutableRawBufferPointer(rebasing: memory[..<count])
  }
}

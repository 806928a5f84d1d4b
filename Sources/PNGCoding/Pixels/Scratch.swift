internal import Glibc

/// Memory that is kept between pictures and grows to the largest one seen. Exactly one owner.
///
/// Its contents are not initialized: the caller writes before reading.
struct Scratch: ~Copyable {
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  /// Whether most of the memory is written to, so that large pages are better.
  private let isFilled: Bool

  /// Bytes of a large page on x86-64, and on arm64 with pages of 4 KB.
  private static let largePage = 1 << 21

  /// No memory yet.
  ///
  /// - Parameter isFilled: Whether most of the memory is written to. A large page is cleared as a whole.
  init(isFilled: Bool = true) { self.isFilled = isFilled }

  deinit { memory.deallocate() }

  /// `count` bytes, aligned for vectors and valid until the next call; the old contents are lost.
  mutating func bytes(_ count: Int) -> UnsafeMutableRawBufferPointer {
    if count > memory.count {
      memory.deallocate()
      let isLarge = isFilled && count >= Self.largePage
      memory = .allocate(byteCount: count, alignment: isLarge ? Self.largePage : 64)
      // Otherwise fresh memory costs a page fault for each 4 KB, as it still does if the kernel ignores the advice.
      if isLarge, let start = memory.baseAddress { madvise(start, memory.count, MADV_HUGEPAGE) }
    }
    return UnsafeMutableRawBufferPointer(rebasing: memory[..<count])
  }
}

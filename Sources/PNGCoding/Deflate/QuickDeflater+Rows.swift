internal import Glibc
internal import RectoBase

/// Compresses rows while they are made, so that never all rows of a picture are in memory.
///
/// Memory access would take longer than the compression: the rows of a large picture would pass through the processor's
/// caches to be written, compressed and summed, and fresh memory is cleared first.
extension QuickDeflater {
  /// Bytes that are made before they are compressed: with the window, they fit a second-level cache.
  private static let chunk = 1 << 16

  /// Writes rows as a zlib stream.
  ///
  /// - Parameters:
  ///   - pitch: Bytes of a row. No more than ``maxInput`` in all.
  ///   - output: Holds ``bound(_:)`` of all rows, or more.
  ///   - write: Writes a row, by its number, to an address. The previous row is directly before it there.
  /// - Returns: The bytes written.
  /// - Complexity: O(*n*) in the bytes of all rows.
  mutating func compress(
    rows count: Int,
    pitch: Int,
    in window: inout Scratch,
    into output: UnsafeMutableRawBufferPointer,
    _ write: (Int, UnsafeMutableRawPointer) -> Void
  ) -> Int {
    precondition(count * pitch <= Self.maxInput && output.count >= Self.bound(count * pitch))
    // The bytes to keep: those that matches refer to, and the row above the next.
    let kept = max(DeflateSymbols.window, pitch)
    let size = 2 * kept + 2 * Self.chunk + pitch
    guard let memory = window.bytes(size).baseAddress, let start = output.baseAddress else {
      return 0
    }
    var writer = begin(start)
    // Adler-32 of nothing.
    var sum: UInt32 = 1
    // Positions in the stream: of the memory's first byte, of the first that is not compressed, of the first that is not
    // in the sum, and where the next row begins.
    var (origin, position, summed, end) = (0, 0, 0, 0)
    for row in 0..<count {
      if end - origin + pitch > size {
        let first = position - kept
        memmove(memory, memory + (first - origin), end - first)
        origin = first
      }
      write(row, memory + (end - origin))
      end += pitch
      guard end - summed >= Self.chunk || row == count - 1 else { continue }
      let bytes = UnsafeRawPointer(memory - origin)
      sum = Checksum.adler32(
        UnsafeRawBufferPointer(start: bytes + summed, count: end - summed),
        continuing: sum
      )
      summed = end
      position = collect(bytes, from: position, end, isLast: row == count - 1, &writer)
    }
    return self.end(&writer, sum) - start
  }
}

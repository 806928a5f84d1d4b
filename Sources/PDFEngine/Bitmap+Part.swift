public import Geometry

extension Bitmap {
  /// Lends the pixels of a part: the bytes from its first pixel to its last, and the distance
  /// between rows in bytes. Nil when it does not lie inside.
  ///
  /// - Throws: What `body` throws.
  public func withPixels<Result, Failure: Error>(
    of part: PixelRect,
    _ body: (UnsafeRawBufferPointer, _ stride: Int) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard !part.isEmpty, part.x >= 0, part.y >= 0, part.maxX <= size.width,
      part.maxY <= size.height
    else { return nil }
    return try withPixels { (bytes, stride) throws(Failure) in
      let first = part.y * stride + part.x * 4
      let count = (part.height - 1) * stride + part.width * 4
      return try body(UnsafeRawBufferPointer(rebasing: bytes[first..<(first + count)]), stride)
    }
  }
}

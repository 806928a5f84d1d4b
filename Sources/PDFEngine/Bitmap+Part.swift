// SPDX-License-Identifier: GPL-2.0-or-later

internal import DocumentModel
public import RectoGeometry

extension Bitmap {
  /// Calls a closure with the pixels of a part: the bytes from its first pixel to its last, and the
  /// distance between rows in bytes. Nil if the part is out of bounds.
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

  /// A copy of the pixels of a part.
  ///
  /// - Parameter part: Pixels of this bitmap, inside it.
  /// - Returns: A bitmap of the part's size.
  /// - Throws: `pageSize` for a part that is empty, `memoryLimit` if there is not enough memory.
  func copy(of part: PixelRect) throws(DocumentError) -> Bitmap {
    var copy = try Bitmap(part.size)
    copy.warnings = warnings
    withPixels(of: part) { source, stride in
      copy.withMutablePixels { target, targetStride in
        for row in 0..<part.height {
          let bytes = source[(row * stride)..<(row * stride + part.width * 4)]
          UnsafeMutableRawBufferPointer(rebasing: target[(row * targetStride)...])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes))
        }
      }
    }
    return copy
  }
}

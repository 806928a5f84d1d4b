// SPDX-License-Identifier: GPL-2.0-or-later

public import DocumentModel
public import RectoGeometry

extension Bitmap {
  /// The same picture with fewer pixels, by area averaging.
  ///
  /// - Parameter size: The size of the result; neither side exceeds that of this bitmap.
  /// - Returns: A bitmap of that size, with the same warnings.
  /// - Throws: `usage` for a size that is larger, `pageSize` for one without pixels, `memoryLimit` if there is not
  ///   enough memory.
  public func reduced(to size: PixelSize) throws(DocumentError) -> Bitmap {
    guard let averaging = AreaAveraging(from: self.size, to: size) else {
      throw DocumentError(
        .usage,
        during: "reduce",
        "\(self.size.width)×\(self.size.height) pixels cannot be reduced to "
          + "\(size.width)×\(size.height)"
      )
    }
    var result = try Bitmap(size)
    result.warnings = warnings
    withPixels { source, stride in
      result.withMutablePixels { target, targetStride in
        averaging.reduce(source, stride: stride, into: target, stride: targetStride)
      }
    }
    return result
  }
}

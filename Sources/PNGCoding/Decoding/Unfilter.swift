/// Reverses ``RowFilter``, in place.
enum Unfilter {
  /// Restores all rows.
  ///
  /// - Parameters:
  ///   - bytes: Rows of `pitch` bytes, each a filter byte and the filtered bytes.
  ///   - pitch: Bytes per row, the filter byte included.
  ///   - step: Bytes per pixel, 1 for less than 8 bits.
  /// - Throws: ``PNGError/Code-swift.enum/damaged`` for a filter byte above 4.
  static func rows(_ bytes: inout [UInt8], pitch: Int, step: Int) throws(PNGError) {
    var all = bytes.mutableSpan
    var start = 0
    while start < all.count {
      guard let filter = RowFilter(rawValue: all[start]) else {
        throw PNGError(.damaged, during: "decode PNG", "there is no filter \(all[start])")
      }
      row(&all, (start + 1)..<(start + pitch), filter, pitch: start == 0 ? nil : pitch, step)
      start += pitch
    }
  }

  /// Restores one row; without a `pitch` there is no row above.
  private static func row(
    _ bytes: inout MutableSpan<UInt8>,
    _ row: Range<Int>,
    _ filter: RowFilter,
    pitch: Int?,
    _ step: Int
  ) {
    let first = row.lowerBound..<min(row.lowerBound + step, row.upperBound)
    let rest = first.upperBound..<row.upperBound
    switch (filter, pitch) {
    case (.none, _), (.up, nil):
      break
    case (.sub, _), (.paeth, nil):
      for x in rest { bytes[x] &+= bytes[x - step] }
    case (.up, let pitch?):
      for x in row { bytes[x] &+= bytes[x - pitch] }
    case (.average, nil):
      for x in rest { bytes[x] &+= bytes[x - step] / 2 }
    case (.average, let pitch?):
      for x in first { bytes[x] &+= bytes[x - pitch] / 2 }
      for x in rest { bytes[x] &+= RowFilter.mean(bytes[x - step], bytes[x - pitch], 0) }
    case (.paeth, let pitch?):
      for x in first { bytes[x] &+= bytes[x - pitch] }
      for x in rest {
        bytes[x] &+= RowFilter.nearest(
          bytes[x - step],
          bytes[x - pitch],
          bytes[x - pitch - step]
        )
      }
    }
  }
}

/// Reverses the predictor of rows of samples (ISO 32000-1, 7.4.4.4).
struct Predictor {
  var kind: Int32 = 1
  var colors: Int32 = 1
  var bits: Int32 = 8
  var columns: Int32 = 1

  /// Whether the parameters are in range, so that nothing overflows.
  private var isPossible: Bool {
    (1...32).contains(colors) && [1, 2, 4, 8, 16].contains(bits)
      && (1...(1 << 20)).contains(columns)
  }
  /// Bytes of a row without the tag.
  private var rowBytes: Int { (Int(columns) * Int(colors) * Int(bits) + 7) / 8 }
  private var pixelBytes: Int { (Int(colors) * Int(bits) + 7) / 8 }

  /// How many encoded bytes `size` decoded ones need, for a guess at a buffer.
  func encodedSize(of size: Int) -> Int {
    kind >= 10 && isPossible ? size + size / rowBytes + 1 : size
  }

  /// The original samples; an incomplete last row is dropped.
  ///
  /// - Throws: ``StructureError`` for invalid parameters.
  func decode(_ data: consuming [UInt8]) throws(StructureError) -> [UInt8] {
    guard kind != 1 else { return data }
    guard isPossible else {
      throw StructureError(.damaged, "a predictor with impossible parameters")
    }
    if kind == 2 { return try tiff(data) }
    guard kind >= 10 else { throw StructureError(.unsupported, "predictor \(kind)") }
    return png(data)
  }

  /// In place: a row without its tag always begins before its source row.
  private func png(_ data: consuming [UInt8]) -> [UInt8] {
    let row = rowBytes
    let pixel = pixelBytes
    let rows = data.count / (row + 1)
    data.withUnsafeMutableBufferPointer { data in
      for line in 0..<rows {
        let from = line * (row + 1) + 1
        let to = line * row
        let tag = data[from - 1]
        // The filters that cross-reference streams use have special loops.
        if tag == 2, line >= 8, row <= 8, from + 8 <= data.count {
          Self.addEight(UnsafeMutableRawBufferPointer(data), from, above: to - row, to)
          continue
        }
        if tag == 2, line > 0 {
          for column in 0..<row {
            data[to + column] = data[from + column] &+ data[to + column - row]
          }
          continue
        }
        guard (1...4).contains(tag), tag != 2 else {
          for column in 0..<row { data[to + column] = data[from + column] }
          continue
        }
        for column in 0..<row {
          let raw = data[from + column]
          let left = column >= pixel ? data[to + column - pixel] : 0
          let up = line > 0 ? data[to + column - row] : 0
          let prediction: UInt8
          switch tag {
          case 1: prediction = left
          case 3: prediction = UInt8(truncatingIfNeeded: (Int(left) + Int(up)) / 2)
          case 4:
            let corner = column >= pixel && line > 0 ? data[to + column - row - pixel] : 0
            prediction = Self.paeth(left, up, corner)
          default: prediction = 0
          }
          data[to + column] = raw &+ prediction
        }
      }
    }
    data.removeLast(data.count - rows * row)
    return data
  }

  /// Adds eight bytes to those above them, bytewise: a row of up to eight bytes, and the bytes after it.
  ///
  /// The extra bytes are overwritten by the next row, or cut off at the end. They are no longer needed from the ninth
  /// row on, because the decoded data is shorter by a byte per row.
  private static func addEight(
    _ data: UnsafeMutableRawBufferPointer,
    _ from: Int,
    above: Int,
    _ to: Int
  ) {
    let raw = data.loadUnaligned(fromByteOffset: from, as: UInt64.self)
    let up = data.loadUnaligned(fromByteOffset: above, as: UInt64.self)
    let highest: UInt64 = 0x8080_8080_8080_8080
    let sum = ((raw & ~highest) &+ (up & ~highest)) ^ ((raw ^ up) & highest)
    data.storeBytes(of: sum, toByteOffset: to, as: UInt64.self)
  }

  private static func paeth(_ left: UInt8, _ up: UInt8, _ corner: UInt8) -> UInt8 {
    let estimate = Int(left) + Int(up) - Int(corner)
    let toLeft = abs(estimate - Int(left))
    let toUp = abs(estimate - Int(up))
    let toCorner = abs(estimate - Int(corner))
    if toLeft <= toUp && toLeft <= toCorner { return left }
    return toUp <= toCorner ? up : corner
  }

  private func tiff(_ data: consuming [UInt8]) throws(StructureError) -> [UInt8] {
    guard bits == 8 else { throw StructureError(.unsupported, "TIFF predictor with \(bits) bits") }
    let row = rowBytes
    let pixel = pixelBytes
    var output = data
    var start = 0
    while start < output.count {
      let end = min(start + row, output.count)
      var index = start + pixel
      while index < end {
        output[index] &+= output[index - pixel]
        index += 1
      }
      start = end
    }
    return output
  }
}

import Testing

@testable import PDFStructure

@Suite struct PredictorTests {
  /// What an encoder makes of rows: PNG with one filter for all rows, or a different one for each
  /// (15), or TIFF (2).
  static func encode(_ data: [UInt8], columns: Int, kind: Int) -> [UInt8] {
    var output: [UInt8] = []
    for (line, start) in stride(from: 0, to: data.count, by: columns).enumerated() {
      let tag = kind == 15 ? line % 5 : kind - 10
      if kind >= 10 { output.append(UInt8(tag)) }
      for place in start..<min(start + columns, data.count) {
        let left = place > start ? data[place - 1] : 0
        let up = place >= columns ? data[place - columns] : 0
        let corner = place > start && place >= columns ? data[place - columns - 1] : 0
        let prediction: UInt8
        switch kind == 2 ? 1 : tag {
        case 1: prediction = left
        case 2: prediction = up
        case 3: prediction = UInt8((Int(left) + Int(up)) / 2)
        case 4:
          let estimate = Int(left) + Int(up) - Int(corner)
          let distances = [left, up, corner].map { abs(estimate - Int($0)) }
          prediction = [left, up, corner][distances.firstIndex(of: distances.min() ?? 0) ?? 0]
        default: prediction = 0
        }
        output.append(data[place] &- prediction)
      }
    }
    return output
  }

  @Test(arguments: [10, 11, 12, 13, 14, 15, 2], [1, 2, 3, 5, 7, 8, 9, 16])
  func `decoding undoes encoding`(kind: Int, columns: Int) throws {
    let data = (0..<columns * 20).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
    var predictor = Predictor()
    predictor.kind = Int32(kind)
    predictor.columns = Int32(columns)
    #expect(try predictor.decode(Self.encode(data, columns: columns, kind: kind)) == data)
  }

  @Test func `several colors are predicted from the pixel before, not from the byte before`()
    throws
  {
    var predictor = Predictor(kind: 2, colors: 3, bits: 8, columns: 2)
    #expect(try predictor.decode([1, 2, 3, 1, 1, 1]) == [1, 2, 3, 2, 3, 4])
    predictor.kind = 11
    #expect(try predictor.decode([1, 1, 2, 3, 1, 1, 1]) == [1, 2, 3, 2, 3, 4])
  }

  @Test(arguments: [
    Predictor(kind: 12, colors: 0, bits: 8, columns: 1),
    Predictor(kind: 12, colors: 1, bits: 8, columns: 0),
    Predictor(kind: 12, colors: 1, bits: 7, columns: 1),
    Predictor(kind: 12, colors: .max, bits: 16, columns: .max),
    Predictor(kind: 2, colors: 1, bits: 8, columns: -1),
  ])
  func `impossible parameters are refused`(predictor: Predictor) {
    #expect(throws: StructureError.self) { try predictor.decode([0, 0, 0]) }
  }

  @Test func `a last row that is cut off is dropped`() throws {
    let predictor = Predictor(kind: 12, colors: 1, bits: 8, columns: 2)
    #expect(try predictor.decode([0, 1, 2, 2, 1]) == [1, 2])
  }
}

@Suite struct FlateDecoderTests {
  private let meter = WorkMeter(limit: 1 << 30)

  @Test func `stored bytes come back, whatever follows them`() throws {
    let data = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
    let stream = PDFBuilder.stored(data) + [1, 2, 3]
    let output = try FlateDecoder().decode(
      stream[...],
      expecting: nil,
      limit: 1 << 20,
      meter: meter
    )
    #expect(output == data)
  }

  @Test func `more than the bound is refused`() throws {
    let stream = PDFBuilder.stored(Array(repeating: 0, count: 10_000))
    let decoder = try FlateDecoder()
    #expect(
      reason { () throws(StructureError) in
        _ = try decoder.decode(stream[...], expecting: nil, limit: 9_999, meter: meter)
      } == .limit
    )
    #expect(
      try decoder.decode(stream[...], expecting: 10_000, limit: 10_000, meter: meter).count
        == 10_000
    )
  }

  @Test func `a stream cut off anywhere is damaged`() throws {
    let stream = PDFBuilder.stored(Array(repeating: 7, count: 50))
    let decoder = try FlateDecoder()
    for end in 0..<stream.count - 4 {
      #expect(
        reason { () throws(StructureError) in
          _ = try decoder.decode(stream[..<end], expecting: nil, limit: 1 << 20, meter: meter)
        } == .damaged
      )
    }
  }
}

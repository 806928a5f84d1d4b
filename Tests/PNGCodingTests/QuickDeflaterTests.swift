import RectoBase
import RectoGeometry
import TestSupport
import Testing

@testable import PNGCoding

/// The encoder's own compressor where small pictures do not take it: many blocks, matches longer
/// than DEFLATE's, matches near the end of the window, codes that would be too long.
@Suite struct QuickDeflaterTests {
  /// What comes back through libdeflate, after the bound was kept.
  private func expectRoundTrip(
    _ bytes: [UInt8],
    _ deflater: inout QuickDeflater,
    _ comment: Comment,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    var output = [UInt8](repeating: 0, count: QuickDeflater.bound(bytes.count))
    let count = bytes.withUnsafeBytes { input in
      output.withUnsafeMutableBytes { deflater.compress(input, into: $0) }
    }
    // What `PNGEncoder.largestTile` counts on, whatever the bytes.
    #expect(count <= bytes.count / 3 * 4 + 1000, comment, sourceLocation: location)
    guard var inflater = Inflater() else {
      Issue.record("no memory")
      return
    }
    var back = [UInt8](repeating: 0, count: bytes.count)
    try output[..<count].withUnsafeBytes { stream in
      try back.withUnsafeMutableBytes { try inflater.decompress(stream, .zlib, filling: $0) }
    }
    #expect(back == bytes, comment, sourceLocation: location)
  }

  @Test func `any length of one byte comes back`() throws {
    var deflater = QuickDeflater()
    for length in Array(1...40) + Array(250...530) + [1000, 65535, 1_000_003] {
      let bytes = [UInt8](repeating: 7, count: length)
      try expectRoundTrip(bytes, &deflater, "\(length)")
    }
  }

  @Test func `what was compressed before does not matter`() {
    var random = SeededGenerator(seed: 5)
    var kept = QuickDeflater()
    let noise = (0..<400).map { _ in UInt8.random(in: 0...255, using: &random) }
    // The last two: right before positions of earlier streams have to be forgotten, and where they are.
    let limit = Int(UInt32.max) - QuickDeflater.maxInput
    for base in [nil, nil, nil, limit, limit + 1] {
      let bytes = (0..<200).flatMap { _ in noise.suffix(Int.random(in: 1...400, using: &random)) }
      if let base { kept.nextBase = base }
      var fresh = QuickDeflater()
      let (expected, found) = (compressed(bytes, &fresh), compressed(bytes, &kept))
      #expect(found == expected)
    }
  }

  private func compressed(_ bytes: [UInt8], _ deflater: inout QuickDeflater) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: QuickDeflater.bound(bytes.count))
    let count = bytes.withUnsafeBytes { input in
      output.withUnsafeMutableBytes { deflater.compress(input, into: $0) }
    }
    return Array(output[..<count])
  }

  @Test func `noise over many blocks comes back, within the bound`() throws {
    var random = SeededGenerator(seed: 3)
    var deflater = QuickDeflater()
    for alphabet in [2, 3, 16, 256] {
      let bytes = (0..<200_000).map { _ in
        UInt8(Int.random(in: 0..<alphabet, using: &random))
      }
      try expectRoundTrip(bytes, &deflater, "\(alphabet) values")
    }
  }

  @Test func `repetitions at every kind of distance come back`() throws {
    var random = SeededGenerator(seed: 4)
    var deflater = QuickDeflater()
    for distance in [1, 2, 3, 4, 5, 8, 9, 100, 4096, 32767, 32768, 32769] {
      let noise = (0..<distance).map { _ in UInt8.random(in: 0...255, using: &random) }
      let bytes = noise + noise + noise.prefix(300) + [1, 2, 3]
      try expectRoundTrip(bytes, &deflater, "distance \(distance)")
    }
  }

  @Test func `literals and long runs mixed at random come back`() throws {
    var random = SeededGenerator(seed: 5)
    var deflater = QuickDeflater()
    for round in 0..<60 {
      var bytes: [UInt8] = []
      while bytes.count < 60_000 {
        let length = Int.random(in: 1...[3, 20, 300, 20_000][round % 4], using: &random)
        if Bool.random(using: &random), bytes.count > 10 {
          let start = Int.random(in: 0..<bytes.count, using: &random)
          for index in 0..<length { bytes.append(bytes[start + index]) }
        } else {
          for _ in 0..<min(length, 50) { bytes.append(.random(in: 0...15, using: &random)) }
        }
      }
      try expectRoundTrip(bytes, &deflater, "round \(round)")
    }
  }

  @Test func `rows that are compressed while they are made come back`() throws {
    var random = SeededGenerator(seed: 6)
    var deflater = QuickDeflater()
    var window = Scratch()
    // Shorter than a match, longer than the window, and a picture of several windows.
    for (pitch, count) in [(1, 1), (2, 700), (97, 3), (4897, 300), (40_000, 20), (98_302, 9)] {
      var rows: [[UInt8]] = []
      for index in 0..<count {
        let noise = (0..<pitch).map { _ in UInt8.random(in: 0...3, using: &random) }
        rows.append(
          index % 3 == 0
            ? noise : index % 7 == 1 ? [UInt8](repeating: 9, count: pitch) : rows[index - 1]
        )
      }
      var output = [UInt8](repeating: 0, count: QuickDeflater.bound(pitch * count))
      let written = output.withUnsafeMutableBytes { output in
        deflater.compress(rows: count, pitch: pitch, in: &window, into: output) { row, target in
          if row > 0 {
            let above = UnsafeRawBufferPointer(start: target - pitch, count: pitch)
            #expect(above.elementsEqual(rows[row - 1]), "row \(row) of \(pitch)")
          }
          UnsafeMutableRawBufferPointer(start: target, count: pitch).copyBytes(from: rows[row])
        }
      }
      guard var inflater = Inflater() else {
        Issue.record("no memory")
        return
      }
      var back = [UInt8](repeating: 0, count: pitch * count)
      try output[..<written].withUnsafeBytes { stream in
        try back.withUnsafeMutableBytes { try inflater.decompress(stream, .zlib, filling: $0) }
      }
      #expect(back == rows.flatMap(\.self), "\(count) rows of \(pitch) bytes")
    }
  }

  @Test func `no code is longer than the limit, and all codes are used`() {
    // Fibonacci's numbers make Huffman's algorithm give each symbol a longer code than the last.
    var frequencies: [UInt32] = [1, 1]
    while frequencies.count < 40 { frequencies.append(frequencies.suffix(2).reduce(0, +)) }
    for count in 2...40 {
      for limit in [7, 15] where count <= 1 << limit {
        var part = Array(frequencies.prefix(count))
        let code = part.withUnsafeMutableBufferPointer {
          HuffmanCode(frequencies: $0, limit: limit)
        }
        #expect(code.lengths.allSatisfy { (1...UInt8(limit)).contains($0) })
        let sum = code.lengths.reduce(0) { $0 + (1 << (limit - Int($1))) }
        #expect(sum == 1 << limit, "\(count) symbols of \(limit) bits")
      }
    }
  }
}

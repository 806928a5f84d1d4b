import PNGCoding
import RectoGeometry
import TestSupport
import Testing

/// Tiles are read back from a cache that other programs may have written to: any bytes end in pixels or in
/// a `PNGError`, never in a trap.
@Suite struct HostileBytesTests {
  private var samples: [Source] {
    [
      Source("gray", width: 20, height: 12) { x, y, _ in gray(x * y) },
      Source("palette", width: 20, height: 12) { x, y, _ in UInt32(x % 5) * 0x1234 + 0xFF },
      Source("rgb", width: 30, height: 12) { _, _, random in .random(in: 0 ... .max, using: &random)
      },
      Source("white", width: 20, height: 12) { _, _, _ in 0xFF_FFFF },
    ]
  }

  @Test func `no flipped bit passes the structure check`() throws {
    for source in samples {
      let file = try source.encoded()
      for index in file.indices {
        for bit in 0..<8 {
          var damaged = file
          damaged[index] ^= 1 << UInt8(bit)
          #expect(
            !PNGStructure.check(damaged, size: source.size),
            "\(source), byte \(index)"
          )
        }
      }
    }
  }

  @Test func `no shorter or longer file passes the structure check`() throws {
    for source in samples {
      let file = try source.encoded()
      for length in 0..<file.count {
        let short = Array(file.prefix(length))
        #expect(!PNGStructure.check(short, size: source.size), "\(source), \(length)")
        #expect(throws: PNGError.self) {
          try PNGDecoder.decode(short, maxPixels: 1000)
        }
      }
      for tail in [[0], [10], file] as [[UInt8]] {
        #expect(!PNGStructure.check((file + tail), size: source.size))
      }
    }
  }

  @Test func `the structure check wants the expected size`() throws {
    let file = try samples[0].encoded()
    #expect(PNGStructure.check(file, size: PixelSize(width: 20, height: 12)))
    #expect(!PNGStructure.check(file, size: PixelSize(width: 12, height: 20)))
    #expect(try PNGStructure.validate(file).size == PixelSize(width: 20, height: 12))
  }

  @Test func `every tile is one, of its size and within the bound for it`() throws {
    for source in samples {
      let file = try source.encoded()
      let size = source.size
      #expect(PNGStructure.isTile(file, size: size), "\(source)")
      #expect(!PNGStructure.isTile(file, size: PixelSize(width: size.height, height: size.width)))
      #expect(file.count <= PNGEncoder.largestTile(size))
    }
    for (width, height) in [(1, 1), (1, 500), (500, 1), (16, 16), (333, 64)] {
      for compression in [PNGEncoder.Compression.quick, .libdeflate(level: 2)] {
        var encoder = try PNGEncoder(compression: compression)
        let noise = Source("noise", width: width, height: height) { _, _, random in
          .random(in: 0 ... .max, using: &random)
        }
        #expect(try noise.encoded(&encoder).count <= PNGEncoder.largestTile(noise.size))
      }
    }
    #expect(PNGEncoder.largestTile(PixelSize(width: .max - 1, height: .max)) == .max)
  }

  @Test func `a PNG of a kind that no tile has is none`() {
    let size = PixelSize(width: 2, height: 2)
    func isTile(_ make: (inout HandMade) -> Void) -> Bool {
      var picture = HandMade(width: 2, height: 2, depth: 8, colorType: 0, rows: [0, 1, 2, 0, 3, 4])
      make(&picture)
      return PNGStructure.isTile(picture.file, size: size)
    }
    #expect(isTile { _ in })
    #expect(isTile { $0.pieces = 2 })
    #expect(!isTile { $0.interlace = 1 })
    #expect(!isTile { $0.depth = 16 })
    #expect(!isTile { $0.colorType = 4 })
    #expect(!isTile { $0.colorType = 6 })
    #expect(!isTile { $0.palette = [1, 2, 3] })
    #expect(!isTile { $0.extra = [("tEXt", Array("a\0b".utf8))] })
    // Compressed data that can never become so many rows.
    #expect(!PNGStructure.isTile(HandMade.empty(width: 2, height: 2), size: size))
    let large = PixelSize(width: 20_000, height: 20_000)
    #expect(
      !PNGStructure.isTile(
        HandMade(width: 20_000, height: 20_000, depth: 8, colorType: 2, rows: [0]).file,
        size: large
      )
    )
  }

  @Test func `chunks in the wrong order or number are damage`() throws {
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]
    let parts = Dictionary(
      uniqueKeysWithValues: chunks(of: try samples[1].encoded()).map {
        ($0.type, HandMade.chunk($0.type, $0.data))
      }
    )
    let text = HandMade.chunk("tEXt", Array("Software\0Recto".utf8))
    func file(_ order: [String]) -> [UInt8] {
      order.reduce(signature) { $0 + ($1 == "tEXt" ? text : parts[$1] ?? []) }
    }
    for good in [
      ["IHDR", "PLTE", "IDAT", "IEND"], ["IHDR", "tEXt", "PLTE", "IDAT", "tEXt", "IEND"],
    ] {
      #expect(throws: Never.self) { try PNGStructure.validate(file(good)) }
    }
    let wrong = [
      [], ["IHDR"], ["IEND"], ["IHDR", "IEND"], ["IHDR", "PLTE", "IEND"],
      ["IHDR", "IDAT", "IEND"], ["IHDR", "IDAT", "PLTE", "IEND"], ["PLTE", "IHDR", "IDAT", "IEND"],
      ["IHDR", "IHDR", "PLTE", "IDAT", "IEND"], ["IHDR", "PLTE", "PLTE", "IDAT", "IEND"],
      ["IHDR", "PLTE", "IDAT", "tEXt", "IDAT", "IEND"], ["IHDR", "PLTE", "IDAT"],
      ["IHDR", "PLTE", "IDAT", "IEND", "IEND"], ["IHDR", "PLTE", "IDAT", "IEND", "tEXt"],
    ]
    for order in wrong {
      #expect(code { try PNGStructure.validate(file(order)) } == .damaged, "\(order)")
    }
  }

  @Test func `mutated files end in pixels or in an error`() throws {
    var random = SeededGenerator(seed: 99)
    let files = try samples.map { try $0.encoded() }
    for round in 0..<20_000 {
      var file = files[round % files.count]
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index = Int.random(in: 0..<file.count, using: &random)
        switch Int.random(in: 0...3, using: &random) {
        case 0: file[index] = .random(in: 0...255, using: &random)
        case 1: file.remove(at: index)
        case 2: file.insert(.random(in: 0...255, using: &random), at: index)
        default: file.removeSubrange(index..<min(file.count, index + 9))
        }
        if file.isEmpty { file = [0] }
      }
      _ = try? PNGDecoder.decode(file, maxPixels: 10_000)
      _ = try? PNGStructure.texts(in: file)
    }
  }

  @Test func `mutations with right checksums end in pixels or in an error`() throws {
    var random = SeededGenerator(seed: 100)
    let files = try samples.map { chunks(of: try $0.encoded()) }
    var decoded = 0
    for round in 0..<20_000 {
      var parts = files[round % files.count]
      // Sizes and depths that PNG knows are tried often, or little would come past the header.
      let part = Int.random(in: 0..<parts.count - 1, using: &random)
      if !parts[part].data.isEmpty {
        let index = Int.random(in: 0..<parts[part].data.count, using: &random)
        let likely: [UInt8] = [0, 1, 2, 3, 4, 6, 8, 16, 20, 255]
        parts[part].data[index] = likely.randomElement(using: &random) ?? 0
      }
      let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]
      let file = parts.reduce(signature) { $0 + HandMade.chunk($1.type, $1.data) }
      if let picture = try? PNGDecoder.decode(file, maxPixels: 10_000) {
        #expect(picture.pixels.count == picture.size.area)
        decoded += 1
      }
    }
    #expect(decoded > 100)
  }

  @Test func `rows of any bytes end in pixels or in an error`() throws {
    var random = SeededGenerator(seed: 101)
    for _ in 0..<5_000 {
      let width = Int.random(in: 1...20, using: &random)
      let height = Int.random(in: 1...5, using: &random)
      let colorType = [0, 2, 3, 6].randomElement(using: &random) ?? 0
      let depth = colorType % 4 == 2 ? 8 : [1, 2, 4, 8].randomElement(using: &random) ?? 8
      let samples = [1, 0, 3, 1, 0, 0, 4][colorType]
      let rowBytes = (width * depth * samples + 7) / 8
      var rows: [UInt8] = []
      for _ in 0..<height {
        rows.append(.random(in: 0...4, using: &random))
        for _ in 0..<rowBytes { rows.append(.random(in: 0...255, using: &random)) }
      }
      let image = HandMade(
        width: width,
        height: height,
        depth: depth,
        colorType: colorType,
        rows: rows,
        palette: colorType == 3 ? [UInt8](repeating: 9, count: 48) : []
      )
      _ = try? PNGDecoder.decode(image.file, maxPixels: 10_000)
    }
  }
}

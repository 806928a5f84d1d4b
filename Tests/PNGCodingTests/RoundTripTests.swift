import CCairo
import PNGCoding
import RectoGeometry
import TestSupport
import Testing

@Suite struct RoundTripTests {
  @Test func `what is decoded equals what was encoded`() throws {
    var encoder = try PNGEncoder()
    try everyPicture { source in
      let file = try source.encoded(&encoder)
      let decoded = try PNGDecoder.decode(file, maxPixels: 100_000)
      #expect(decoded == source.picture, "\(source)")
      #expect(PNGStructure.check(file, size: source.size), "\(source)")
    }
  }

  @Test func `every filter and level loses nothing`() throws {
    let compressions: [PNGEncoder.Compression] = [
      .quick, .libdeflate(level: 1), .libdeflate(level: 6), .libdeflate(level: 12),
    ]
    let filterings: [PNGEncoder.Filtering] = [.none, .sub, .up, .paeth, .adaptive, .byContent]
    for filtering in filterings {
      for compression in compressions {
        var encoder = try PNGEncoder(compression: compression, filtering: filtering)
        for kind in Kind.all {
          let source = Source(kind.name, width: 67, height: 41, padding: 3, kind.pixel)
          let file = try source.encoded(&encoder)
          let decoded = try PNGDecoder.decode(file, maxPixels: 10_000)
          #expect(decoded == source.picture, "\(source), \(compression), \(filtering)")
        }
      }
    }
  }

  @Test func `libpng reads the same pixels`() throws {
    var encoder = try PNGEncoder()
    try everyPicture { source in
      let file = try source.encoded(&encoder)
      #expect(try Self.libpng(file) == source.picture, "\(source)")
    }
  }

  @Test func `an encoder that has seen other pictures writes the same bytes as a new one`() throws {
    var used = try PNGEncoder()
    try everyPicture { source in
      let first = try source.encoded(&used)
      #expect(first == (try source.encoded()), "\(source)")
    }
  }

  @Test func `random small pictures come back`() throws {
    var random = SeededGenerator(seed: 42)
    var encoder = try PNGEncoder()
    for _ in 0..<2000 {
      let palette = (0..<Int.random(in: 1...300, using: &random)).map { _ in
        UInt32.random(in: 0 ... .max, using: &random)
      }
      let source = Source(
        "\(palette.count) colors",
        width: .random(in: 1...40, using: &random),
        height: .random(in: 1...40, using: &random),
        padding: .random(in: 0...4, using: &random),
        seed: .random(in: 0 ... .max, using: &random)
      ) { x, _, random in
        palette[x % 3 == 0 ? Int.random(in: 0..<palette.count, using: &random) : 0]
      }
      let file = try source.encoded(&encoder)
      #expect(
        try PNGDecoder.decode(file, maxPixels: 1600) == source.picture,
        "\(source)"
      )
    }
  }

  /// The pixels that cairo, and so libpng, reads.
  static func libpng(_ file: [UInt8]) throws -> PNGPicture {
    var rest = file[...]
    let surface = withUnsafeMutablePointer(to: &rest) { rest in
      cairo_image_surface_create_from_png_stream(
        { closure, output, count in
          guard let rest = closure?.assumingMemoryBound(to: ArraySlice<UInt8>.self),
            rest.pointee.count >= Int(count)
          else { return CAIRO_STATUS_READ_ERROR }
          for index in 0..<Int(count) { output?[index] = rest.pointee.removeFirst() }
          return CAIRO_STATUS_SUCCESS
        },
        rest
      )
    }
    defer { cairo_surface_destroy(surface) }
    try #require(cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS)
    let width = Int(cairo_image_surface_get_width(surface))
    let height = Int(cairo_image_surface_get_height(surface))
    let stride = Int(cairo_image_surface_get_stride(surface))
    let format = cairo_image_surface_get_format(surface)
    let data = try #require(cairo_image_surface_get_data(surface))
    var pixels: [UInt32] = []
    for y in 0..<height {
      for x in 0..<width {
        let word = UnsafeRawPointer(data).loadUnaligned(
          fromByteOffset: y * stride + x * 4,
          as: UInt32.self
        )
        pixels.append(format == CAIRO_FORMAT_ARGB32 ? word : word | 0xFF00_0000)
      }
    }
    return PNGPicture(size: PixelSize(width: width, height: height), pixels: pixels)
  }
}

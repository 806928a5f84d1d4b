import CairoPeer
import PNGCoding
import RectoGeometry

/// Something that writes tiles as PNG.
protocol Coder {
  var name: String { get }
  /// The file for one tile.
  mutating func encode(_ dump: Dump, _ tile: Dump.Tile) throws -> [UInt8]
}

/// Recto's own encoder.
struct RectoCoder: Coder {
  let name: String
  private let encoder: EncoderBox

  init(compression: PNGEncoder.Compression, filtering: PNGEncoder.Filtering) throws {
    let method =
      switch compression {
      case .byContent: "as elected"
      case .quick: "quick"
      case .libdeflate(let level): "libdeflate \(level)"
      }
    name = "\(method), filters \(filtering)"
    encoder = EncoderBox(try PNGEncoder(compression: compression, filtering: filtering))
  }

  func encode(_ dump: Dump, _ tile: Dump.Tile) throws -> [UInt8] {
    try encoder.encode(dump, tile)
  }
}

/// An existential cannot hold a noncopyable value itself.
private final class EncoderBox {
  private var encoder: PNGEncoder

  init(_ encoder: consuming PNGEncoder) { self.encoder = encoder }

  func encode(_ dump: Dump, _ tile: Dump.Tile) throws -> [UInt8] {
    try encoder.tile(
      dump.pixels.span.bytes.extracting(dump.range(of: tile)),
      stride: dump.stride,
      size: PixelSize(width: tile.width, height: tile.height)
    )
  }
}

/// `cairo_surface_write_to_png_stream` on an RGB24 surface.
struct CairoCoder: Coder {
  let name = "cairo"

  struct Failure: Error { var status: UInt32 }

  func encode(_ dump: Dump, _ tile: Dump.Tile) throws -> [UInt8] {
    var output: [UInt8] = []
    let status = dump.pixels.withUnsafeBytes { bytes in
      // cairo wants mutable memory, and does not write to it here.
      let start =
        UnsafeMutableRawPointer(mutating: bytes.baseAddress.unsafelyUnwrapped)
        + dump.range(of: tile).lowerBound
      let surface = cairo_image_surface_create_for_data(
        start.assumingMemoryBound(to: UInt8.self),
        CAIRO_FORMAT_RGB24,
        Int32(tile.width),
        Int32(tile.height),
        Int32(dump.stride)
      )
      defer { cairo_surface_destroy(surface) }
      return withUnsafeMutablePointer(to: &output) { output in
        cairo_surface_write_to_png_stream(
          surface,
          { output, bytes, count in
            output?.assumingMemoryBound(to: [UInt8].self).pointee.append(
              contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count))
            )
            return CAIRO_STATUS_SUCCESS
          },
          output
        )
      }
    }
    guard status == CAIRO_STATUS_SUCCESS else { throw Failure(status: status.rawValue) }
    return output
  }
}

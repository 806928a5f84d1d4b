import Geometry
import PNGCoding
import Testing

@Suite struct EncoderTests {
  @Test func `a file starts with the signature and ends with IEND`() throws {
    var encoder = try PNGEncoder()
    let pixels: [UInt32] = [0, 0xFF_FFFF, 0x12_3456, 0]
    let file = try encoder.tile(
      pixels.span.bytes,
      stride: 8,
      size: PixelSize(width: 2, height: 2)
    )
    #expect(file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    #expect(file.suffix(8) == [0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82])
  }
}

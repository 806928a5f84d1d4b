import PNGCoding

// Pixels are words 0xRRGGBB. 256 colors or fewer are written with a palette, gray ones without.
let size = PixelSize(width: 256, height: 64)
let pixels = (0..<size.width * size.height).map { UInt32($0 % size.width) * 0x01_0000 }

var encoder = try PNGEncoder()
let file = try encoder.picture(pixels.span.bytes, stride: size.width * 4, size: size)
let header = try PNGStructure.validate(file)
print("\(file.count) bytes, \(header.bitDepth) bits of \(header.colorType)")

let picture = try PNGDecoder.decode(file, maxPixels: 1 << 20)
print(picture.pixels.map { $0 & 0xFF_FFFF } == pixels ? "read back" : "different")

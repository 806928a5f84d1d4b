// A libFuzzer target over the decoder of PNG and the checks of picture files.

import DocumentModel
import PNGCoding
import RectoGeometry
import RectoPictures

/// One input: a file that can be decoded is encoded and decoded to the same pixels; a file that passes as a tile can
/// be decoded to its size.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPNG(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  let picture = try? PNGDecoder.decode(bytes, maxPixels: 1 << 16)
  if let picture {
    precondition(picture.pixels.count == picture.size.width * picture.size.height, "other pixels")
    checkAgain(picture)
  }
  let sizes = [picture?.size, PixelSize(width: 1, height: 1), PixelSize(width: 16, height: 16)]
  for size in sizes.compactMap({ $0 }) {
    for style in styles {
      let isPicture = PictureStructure.isPicture(bytes, size: size, style)
      guard isPicture, style.format == .png else { continue }
      guard let again = try? PNGDecoder.decode(bytes, maxPixels: 1 << 16) else {
        // What is checked without decoding may still be no deflate stream.
        continue
      }
      precondition(again.size == size, "a tile of another size")
    }
  }
  return 0
}

private let styles: [PictureStyle] =
  [.tile, .desktopThumbnail]
  + [PictureFormat.jpeg, .webp].compactMap { try? PictureStyle($0) }

private func checkAgain(_ picture: PNGPicture) {
  guard var encoder = try? PNGEncoder() else { return }
  let isOpaque = picture.pixels.allSatisfy { $0 >> 24 == 0xFF }
  guard isOpaque else { return }
  let file = picture.pixels.withUnsafeBytes { pixels in
    try? encoder.tile(pixels.bytes, stride: picture.size.width * 4, size: picture.size)
  }
  guard let file, let again = try? PNGDecoder.decode(file, maxPixels: 1 << 16) else {
    preconditionFailure("a picture that cannot be encoded and decoded")
  }
  precondition(again == picture, "another picture")
  precondition(PictureStructure.isPicture(file, size: picture.size, .tile), "no tile")
}

import Foundation
import PNGCoding
import RectoGeometry
import TestSupport
import Testing

/// A PNG file's picture.
func picture(_ path: String) throws -> PNGPicture {
  let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
  return try PNGDecoder.decode(bytes.span.bytes, maxPixels: 1 << 26)
}

/// Checks that every PNG below a folder is whole; returns how many there are.
@discardableResult
func expectWholePictures(in folder: TemporaryFolder) throws -> Int {
  let names = folder.files.filter { $0.hasSuffix(".png") }
  for name in names {
    #expect(throws: Never.self, "\(name)") { try picture(folder.path(name)) }
  }
  return names.count
}

import Foundation
import PNGCoding
import RectoGeometry
import TestSupport
import Testing

/// Pillow has its own PNG reader and writer on top of zlib. The tests are skipped, and say so,
/// where `python3` has no Pillow.
@Suite(.enabled(if: Pillow.isInstalled, "python3 has no Pillow"))
struct PillowTests {
  @Test func `Pillow reads the pixels that were encoded`() throws {
    try Pillow.withFolder { folder in
      var encoder = try PNGEncoder()
      var index = 0
      try everyPicture { source in
        let file = try source.encoded(&encoder)
        let name = folder.appending(component: "\(index)").path
        try Data(file).write(to: URL(fileURLWithPath: name + ".png"))
        try Pillow.rgb(source.picture).write(to: URL(fileURLWithPath: name + ".rgb"))
        index += 1
      }
      let script = """
        import glob, sys
        from PIL import Image
        files = sorted(glob.glob(sys.argv[1] + '/*.png'))
        for file in files:
            if Image.open(file).convert('RGB').tobytes() != open(file[:-4] + '.rgb', 'rb').read():
                print('differs:', file)
        print(len(files))
        """
      #expect(try Pillow.run(script, folder.path) == "\(index)\n")
    }
  }

  @Test func `what Pillow writes is read back`() throws {
    try Pillow.withFolder { folder in
      let script = """
        import random, sys
        from PIL import Image
        random.seed(5)
        index = 0
        for size in [(1, 1), (7, 5), (33, 20), (100, 64)]:
            noise = Image.frombytes('RGB', size, random.randbytes(3 * size[0] * size[1]))
            smooth = Image.linear_gradient('L').resize(size).convert('RGB')
            for image in [noise, smooth, Image.blend(noise, smooth, 0.9)]:
                kinds = [image, image.convert('L'), image.convert('1')]
                kinds += [image.quantize(n) for n in [2, 4, 16, 200]]
                for kind in kinds:
                    for level in [0, 1, 9]:
                        name = f'{sys.argv[1]}/{index}'
                        kind.save(name + '.png', compress_level=level)
                        open(name + '.rgb', 'wb').write(kind.convert('RGB').tobytes())
                        index += 1
        print(index)
        """
      let count = try #require(Int(try Pillow.run(script, folder.path).dropLast()))
      for index in 0..<count {
        let file = try Data(contentsOf: folder.appending(component: "\(index).png"))
        let picture = try PNGDecoder.decode([UInt8](file), maxPixels: 10_000)
        let expected = try Data(contentsOf: folder.appending(component: "\(index).rgb"))
        #expect(Pillow.rgb(picture) == expected, "\(index)")
      }
    }
  }
}

/// Python with Pillow.
private enum Pillow {
  static let isInstalled = (try? run("import PIL")) == ""

  struct Failure: Error { var status: Int32 }

  /// What a script prints.
  static func run(_ script: String, _ arguments: String...) throws -> String {
    let result = try Program.run(
      URL(filePath: "/usr/bin/env"),
      ["python3", "-c", script] + arguments
    )
    guard result.code == 0 else { throw Failure(status: result.code) }
    return result.text
  }

  static func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(component: "PillowTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  /// Three bytes per pixel.
  static func rgb(_ picture: PNGPicture) -> Data {
    Data(picture.pixels.flatMap { [UInt8($0 >> 16 & 255), UInt8($0 >> 8 & 255), UInt8($0 & 255)] })
  }
}

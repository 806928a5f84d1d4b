import Foundation
import PNGCoding
import RectoGeometry
import TestSupport
import Testing

/// The formats of `--image` and of thumbnails.
@Suite struct PictureFormatTests {
  private static let window = [
    "render", fixture("book"), "--page", "5", "--viewport", "300x200", "--scale", "2",
  ]

  /// The format of a file by its first bytes.
  private func format(_ data: Data) -> String {
    if data.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "png" }
    if data.starts(with: [0xFF, 0xD8]), data.suffix(2) == Data([0xFF, 0xD9]) { return "jpeg" }
    if data.starts(with: Array("RIFF".utf8)), data[8..<12] == Data("WEBP".utf8) { return "webp" }
    if data.starts(with: Array("P6\n".utf8)) { return "ppm" }
    if data.starts(with: [0x49, 0x49, 42, 0]) { return "tiff" }
    return "unknown"
  }

  @Test func `the name of a picture decides its format, --format decides before it`() throws {
    let sandbox = try CommandSandbox()
    let cases: [(name: String, more: [String], format: String)] = [
      ("a.png", [], "png"), ("a.jpg", [], "jpeg"), ("a.JPEG", [], "jpeg"), ("a.webp", [], "webp"),
      ("a.ppm", [], "ppm"), ("a.tif", [], "tiff"), ("a.TIFF", [], "tiff"),
      ("a", [], "png"), ("a.tmp", [], "png"), ("b.png", ["--format", "webp"], "webp"),
      ("b.tiff", ["--format", "jpg"], "jpeg"), ("c.jpg", ["--quality", "10", "--gray"], "jpeg"),
    ]
    for (name, more, expected) in cases {
      let result = try sandbox.recto(Self.window + ["--image", name] + more)
      #expect(result.code == 0, "\(result.errors)")
      let data = try Data(contentsOf: sandbox.folder.url.appending(path: name))
      #expect(format(data) == expected, "\(name) \(more)")
    }
    let output = try sandbox.recto(Self.window + ["--image", "-", "--format", "jpeg"])
    #expect(format(output.output) == "jpeg")
    // JFIF: pixels per inch, 144 of them.
    #expect(output.output[13..<18] == Data([1, 0, 144, 0, 144]))
  }

  @Test func `a picture in gray has no color and the pixels of pdftocairo`() throws {
    let sandbox = try CommandSandbox()
    let result = try sandbox.recto(
      "thumbs",
      fixture("transparency"),
      "--pages",
      "1",
      "--size",
      "440",
      "--gray",
      "--text",
      "poppler",
      "-o",
      "out"
    )
    #expect(result.code == 0)
    let line: ThumbnailLine = try result.decoded()
    let file = try #require(line.thumbnails?.first?.file)
    let bytes = [UInt8](try Data(contentsOf: sandbox.folder.url.appending(path: file)))
    let picture = try PNGDecoder.decode(bytes.span.bytes, maxPixels: 1 << 20)
    #expect(picture.pixels.allSatisfy { $0 & 255 == $0 >> 8 & 255 && $0 & 255 == $0 >> 16 & 255 })
    #expect(Set(picture.pixels).count > 16)
    let tool = try Program.runInPath(
      "pdftocairo",
      [
        "-png", "-gray", "-r", "72", "-l", "1", "-singlefile", fixture("transparency"),
        sandbox.folder.path("tool"),
      ]
    )
    #expect(tool.code == 0)
    let data = try Data(contentsOf: sandbox.folder.url.appending(path: "tool.png"))
    let other = try PNGDecoder.decode([UInt8](data).span.bytes, maxPixels: 1 << 20)
    #expect(picture.size == other.size)
    #expect(picture.pixels == other.pixels)
  }

  @Test func `thumbnails have the extension of their format`() throws {
    let sandbox = try CommandSandbox()
    for (format, name) in [("jpeg", "book.jpg"), ("webp", "book.webp"), ("png", "book.png")] {
      let arguments = ["thumbs", fixture("book"), "--format", format, "-o", "out"]
      let result = try sandbox.recto(arguments)
      #expect(result.code == 0)
      let line: ThumbnailLine = try result.decoded()
      #expect(line.thumbnails?.first?.file == "out/\(name)")
      let data = try Data(contentsOf: sandbox.folder.url.appending(path: "out/\(name)"))
      #expect(self.format(data) == format)
    }
  }

  @Test func `options that are out of range or without effect are refused`() throws {
    let sandbox = try CommandSandbox()
    let thumbs = ["thumbs", fixture("book"), "-o", "out"]
    let cases: [([String], message: String)] = [
      (Self.window + ["--quality", "50"], "--quality needs --image; tiles are PNG"),
      (Self.window + ["--gray"], "--gray needs --image; tiles are PNG"),
      (Self.window + ["--format", "webp"], "--format needs --image; tiles are PNG"),
      (
        Self.window + ["--image", "a.png", "--quality", "50"],
        "--quality: has no effect on png, which is lossless"
      ),
      (
        Self.window + ["--image", "a.jpg", "--quality", "101"],
        "--quality: must be a whole number between 1 and 100, is 101"
      ),
      (
        Self.window + ["--image", "a.gif"],
        "--image: the format is to be .png, .jpg, .webp, .ppm, .tif, .svg or .pdf, is a.gif"
      ),
      (thumbs + ["--quality", "50"], "--quality: has no effect on png, which is lossless"),
    ]
    for (arguments, message) in cases {
      let result = try sandbox.recto(arguments)
      #expect(result.code == 64)
      #expect(result.errors.contains("recto: \(message)\n"), "\(result.errors)")
    }
    #expect(sandbox.folder.files.isEmpty)
  }

  @Test func `a picture beyond the limit of its format is an error that names it`() throws {
    let sandbox = try CommandSandbox()
    let arguments = [
      "render", fixture("book"), "--viewport", "20000x30", "--image", "a.webp", "--errors", "json",
    ]
    let result = try sandbox.recto(arguments)
    #expect(result.code == 65)
    let line = try JSONDecoder().decode(MessageLine.self, from: Data(result.errors.utf8))
    #expect(line.code == "page-size")
    #expect(line.message.contains("the limit of webp is 16383 a side"))
    #expect(sandbox.folder.files.isEmpty)
  }
}

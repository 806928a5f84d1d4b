import Foundation
import RectoGeometry
import TestSupport
import Testing

/// `recto thumbs --embedded`, with documents whose blue pages have pictures that are red and green.
@Suite(.serialized, .timeLimit(.minutes(10))) struct EmbeddedPictureTests {
  /// A page with an embedded picture.
  struct Document: Sendable {
    var rotation = 0
    var width = 150
    var height = 200
    /// More of the picture's dictionary.
    var entries = "/BitsPerComponent 8 /ColorSpace /DeviceRGB"
    /// The picture's data in hexadecimal digits; nil for all of its pixels.
    var data: String?
    var filter = "/ASCIIHexDecode"
    /// What stands in place of the picture; nil for the picture.
    var object: String?
    /// Objects that nothing refers to.
    var unused = 0

    /// The left half red, the right half green.
    private var pixels: String {
      let red = String(repeating: "FF0000", count: width / 2)
      let green = String(repeating: "00FF00", count: width - width / 2)
      return String(repeating: red + green, count: height)
    }

    /// The bytes of the file; the page has 300×400 points.
    var bytes: Data {
      let pixels = data ?? pixels
      var objects = [
        "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        """
        << /Type /Page /Parent 2 0 R /Resources << >> /MediaBox [0 0 300 400] /Rotate \(rotation)
        /Contents 4 0 R /Thumb 5 0 R >>
        """, "<< /Length 24 >>\nstream\n0 0 1 rg 0 0 900 900 re f\nendstream",
        object
          ?? """
          << /Width \(width) /Height \(height) \(entries) /Filter \(filter)
          /Length \(pixels.utf8.count + 1) >>
          stream
          \(pixels)>
          endstream
          """,
      ]
      objects += Array(repeating: "null", count: unused)
      var text = "%PDF-1.7\n"
      var table = "0000000000 65535 f \n"
      for (index, object) in objects.enumerated() {
        let offset = String(text.utf8.count)
        table += String(repeating: "0", count: 10 - offset.count) + offset + " 00000 n \n"
        text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
      }
      let start = text.utf8.count
      text += "xref\n0 \(objects.count + 1)\n\(table)"
      text += "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R >>\nstartxref\n\(start)\n%%EOF\n"
      return Data(text.utf8)
    }
  }

  /// Writes documents by their names into the directory `in`.
  private func sandbox(_ documents: [String: Document]) throws -> CommandSandbox {
    let sandbox = try CommandSandbox()
    try FileManager.default.createDirectory(
      atPath: sandbox.folder.path("in"),
      withIntermediateDirectories: true
    )
    for (name, document) in documents {
      try document.bytes.write(to: URL(filePath: sandbox.folder.path("in/\(name).pdf")))
    }
    return sandbox
  }

  /// Makes thumbnails; the lines by the path of the document.
  private func run(
    _ sandbox: CommandSandbox,
    _ arguments: String...
  ) throws -> [String: [ThumbnailLine.Thumbnail]] {
    let result = try sandbox.recto(["thumbs", "in", "-o", "out"] + arguments)
    #expect(result.code == 0, "\(result.errors)")
    let lines: [ThumbnailLine] = try result.decodedLines()
    return Dictionary(uniqueKeysWithValues: lines.map { ($0.path, $0.thumbnails ?? []) })
  }

  /// The colors in the left and the right half of a thumbnail.
  private func colors(_ sandbox: CommandSandbox, _ name: String) throws -> [String] {
    let script = """
      import sys
      from PIL import Image
      image = Image.open(sys.argv[1]).convert('RGB')
      row = image.height // 2
      for x in (image.width // 4, image.width * 3 // 4): print('%02x%02x%02x' % image.getpixel((x, row)))
      """
    let path = sandbox.folder.path("out/\(name).png")
    let result = try Program.runInPath("python3", ["-c", script, path])
    #expect(result.code == 0, "\(result.errors)")
    return String(decoding: result.output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private static let embedded = ["ff0000", "00ff00"]
  private static let drawn = ["0000ff", "0000ff"]

  @Test("An embedded picture that is large enough takes the place of the page, in the same size")
  func used() throws {
    let documents = [
      "exact": Document(width: 96, height: 128), "large": Document(),
      // Rounded, so that a side has to grow.
      "narrow": Document(width: 95, height: 128), "wide": Document(width: 97, height: 128),
      // A subset of this document is written anew.
      "many": Document(unused: 20_000),
      "rotated": Document(rotation: 90, width: 200, height: 150),
    ]
    let sandbox = try sandbox(documents)
    let lines = try run(sandbox, "--embedded", "--size", "128")
    let plain = try run(sandbox, "--size", "128", "--format", "jpeg")
    for name in documents.keys {
      let file = try #require(lines["in/\(name).pdf"]?.first)
      let other = try #require(plain["in/\(name).pdf"]?.first)
      #expect(file.source == "embedded", "\(name)")
      #expect(other.source == "rendered")
      #expect(file.width == other.width && file.height == other.height, "\(name)")
      #expect(try colors(sandbox, name) == Self.embedded, "\(name)")
    }
  }

  @Test("All sizes come from the embedded picture, or none: the largest decides")
  func sizes() throws {
    let sandbox = try sandbox(["a": Document()])
    let small = try run(sandbox, "--embedded", "--size", "50,200")["in/a.pdf"]
    #expect(small?.map(\.source) == ["embedded", "embedded"])
    for side in ["50", "200"] { #expect(try colors(sandbox, "\(side)/a") == Self.embedded) }
    let large = try run(sandbox, "--embedded", "--size", "50,201")["in/a.pdf"]
    #expect(large?.map(\.source) == ["rendered", "rendered"])
    for side in ["50", "201"] { #expect(try colors(sandbox, "\(side)/a") == Self.drawn) }
  }

  @Test("A page is drawn if its embedded picture is too small, or not one of the page as displayed")
  func unfit() throws {
    let documents = [
      "small": Document(width: 90, height: 120), "proportions": Document(width: 160, height: 200),
      "turned": Document(rotation: 90), "upside": Document(rotation: 180),
    ]
    let sandbox = try sandbox(documents)
    let lines = try run(sandbox, "--embedded", "--size", "128")
    for name in documents.keys {
      #expect(lines["in/\(name).pdf"]?.first?.source == "rendered", "\(name)")
      #expect(try colors(sandbox, name) == Self.drawn, "\(name)")
    }
  }

  @Test("A page is drawn if its embedded picture is broken, whatever it says of itself")
  func hostile() throws {
    let depth = "/BitsPerComponent 8"
    let space = "/ColorSpace /DeviceRGB"
    let documents = [
      "null": Document(object: "null"), "self": Document(object: "5 0 R"),
      "page": Document(object: "3 0 R"), "plain": Document(object: "<< /Width 150 /Height 200 >>"),
      "huge": Document(width: 1_500_000_000, height: 2_000_000_000, data: "FF"),
      "large": Document(width: 30_000, height: 40_000, data: "FF"),
      "negative": Document(width: -150, height: -200, data: "FF"),
      "zero": Document(width: 0, height: 0, data: "FF"),
      "empty": Document(data: ""), "short": Document(data: String(repeating: "FF0000", count: 99)),
      "spaceless": Document(entries: depth), "depthless": Document(entries: space),
      "deep": Document(entries: "/BitsPerComponent 99 \(space)"),
      "shallow": Document(entries: "/BitsPerComponent -8 \(space)"),
      "filter": Document(data: "FF", filter: "/JPXDecode"),
    ]
    let sandbox = try sandbox(documents)
    let lines = try run(sandbox, "--embedded", "--size", "128")
    for name in documents.keys {
      #expect(lines["in/\(name).pdf"]?.first?.source == "rendered", "\(name)")
      #expect(try colors(sandbox, name) == Self.drawn, "\(name)")
    }
  }

  @Test("A run without embedded pictures does not continue one with them")
  func resuming() throws {
    let sandbox = try sandbox(["a": Document()])
    _ = try run(sandbox, "--size", "128", "--resume", "--embedded")
    let same = try sandbox.recto(
      "thumbs",
      "in",
      "-o",
      "out",
      "--size",
      "128",
      "--resume",
      "--embedded"
    )
    let lines: [ThumbnailLine] = try same.decodedLines()
    #expect(lines.map(\.unchanged) == [true])
    #expect(lines.first?.thumbnails?.first?.source == "embedded")
    let other = try run(sandbox, "--size", "128", "--resume")["in/a.pdf"]
    #expect(other?.first?.source == "rendered")
    #expect(try colors(sandbox, "a") == Self.drawn)
  }
}

import DocumentModel
import Foundation
import PNGCoding
import RectoGeometry
import RectoPictures
import TestSupport
import Testing

/// Pictures read by Pillow, which has readers of its own. The tests are skipped, and say so, where
/// `python3` has no Pillow.
@Suite(.enabled(if: Pillow.isInstalled, "python3 has no Pillow"))
struct PillowTests {
  @Test func `Pillow reads the colors that were encoded`() throws {
    // The smallest ratio of signal to noise in decibels.
    let styles: [(PictureStyle, least: Double)] = [
      (try PictureStyle(.png), 99), (try PictureStyle(.png, isGray: true), 99),
      (.opaque(.ppm), 99), (.opaque(.ppm, isGray: true), 99),
      (.opaque(.tiff), 99), (.opaque(.tiff, isGray: true), 99),
      (try PictureStyle(.jpeg), 30), (try PictureStyle(.jpeg, quality: 95), 36),
      (try PictureStyle(.jpeg, quality: 95, isGray: true), 36),
      (try PictureStyle(.webp), 30), (try PictureStyle(.webp, quality: 95, isGray: true), 36),
    ]
    for (style, least) in styles {
      let pixels = Pixels(120, 90)
      let ratio = try Pillow.compare(try pixels.encoded(style), pixels, isGray: style.isGray)
      #expect(ratio.mode == (style.isGray && style.format != .webp ? "L" : "RGB"), "\(style)")
      #expect(ratio.decibels >= least, "\(style): \(ratio.decibels)")
    }
  }

  @Test func `Pillow reads the alpha that was encoded`() throws {
    for format in [PictureFormat.png, .webp] {
      for isGray in [false, true] {
        let style = try PictureStyle(
          format,
          quality: format == .webp ? 95 : nil,
          isGray: isGray,
          isTransparent: true
        )
        let pixels = Pixels(120, 90, isTransparent: true)
        let ratio = try Pillow.compare(try pixels.encoded(style), pixels, isGray: isGray)
        #expect(ratio.mode == "RGBA")
        #expect(ratio.decibels >= 34, "\(style): \(ratio.decibels)")
      }
    }
  }

  @Test func `LittleCMS takes the colors for sRGB`() throws {
    for isGray in [false, true] {
      let style = try PictureStyle(.jpeg, quality: 90, isGray: isGray)
      let pixels = Pixels(200, 100)
      let file = try PictureDescription(pixelsPerInch: 96).added(
        to: try pixels.encoded(style),
        style
      )
      let colors = try Pillow.profile(of: file)
      #expect(colors.name == (isGray ? "sRGB gray" : "sRGB"))
      #expect(colors.difference <= 1, "gray: \(isGray)")
    }
    let file = try PictureDescription(pixelsPerInch: 96)
      .added(to: try Pixels(30, 20).encoded(try PictureStyle(.png)), try PictureStyle(.png))
    #expect(try Pillow.intent(of: file) == "0")
  }

  @Test func `Pillow reads the resolution that was added`() throws {
    for (format, expected) in [
      (PictureFormat.png, "150.01"), (.jpeg, "150"), (.tiff, "150"), (.webp, "None"),
    ] {
      let style = try PictureStyle(format)
      let pixels = Pixels(30, 20)
      let file = try PictureDescription(pixelsPerInch: 150)
        .added(to: try pixels.encoded(style), style)
      let ratio = try Pillow.compare(file, pixels, isGray: false)
      #expect(ratio.resolution.hasPrefix(expected), "\(format): \(ratio.resolution)")
      #expect(ratio.decibels >= 28)
    }
  }
}

/// Python with Pillow.
private enum Pillow {
  static let isInstalled = (try? run(["import PIL"])) != nil

  struct Failure: Error { var errors: String }

  /// How near a file is to the pixels that it was made of, over white paper.
  struct Ratio: Decodable {
    var mode: String
    var decibels: Double
    var resolution: String
  }

  static func compare(_ file: [UInt8], _ pixels: Pixels, isGray: Bool) throws -> Ratio {
    let folder = FileManager.default.temporaryDirectory.appending(component: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (picture, raw) = (folder.appending(component: "a"), folder.appending(component: "b"))
    try Data(file).write(to: picture)
    // Over white: what a premultiplied pixel lacks is paper.
    let bytes = pixels.words.flatMap { word in
      let paper = 255 - (word >> 24)
      let colors = [16, 8, 0].map { (word >> UInt32($0) & 255) + paper }
      guard isGray else { return colors.map(UInt8.init) }
      let gray = (colors[0] * 19_661 + colors[1] * 38_666 + colors[2] * 7_209 + 32_829) >> 16
      return [UInt8](repeating: UInt8(gray), count: 3)
    }
    try Data(bytes).write(to: raw)
    let script = """
      import json, math, sys
      from PIL import Image, ImageChops, ImageStat
      image = Image.open(sys.argv[1])
      paper = Image.new('RGBA', image.size, 'white')
      paper.alpha_composite(image.convert('RGBA'))
      source = Image.frombytes('RGB', image.size, open(sys.argv[2], 'rb').read())
      stat = ImageStat.Stat(ImageChops.difference(paper.convert('RGB'), source))
      mean = sum(stat.sum2) / (3 * image.size[0] * image.size[1])
      print(json.dumps({
          'mode': 'L' if image.mode in ('1', 'P') else image.mode,
          'decibels': 10 * math.log10(255 ** 2 / mean) if mean else 99,
          'resolution': str(image.info.get('dpi', [None])[0])}))
      """
    let line = try run([script, picture.path, raw.path])
    return try JSONDecoder().decode(Ratio.self, from: Data(line.utf8))
  }

  /// The profile of a picture, and how far its colors are from those that LittleCMS's own sRGB would have.
  struct Colors: Decodable {
    var name: String
    var difference: Int
  }

  static func profile(of file: [UInt8]) throws -> Colors {
    let script = """
      import io, json, sys
      from PIL import Image, ImageChops, ImageCms
      image = Image.open(sys.argv[1])
      profile = ImageCms.getOpenProfile(io.BytesIO(image.info['icc_profile']))
      converted = ImageCms.profileToProfile(image, profile, ImageCms.createProfile('sRGB'), outputMode='RGB')
      difference = ImageChops.difference(converted, image.convert('RGB'))
      print(json.dumps({
          'name': ImageCms.getProfileDescription(profile).strip(),
          'difference': max(high for _, high in difference.getextrema())}))
      """
    return try JSONDecoder().decode(Colors.self, from: Data(try run(script, file).utf8))
  }

  /// The intent of the sRGB chunk of a PNG.
  static func intent(of file: [UInt8]) throws -> String {
    try run("import sys; from PIL import Image; print(Image.open(sys.argv[1]).info['srgb'])", file)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static func run(_ script: String, _ file: [UInt8]) throws -> String {
    let folder = try TemporaryFolder()
    let picture = folder.url.appending(component: "picture")
    try Data(file).write(to: picture)
    return try run([script, picture.path])
  }

  static func run(_ arguments: [String]) throws -> String {
    let result = try Program.runInPath("python3", ["-c"] + arguments)
    guard result.code == 0 else { throw Failure(errors: result.errors) }
    return result.text
  }
}

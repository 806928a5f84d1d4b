import Foundation
import PNGCoding
import RectoGeometry
import TestSupport
import Testing

/// TIFF files, read by Pillow with libtiff.
@Suite struct TIFFFileTests {
  /// A page of a file.
  private struct Page: Decodable, Equatable {
    var mode: String
    var size: [Int]
    var compression: String
    var dpi: [Double]
    /// Whether its pixels are those of the PNG with its number.
    var isSame: Bool
  }

  /// The pages of a file, compared with `png-N.png`.
  private func pages(_ file: String, _ sandbox: CommandSandbox) throws -> [Page] {
    let script = """
      import json, sys
      from PIL import Image, ImageChops, ImageSequence
      image = Image.open(sys.argv[1])
      pages = []
      for number, page in enumerate(ImageSequence.Iterator(image), 1):
          other = Image.open(f'png-{number}.png').convert('RGB')
          pages.append({
              'mode': page.mode, 'size': page.size, 'compression': page.info['compression'],
              'dpi': [float(x) for x in page.info['dpi']],
              'isSame': ImageChops.difference(page.convert('RGB'), other).getbbox() is None})
      print(json.dumps(pages))
      """
    let result = try Program.runInPath(
      "python3",
      ["-c", script, file],
      folder: sandbox.folder.url
    )
    try #require(result.code == 0, "\(result.errors)")
    return try JSONDecoder().decode([Page].self, from: result.output)
  }

  @Test(arguments: [
    ([], "RGB", "tiff_adobe_deflate"), (["--gray"], "L", "tiff_adobe_deflate"),
    (["--mono"], "1", "group4"),
  ])
  func `a TIFF has all pages, their resolution, and the pixels of PNG`(
    options: [String],
    mode: String,
    compression: String
  ) throws {
    let sandbox = try CommandSandbox()
    let source = ["pages", fixture("transparency"), "--dpi", "93.5"] + options
    #expect(try sandbox.recto(source + ["-o", "png-{page}.png"]).code == 0)
    let one = try sandbox.recto(source + ["--json", "-o", "all.tif"])
    try #require(one.code == 0, "\(one.errors)")
    let lines = try one.decodedLines(PageLine.self)
    let expected = lines.map {
      Page(
        mode: mode,
        size: [$0.width ?? 0, $0.height ?? 0],
        compression: compression,
        dpi: [93.5, 93.5],
        isSame: true
      )
    }
    #expect(lines.count > 0 && Set(lines.map(\.file)) == ["all.tif"])
    #expect(try pages("all.tif", sandbox) == expected)
    let output = try sandbox.recto(source + ["--format", "tiff", "-o", "-"])
    #expect(try output.output == Data(contentsOf: URL(filePath: sandbox.folder.path("all.tif"))))
    #expect(try sandbox.recto(source + ["1", "-o", "{page}.tiff"]).code == 0)
    #expect(try pages("1.tiff", sandbox) == [expected[0]])
  }

  @Test func `pages of a TIFF are in the order of the list, and one that fails leaves no file`()
    throws
  {
    let sandbox = try CommandSandbox()
    let list = [7, 1, 12, 3]
    for (place, page) in list.enumerated() {
      let name = "png-\(place + 1).png"
      #expect(try sandbox.recto("pages", fixture("book"), "\(page)", "-o", name).code == 0)
    }
    let result = try sandbox.recto("pages", fixture("book"), "7,1,12,3", "-o", "{stem}.tif")
    #expect(result.code == 0, "\(result.errors)")
    let pages = try pages("book.tif", sandbox)
    #expect(pages.map(\.isSame) == [true, true, true, true])
    #expect(pages.allSatisfy { $0.dpi == [150, 150] })
    let failing = try sandbox.recto(
      "pages",
      fixture("endless-forms"),
      "--timeout",
      "2",
      "--size",
      "40x40",
      "-o",
      "no.tif"
    )
    #expect(failing.code == 75)
    #expect(failing.errors.contains("page 2: "), "\(failing.errors)")
    #expect(!sandbox.folder.files.contains("no.tif"))
  }

  @Test func `windows can be TIFF, thumbnails cannot`() throws {
    let sandbox = try CommandSandbox()
    let window = ["render", fixture("book"), "--viewport", "300x200", "--scale", "2"]
    #expect(try sandbox.recto(window + ["--image", "png-1.png"]).code == 0)
    #expect(try sandbox.recto(window + ["--image", "a.tif"]).code == 0)
    let page = try #require(try pages("a.tif", sandbox).first)
    #expect(page.isSame && page.dpi == [144, 144])
    let thumbnails = try sandbox.recto("thumbs", fixture("book"), "--format", "tiff", "-o", "out")
    #expect(thumbnails.code == 64)
    #expect(
      thumbnails.errors.contains("--format: must be that of .png, .jpg, .webp or .ppm, is tiff")
    )
  }
}

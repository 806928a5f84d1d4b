import Foundation
import PNGCoding
import TestSupport
import Testing

/// The part of pages that is not white: `--box content`.
@Suite(.timeLimit(.minutes(10))) struct ContentBoxTests {
  /// A page with something black on it.
  private struct Page: CustomTestStringConvertible {
    var testDescription: String
    var entries: String
    var content = "0 g 50 60 80 100 re f"
    var size = (width: 80.0, height: 100.0)
    /// Points of a pixel of the drawing in which the part is found.
    var step = 300.0 / 1024
  }

  private static let pages = [
    Page(testDescription: "plain", entries: ""),
    Page(testDescription: "rotated", entries: "/Rotate 90", size: (100, 80)),
    Page(testDescription: "user unit", entries: "/UserUnit 2", size: (160, 200), step: 600 / 1024),
    Page(testDescription: "crop box", entries: "/CropBox [40 50 180 280]"),
    Page(
      testDescription: "cut by the crop box",
      entries: "/CropBox [60 50 180 280] /Rotate 270",
      size: (100, 70)
    ),
    Page(
      testDescription: "negative coordinates",
      entries: "/MediaBox [-100 -100 100 200]",
      content: "0 g -50 -40 80 100 re f"
    ),
    Page(
      testDescription: "nearly white",
      entries: "",
      content: "0.99 g 0 0 200 300 re f 0 g 50 60 80 100 re f"
    ),
    Page(testDescription: "white", entries: "", content: "", size: (200, 300), step: 0),
  ]

  /// A file with these pages, and text on a last one.
  private static func file() -> Data {
    var file = PDFFile()
    file.add("<</Type/Catalog/Pages 2 0 R>>")
    let kids = (0...pages.count).map { "\(4 + 2 * $0) 0 R" }.joined(separator: " ")
    file.add(
      "<</Type/Pages/Count \(pages.count + 1)/Kids[\(kids)]/MediaBox[0 0 200 300]"
        + "/Resources<</Font<</T 3 0 R>>>>>>"
    )
    file.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    let text = Page(
      testDescription: "text",
      entries:
        "/Annots[<</Type/Annot/Subtype/Link/Rect[50 200 90 215]/Border[0 0 0]/A<</S/URI/URI(a:b)>>>>]",
      content: "BT /T 20 Tf 50 200 Td (Needle) Tj ET"
    )
    for (index, page) in (pages + [text]).enumerated() {
      file.add("<</Type/Page/Parent 2 0 R/Contents \(5 + 2 * index) 0 R \(page.entries)>>")
      let content = Data(page.content.utf8)
      file.add("<</Length \(content.count)>>", stream: content)
    }
    return file.finished()
  }

  private let sandbox: CommandSandbox

  init() throws {
    sandbox = try CommandSandbox()
    try Self.file().write(to: sandbox.folder.url.appending(path: "pages.pdf"))
  }

  @Test func `pages have the size of what is not white, and show it to its edges`() throws {
    let info = try sandbox.recto("info", "pages.pdf", "--all", "--json", "--box", "content").json()
    let sizes = try #require(info["pages"] as? [[String: Any]])
    #expect((info["shown"] as? [String: Any])?["box"] as? String == "content")
    let result = try sandbox.recto(
      "pages",
      "pages.pdf",
      "--box",
      "content",
      "--dpi",
      "72",
      "-o",
      "{page:02}.png"
    )
    #expect(result.code == 0, "\(result.errors)")
    for (number, (page, found)) in zip(Self.pages, sizes).enumerated() {
      let size = try #require(found["size"] as? [String: Double])
      let (width, height) = (try #require(size["width"]), try #require(size["height"]))
      // Whole pixels around it.
      #expect((page.size.width...page.size.width + 2 * page.step).contains(width), "\(page)")
      #expect((page.size.height...page.size.height + 2 * page.step).contains(height), "\(page)")
      guard page.step > 0 else { continue }
      let drawn = try picture(sandbox.folder.path(String(format: "%02d.png", number + 1)))
      for (x, y) in [
        (1, 1), (drawn.size.width - 3, 1), (1, drawn.size.height - 3),
        (drawn.size.width - 3, drawn.size.height - 3),
      ] {
        #expect(drawn.pixels[y * drawn.size.width + x] & 0xFF_FFFF == 0, "\(page) at \(x), \(y)")
      }
    }
  }

  @Test func `sizes from the cache show the same part`() throws {
    let options = ["--box", "content", "--dpi", "72"]
    let measured = try sandbox.recto("layout", "pages.pdf", "--all", "--box", "content")
    let again = try sandbox.recto("layout", "pages.pdf", "--all", "--box", "content")
    #expect(measured.code == 0 && measured.text == again.text)
    _ = try sandbox.recto(["pages", "pages.pdf", "-o", "cached/"] + options)
    _ = try sandbox.recto(["pages", "pages.pdf", "-o", "own/", "--no-cache"] + options)
    for name in try FileManager.default.contentsOfDirectory(atPath: sandbox.folder.path("own")) {
      let files = try ["cached", "own"].map {
        try Data(contentsOf: URL(filePath: sandbox.folder.path("\($0)/\(name)")))
      }
      #expect(files[0] == files[1], "\(name)")
    }
  }

  @Test func `a page that cannot be drawn is whole`() throws {
    let options = [
      "info", fixture("endless-forms"), "--all", "--json", "--timeout", "1", "--no-cache",
    ]
    let whole = try sandbox.recto(options).json()["pages"] as? [[String: Any]]
    let content = try sandbox.recto(options + ["--box", "content"])
    let pages = try content.json()["pages"] as? [[String: Any]]
    #expect(content.code == 0 && pages?.count == 3)
    let sizes = [whole, pages].map { $0?[1]["size"] as? [String: Double] }
    #expect(sizes[0] != nil && sizes[0] == sizes[1])
  }

  @Test(arguments: ["search", "links"])
  func `coordinates are in the part that is shown`(command: String) throws {
    let words = command == "search" ? ["pages.pdf", "Needle"] : ["pages.pdf"]
    let result = try sandbox.recto([command] + words + ["--json", "--box", "content"])
    let items = try result.jsonLines().flatMap { line in
      line[command == "search" ? "hits" : "links"] as? [[String: Any]] ?? []
    }
    let areas = items.flatMap { ($0["areas"] as? [[String: Double]]) ?? [] }
    let area = try #require(areas.first)
    // The first letter is at the left edge, and the line box is a little higher than its ink.
    #expect(abs(area["x"] ?? 99) < 3 && abs(area["y"] ?? 99) < 8, "\(area)")
  }
}

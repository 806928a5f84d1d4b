import Foundation
import PNGCoding
import RectoGeometry
import TestSupport
import Testing

/// SVG and PDF of pages and windows, compared with the pages by programs of poppler and librsvg.
@Suite(.serialized, .timeLimit(.minutes(10))) struct VectorTests {
  private func run(_ program: String, _ arguments: [String], in sandbox: CommandSandbox) throws
    -> String
  {
    let result = try Program.runInPath(program, arguments, folder: sandbox.folder.url)
    try #require(result.code == 0, "\(program) \(arguments): \(result.errors)")
    return result.text
  }

  /// The words of pages, with ligatures as letters: cairo writes a ligature as one character.
  private func words(_ file: String, _ pages: ClosedRange<Int>, in sandbox: CommandSandbox) throws
    -> [String]
  {
    let range = ["-f", "\(pages.lowerBound)", "-l", "\(pages.upperBound)"]
    return try run("pdftotext", range + [file, "-"], in: sandbox)
      .decomposedStringWithCompatibilityMapping.split(whereSeparator: \.isWhitespace).map(
        String.init
      )
  }

  /// The size of a page of a PDF in points.
  private func pageSize(_ file: String, _ page: Int, in sandbox: CommandSandbox) throws -> [Double]
  {
    let text = try run("pdfinfo", ["-f", "\(page)", "-l", "\(page)", file], in: sandbox)
    let line = try #require(text.split(separator: "\n").first { $0.contains(" size:") })
    return line.split(separator: " ").compactMap { Double($0) }.suffix(2)
  }

  /// The mean difference of two pictures, in levels of a channel.
  private func difference(_ name: String, _ other: String, in sandbox: CommandSandbox) throws
    -> Double
  {
    let (one, two) = (
      try picture(sandbox.folder.path(name)), try picture(sandbox.folder.path(other))
    )
    try #require(abs(one.size.width - two.size.width) <= 1)
    try #require(abs(one.size.height - two.size.height) <= 1)
    var sum = 0
    var count = 0
    for y in 0..<min(one.size.height, two.size.height) {
      for x in 0..<min(one.size.width, two.size.width) {
        let (a, b) = (one.pixels[y * one.size.width + x], two.pixels[y * two.size.width + x])
        for shift: UInt32 in [0, 8, 16] {
          sum += abs(Int(a >> shift & 255) - Int(b >> shift & 255))
          count += 1
        }
      }
    }
    return Double(sum) / Double(count)
  }

  /// A PDF as a PNG at 72 pixels per inch.
  private func draw(_ file: String, page: Int = 1, as name: String, in sandbox: CommandSandbox)
    throws
  {
    let arguments = ["-png", "-r", "72", "-f", "\(page)", "-singlefile", file, name]
    _ = try run("pdftoppm", arguments, in: sandbox)
  }

  /// An SVG as a PNG at 72 pixels per inch.
  private func draw(svg file: String, as name: String, in sandbox: CommandSandbox) throws {
    let arguments = ["--dpi-x", "72", "--dpi-y", "72", file, "-o", "\(name).png"]
    _ = try run("rsvg-convert", arguments, in: sandbox)
  }

  @Test(arguments: [
    ("book", 5), ("transparency", 1), ("rotate", 2), ("crop-shifted", 1), ("user-unit", 2),
    ("text-scripts", 1), ("form", 1), ("rasterizers", 1), ("mixed-sizes", 3), ("rotate-odd", 1),
  ])
  func `a page as SVG and as PDF looks like its PNG and has its size`(name: String, page: Int)
    throws
  {
    let sandbox = try CommandSandbox()
    let source = ["pages", fixture(name), "\(page)"]
    for more in [[], ["--rotate", "90"], ["--crop", "20,30,90,60"]] {
      for file in ["page.svg", "page.pdf"] {
        let result = try sandbox.recto(source + more + ["-o", file, "--json"])
        try #require(result.code == 0, "\(result.errors)")
        let line = try #require(try result.decodedLines(PageLine.self).first)
        #expect(try Data(contentsOf: URL(filePath: sandbox.folder.path(file))).count == line.bytes)
        let png = try sandbox.recto(source + more + ["--dpi", "72", "-o", "page.png"])
        try #require(png.code == 0)
        let size = try picture(sandbox.folder.path("page.png")).size
        #expect([line.width, line.height] == [size.width, size.height], "\(more)")
        if file == "page.pdf" {
          let points = try pageSize(file, 1, in: sandbox)
          #expect(
            abs(points[0] - Double(size.width)) <= 1 && abs(points[1] - Double(size.height)) <= 1
          )
          try draw(file, as: "other", in: sandbox)
        } else {
          try draw(svg: file, as: "other", in: sandbox)
        }
        let difference = try difference("page.png", "other.png", in: sandbox)
        #expect(difference < (file == "page.svg" ? 3 : 8), "\(name) \(file) \(more): \(difference)")
      }
    }
    #expect(sandbox.cachedTiles.isEmpty)
  }

  @Test func `text in a PDF is that of the document, and the same pages give the same bytes`()
    throws
  {
    let sandbox = try CommandSandbox()
    for name in ["book", "text-scripts"] {
      for run in ["a", "b"] {
        let result = try sandbox.recto("pages", fixture(name), "1-3", "-o", "\(run).pdf")
        try #require(result.code == 0, "\(result.errors)")
      }
      let own = try Data(contentsOf: URL(filePath: sandbox.folder.path("a.pdf")))
      #expect(try own == Data(contentsOf: URL(filePath: sandbox.folder.path("b.pdf"))))
      var (text, original) = (
        try words("a.pdf", 1...3, in: sandbox), try words(fixture(name), 1...3, in: sandbox)
      )
      // Vertical writing is placed glyph by glyph, so its order is lost.
      if name == "text-scripts" {
        (text, original) = (
          text.joined().map(String.init).sorted(), original.joined().map(String.init).sorted()
        )
      }
      #expect(text == original && text.count > 5, "\(name)")
    }
  }

  @Test func `a template without a page gives one PDF with the pages in the order of the list`()
    throws
  {
    let sandbox = try CommandSandbox()
    let list = [9, 2, 2, 12]
    let result = try sandbox.recto(
      "pages",
      fixture("book"),
      "9,2,2,12",
      "--json",
      "-o",
      "out/{stem}.pdf"
    )
    try #require(result.code == 0, "\(result.errors)")
    let lines = try result.decodedLines(PageLine.self)
    #expect(lines.map(\.page) == list)
    #expect(Set(lines.map(\.file)) == ["out/book.pdf"])
    for (place, page) in list.enumerated() {
      let number = place + 1
      #expect(
        try words("out/book.pdf", number...number, in: sandbox)
          == words(fixture("book"), page...page, in: sandbox)
      )
    }
    let output = try sandbox.recto(
      "pages",
      fixture("book"),
      "9,2,2,12",
      "-o",
      "-",
      "--format",
      "pdf"
    )
    #expect(
      try output.output == Data(contentsOf: URL(filePath: sandbox.folder.path("out/book.pdf")))
    )
    let each = try sandbox.recto("pages", fixture("book"), "9,2,2,12", "-o", "{page}.pdf")
    #expect(each.code == 0)
    #expect(sandbox.folder.files == ["02.pdf", "09.pdf", "12.pdf", "out/book.pdf"])
  }

  @Test func `--size is in points, and --dpi does not change the size`() throws {
    let sandbox = try CommandSandbox()
    let page = ["pages", fixture("book"), "4", "-o", "a.pdf"]
    #expect(try sandbox.recto(page + ["--size", "x300"]).code == 0)
    #expect(abs(try pageSize("a.pdf", 1, in: sandbox)[1] - 300) < 0.01)
    #expect(try sandbox.recto(page + ["--dpi", "40"]).code == 0)
    let original = try run("pdfinfo", ["-f", "4", "-l", "4", fixture("book")], in: sandbox)
    let size = try pageSize("a.pdf", 1, in: sandbox)
    #expect(original.contains("\(size[0]) x \(size[1])"))
  }

  @Test func `a page that only Splash draws is a picture, which a warning says`() throws {
    let sandbox = try CommandSandbox()
    for file in ["a.svg", "a.pdf"] {
      let forced = try sandbox.recto(
        "pages",
        fixture("book"),
        "5",
        "--rasterizer",
        "splash",
        "--json",
        "-o",
        file
      )
      #expect(forced.code == 0)
      let line = try #require(try forced.decodedLines(PageLine.self).first)
      #expect(line.warnings?.first.hasPrefix("the page is a picture of ") == true)
      #expect(forced.messages.count == 1)
      #expect(
        try sandbox.recto("pages", fixture("book"), "5", "--dpi", "72", "-o", "a.png").code == 0
      )
      if file == "a.pdf" {
        try draw(file, as: "b", in: sandbox)
      } else {
        try draw(svg: file, as: "b", in: sandbox)
      }
      #expect(try difference("a.png", "b.png", in: sandbox) < 8)
    }
    let shapes = try sandbox.recto("pages", fixture("book"), "5", "-o", "a.pdf")
    #expect(shapes.errors.isEmpty)
  }

  @Test(arguments: [
    ("endless-forms", ["--timeout", "2"], 75),
    ("memory", ["--memory", "200"], 75), ("not-a-pdf", [], 65), ("page-empty", [], 65),
  ])
  func `a file that cannot be drawn leaves none, and keeps the one that is there`(
    name: String,
    options: [String],
    code: Int32
  ) throws {
    let sandbox = try CommandSandbox()
    _ = try sandbox.file("out.pdf", "old")
    let result = try sandbox.recto(["pages", fixture(name), "-o", "out.pdf"] + options)
    #expect(result.code == code, "\(result.errors)")
    #expect(result.messages.count == 1)
    #expect(try String(contentsOfFile: sandbox.folder.path("out.pdf"), encoding: .utf8) == "old")
    #expect(sandbox.folder.files == ["out.pdf"])
  }

  @Test func `a page that fails is named`() throws {
    let sandbox = try CommandSandbox()
    let result = try sandbox.recto(
      "pages",
      fixture("endless-forms"),
      "--timeout",
      "2",
      "-o",
      "a.pdf"
    )
    #expect(result.errors.contains("page 2: "), "\(result.errors)")
    let beyond = try sandbox.recto("pages", fixture("rotate"), "1,9", "-o", "a.pdf")
    #expect(beyond.code == 64)
    #expect(beyond.errors.contains("page 9: the document has 4 pages"))
    #expect(sandbox.folder.files.isEmpty)
    // Each page by itself does not affect the others.
    let each = try sandbox.recto(
      "pages",
      fixture("endless-forms"),
      "--timeout",
      "2",
      "-o",
      "{page}.svg"
    )
    #expect(each.code == 1)
    #expect(sandbox.folder.files == ["1.svg", "3.svg"])
  }

  @Test(arguments: [
    ["--mode", "paged", "--spread", "double", "--page", "4"],
    ["--mode", "grid", "--columns", "3", "--gap", "12"],
    ["--mode", "continuous", "--page", "3", "--rotate", "90"],
    ["--pages", "8,1,2,7", "--mode", "grid", "--columns", "2", "--gap", "0", "--margin", "0"],
  ])
  func `a window as a vector file looks like its PNG`(layout: [String]) throws {
    let sandbox = try CommandSandbox()
    let window =
      ["render", fixture("book"), "--viewport", "500x420", "--background", "#ffe0c0"] + layout
    #expect(try sandbox.recto(window + ["--image", "a.png"]).code == 0)
    for file in ["a.svg", "a.pdf"] {
      let result = try sandbox.recto(window + ["--image", file, "--no-cache"])
      try #require(result.code == 0, "\(result.errors)")
      if file == "a.pdf" {
        try draw(file, as: "b", in: sandbox)
        #expect(try pageSize(file, 1, in: sandbox) == [500, 420])
      } else {
        try draw(svg: file, as: "b", in: sandbox)
      }
      let difference = try difference("a.png", "b.png", in: sandbox)
      #expect(difference < 5, "\(file): \(difference)")
      // There are no tiles, but places of pages.
      let output = try JSONDecoder().decode(RenderOutput.self, from: result.output)
      #expect(output.spreads.flatMap(\.pages).allSatisfy { $0.tiles?.isEmpty == true })
    }
    #expect(sandbox.cachedTiles.count > 0)
  }

  @Test func `a booklet has a page for each spread, as the viewport shows it`() throws {
    let sandbox = try CommandSandbox()
    let list = [12, 1, 2, 11, 10, 3, 4, 9, 8, 5, 6, 7]
    let layout = [
      "render", fixture("book"), "--pages", list.map(String.init).joined(separator: ","),
      "--mode", "paged", "--spread", "double", "--viewport", "421x298", "--background", "white",
    ]
    let result = try sandbox.recto(layout + ["--all-spreads", "--image", "a.pdf", "--no-cache"])
    try #require(result.code == 0, "\(result.errors)")
    #expect(try run("pdfinfo", ["a.pdf"], in: sandbox).contains(/Pages: +6\n/))
    for sheet in 1...6 {
      #expect(try pageSize("a.pdf", sheet, in: sandbox) == [421, 298])
      try draw("a.pdf", page: sheet, as: "b", in: sandbox)
      let window = layout + ["--page", "\(list[2 * sheet - 2])", "--image", "a.png"]
      #expect(try sandbox.recto(window).code == 0)
      #expect(try difference("a.png", "b.png", in: sandbox) < 5)
    }
  }

  @Test func `options that need pixels are refused with a vector file`() throws {
    let sandbox = try CommandSandbox()
    let window = ["render", fixture("book"), "--image", "a.pdf"]
    for (options, words) in [
      (["--shadow"], "--shadow cannot be used with pdf"),
      (["--mode", "paged", "--progress", "0.5"], "--progress cannot be used with pdf"),
      (["--gray"], "--gray: has no effect on pdf"),
      (["--all-spreads"], "--all-spreads needs --mode paged"),
      (["--all-spreads", "--mode", "paged", "--image", "a.svg"], "--all-spreads needs a pdf"),
    ] {
      let result = try sandbox.recto(window + options)
      #expect(result.code == 64)
      #expect(result.errors.contains(words), "\(result.errors)")
    }
    let thumbnails = try sandbox.recto("thumbs", fixture("book"), "--format", "svg", "-o", "out")
    #expect(thumbnails.code == 64)
    #expect(sandbox.folder.files.isEmpty)
  }
}

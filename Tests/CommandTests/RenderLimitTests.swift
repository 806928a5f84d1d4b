import Foundation
import TestSupport
import Testing

/// What `render` refuses before it works: no destination, too many pixels, nothing to show.
@Suite(.serialized, .timeLimit(.minutes(10))) struct RenderLimitTests {
  @Test func `tiles without a cache need another destination`() throws {
    let sandbox = try CommandSandbox()
    let command = "env -u HOME -u XDG_CACHE_HOME \"$recto\" render '\(fixture("book"))'"
    let nowhere = try sandbox.shell(command)
    #expect(nowhere.code == 73)
    #expect(nowhere.output.isEmpty)
    #expect(
      nowhere.errors
        == "recto: no cache directory: neither XDG_CACHE_HOME nor HOME is set; the tiles need --output or --image\n"
    )
    for option in ["-o out", "--image a.png"] {
      let result = try sandbox.shell("\(command) \(option)")
      #expect(result.code == 0, "\(result.errors)")
      #expect(!result.output.isEmpty)
    }
  }

  @Test func `a cache that other users can write to is no destination`() throws {
    let sandbox = try CommandSandbox()
    let command =
      "chmod 777 \"$XDG_CACHE_HOME\"; mkdir -m 777 -p \"$XDG_CACHE_HOME/recto\"; "
      + "\"$recto\" render '\(fixture("book"))'"
    let nowhere = try sandbox.shell(command)
    #expect(nowhere.code == 73)
    #expect(nowhere.output.isEmpty)
    #expect(nowhere.messages.count == 1)
    let picture = try sandbox.shell("\(command) --image a.png")
    #expect(picture.code == 0)
    #expect(picture.errors.contains("cache not used"))
  }

  @Test func `a cache that cannot be created is no destination`() throws {
    let sandbox = try CommandSandbox()
    let result = try sandbox.recto(
      ["render", fixture("book")],
      environment: ["XDG_CACHE_HOME": "/proc/none"]
    )
    #expect(result.code == 73)
    #expect(result.output.isEmpty)
    #expect(result.messages.count == 1)
  }

  @Test(arguments: [["--viewport", "100000x100000"], ["--scale", "0.0001"], ["--scale", "1000"]])
  func `a picture without pixels, or with too many, is a usage error`(options: [String]) throws {
    let sandbox = try CommandSandbox()
    let result = try sandbox.recto(
      ["render", fixture("book"), "--image", "a.png"] + options
    )
    #expect(result.code == 64)
    #expect(result.messages.count == 1)
    #expect(result.errors.contains("--image: --viewport "))
    #expect(result.errors.contains(options[1]))
    #expect(sandbox.folder.files.isEmpty)
    // Refused before the document is opened.
    #expect(try sandbox.recto(["render", "no.pdf", "--image", "a.png"] + options).code == 64)
  }

  @Test func `the pixels of a call are limited, and the limit can be raised`() throws {
    let sandbox = try CommandSandbox()
    let command = ["render", fixture("book"), "--viewport", "500x700", "-o", "out"]
    let refused = try sandbox.recto(command + ["--max-pixels", "0.1"])
    #expect(refused.code == 64)
    #expect(
      refused.errors.hasSuffix("million pixels; --max-pixels is 0.1 million\n"),
      "\(refused.errors)"
    )
    #expect(sandbox.folder.files.isEmpty)
    #expect(try sandbox.recto(command + ["--max-pixels", "2"]).code == 0)
    // A gigapixel by default.
    let large = try sandbox.recto(
      "render",
      fixture("book"),
      "--viewport",
      "500x500",
      "--scale",
      "100",
      "--tile",
      "4096",
      "-o",
      "large"
    )
    #expect(large.code == 64)
    #expect(large.errors.contains("--max-pixels is 1000 million"))
  }

  @Test func `a page in a viewport without room is a usage error that names the options`() throws {
    let sandbox = try CommandSandbox()
    for command in ["layout", "render"] {
      let small = try sandbox.recto(command, fixture("book"), "--page", "3", "--viewport", "20x20")
      #expect(small.code == 64)
      #expect(
        small.errors
          == "recto: --viewport: must be larger than 20x20, what --margin and --insets cover, is 20x20\n"
      )
      let far = try sandbox.recto(command, fixture("book"), "--page", "3", "--zoom", "0.001")
      #expect(far.code == 64)
      #expect(far.errors == "recto: --zoom: must be at least 0.01 to show a page, is 0.001\n")
    }
    let shown = try sandbox.recto(
      "layout",
      fixture("book"),
      "--page",
      "3",
      "--viewport",
      "20x20",
      "--margin",
      "0"
    )
    let output: RenderOutput = try shown.decoded()
    #expect(output.pages.map(\.number) == [3])
  }

  /// Files of which the page tree has no pages.
  static let empty: [(name: String, pages: String)] = [
    ("no-kids", "/Type /Pages /Kids [] /Count 0"), ("no-count", "/Type /Pages /Kids []"),
    ("no-tree", "/Type /Font"), ("claimed", "/Type /Pages /Kids [] /Count 3"),
  ]

  @Test(arguments: ["info", "info --json", "layout", "layout --all", "render", "render -o out"])
  func `a document without pages is damaged`(command: String) throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("zero-pages", to: "zero.pdf")
    for (name, pages) in Self.empty.prefix(3) {
      _ = try sandbox.file(
        "\(name).pdf",
        """
        %PDF-1.4
        1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
        2 0 obj << \(pages) >> endobj
        trailer << /Root 1 0 R /Size 3 >>
        %%EOF
        """
      )
    }
    for name in ["zero", "no-kids", "no-count", "no-tree"] {
      let result = try sandbox.recto(
        command.split(separator: " ").map(String.init) + ["\(name).pdf"]
      )
      #expect(result.code == 65, "\(name): \(result.errors)")
      #expect(result.errors == "recto: \(name).pdf: the document has no pages\n")
      #expect(result.output.isEmpty == !command.hasPrefix("info"))
    }
    let json = try sandbox.recto(
      command.split(separator: " ").map(String.init) + ["zero.pdf", "--errors", "json"]
    )
    #expect(json.errors.contains(#""code":"damaged""#))
  }

  @Test func `groups inside each other take the memory that is drawn on, not that of their size`()
    throws
  {
    let sandbox = try CommandSandbox()
    let dots = (0..<28).map { "\(10 + 35 * $0) \(10 + 35 * $0) 1 1 re f" }.joined(separator: " ")
    var pdf = PDFFile()
    pdf.add("<</Type/Catalog/Pages 2 0 R>>")
    pdf.add("<</Type/Pages/Kids[3 0 R]/Count 1>>")
    let states = "/ExtGState<</G<</ca .9>>>>"
    pdf.add(
      "<</Type/Page/Parent 2 0 R/MediaBox[0 0 1000 1000]/Contents 4 0 R"
        + "/Resources<</XObject<</X 5 0 R>>\(states)>>>>"
    )
    pdf.add("<</Length 11>>", stream: Data("/G gs /X Do".utf8))
    let groups = 5..<39
    for number in groups {
      let isLast = number == groups.upperBound - 1
      let body = "/G gs 0 0 1 rg \(isLast ? dots : "\(dots) /X Do")"
      pdf.add(
        "<</Type/XObject/Subtype/Form/BBox[0 0 1000 1000]/Group<</S/Transparency>>"
          + "/Resources<</XObject<</X \(number + 1) 0 R>>\(states)>>/Length \(body.utf8.count)>>",
        stream: Data(body.utf8)
      )
    }
    try pdf.finished().write(to: sandbox.folder.url.appending(path: "groups.pdf"))
    // 34 images of 25 MB.
    let result = try sandbox.recto(
      ["pages", "groups.pdf", "1", "--dpi", "180", "--memory", "300", "-o", "out/"]
    )
    #expect(result.code == 0, "\(result.errors)")
  }
}

import Foundation
import TestSupport
import Testing

/// The example programs that documents show.
@Suite(.timeLimit(.minutes(10))) struct ExampleTests {
  private static func text(_ path: String) throws -> String {
    try String(contentsOf: TestPaths.root.appending(path: path), encoding: .utf8)
  }

  @Test(arguments: [
    "README.md", "docs/CLUSTER.md", "docs/DEPLOY.md", "docs/LAYOUT.md",
    "Sources/PageLayout/PageLayout.docc/PageLayout.md",
    "Sources/PNGCoding/PNGCoding.docc/PNGCoding.md",
    "Sources/RectoKit/RectoKit.docc/ViewerCore.md",
    "Sources/RectoKit/RectoKit.docc/ThumbnailService.md",
  ])
  func `what a document shows is the example`(document: String) throws {
    let parts = try Self.text(document).components(separatedBy: "<!-- example: ").dropFirst()
    #expect(!parts.isEmpty)
    for part in parts {
      let halves = part.components(separatedBy: " -->\n```")
      try #require(halves.count == 2)
      let shown = halves[1].components(separatedBy: "```\n")[0]
      let text = shown.drop { $0 != "\n" }.dropFirst()
      #expect(String(text) == (try Self.text(halves[0])), "\(halves[0])")
    }
  }

  /// Runs an example in the folder of a sandbox.
  private func run(
    _ program: String,
    _ arguments: [String] = [],
    in sandbox: CommandSandbox
  ) throws -> ProgramResult {
    try Program.run(
      TestPaths.products.appending(path: program),
      arguments,
      environment: sandbox.environment,
      folder: sandbox.folder.url
    )
  }

  @Test func `the first program in the README draws the page that the command draws`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("book", to: "book.pdf")
    let result = try run("one-page", in: sandbox)
    #expect(result.code == 0, "\(result.errors)")
    let command = ["pages", "book.pdf", "5", "--dpi", "144", "-o", "page.png"]
    #expect(try sandbox.recto(command).code == 0)
    let pictures = try ["page-5.png", "page.png"].map { name in
      try Data(contentsOf: sandbox.folder.url.appending(path: name))
    }
    #expect(pictures[0] == pictures[1])
  }

  @Test func `the program in the README prints the tiles of each visible page`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("book", to: "book.pdf")
    let result = try run("render-window", in: sandbox)
    #expect(result.code == 0)
    #expect(result.errors.isEmpty)
    #expect(result.text.wholeMatch(of: /(page [0-9]+: [0-9]+ tiles\n){2}/) != nil)
    #expect(!sandbox.cachedTiles.isEmpty)
  }

  @Test(arguments: [
    ("lay-out-only", #"the window moves by [1-9][0-9.]*\n(page [0-9]+: .+\n){2,}"#),
    ("write-png", #"[0-9]+ bytes, 8 bits of palette\nread back\n"#),
    (
      "viewer-core",
      #"page 6 at 0.0\n(page [0-9]+ at .+\n)*(tile of page [0-9]+ at .+: [0-9]+ bytes\n){6,}(page .+\n)*"#
    ),
  ])
  func `the program of a landing page prints what it says`(name: String, output: String) throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("book", to: "book.pdf")
    let result = try run(name, in: sandbox)
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.errors.isEmpty)
    #expect(result.text.wholeMatch(of: try Regex(output)) != nil, "\(result.text)")
  }

  @Test func `the programs in the README work where poppler contradicts the page tree reader`()
    throws
  {
    let sandbox = try CommandSandbox()
    var file = PDFFile()
    let count = 8
    file.add("<</Type/Catalog/Pages 2 0 R>>")
    let kids = (0..<count).map { "\(3 + $0) 0 R" }.joined(separator: " ")
    file.add("<</Type/Pages/Count \(count)/Kids[\(kids)]>>")
    for _ in 0..<count {
      file.add("<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 300]/Resources<<>>>>")
    }
    var bytes = file.finished()
    // The third page is not where the cross-reference says, which is found when it is measured.
    let place = try #require(bytes.range(of: Data("\n5 0 obj".utf8))).lowerBound + 1
    let row = { (offset: Int) in Data(String(format: "%010d 00000 n", offset).utf8) }
    bytes.replaceSubrange(try #require(bytes.range(of: row(place))), with: row(place + 4))
    try bytes.write(to: sandbox.folder.url.appending(path: "book.pdf"))
    for program in ["one-page", "render-window"] {
      let result = try run(program, in: sandbox)
      #expect(result.code == 0, "\(program): \(result.errors)")
      #expect(result.errors.isEmpty)
    }
  }

  @Test func `the example makes the thumbnails that the command makes`() throws {
    let sandbox = try CommandSandbox()
    for name in ["book", "rotate", "truncated"] { try sandbox.copy(name, to: "in/\(name).pdf") }
    let result = try run("library-thumbnails", ["in", "own"], in: sandbox)
    #expect(result.code == 0)
    #expect(result.errors.isEmpty)
    let lines = result.text.split(separator: "\n").sorted()
    #expect(lines.prefix(2) == ["in/book.pdf: own/book.png", "in/rotate.pdf: own/rotate.png"])
    #expect(lines.count == 3 && lines.last?.hasPrefix("in/truncated.pdf: ") == true)
    #expect(try sandbox.recto("thumbs", "in", "-o", "out", "--no-cache").code == 1)
    for name in ["book", "rotate"] {
      let pictures = try ["own", "out"].map { folder in
        try Data(contentsOf: sandbox.folder.url.appending(path: "\(folder)/\(name).png"))
      }
      #expect(pictures[0] == pictures[1], "\(name)")
    }
  }

  @Test func `the client in Python runs the program in PATH`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("book", to: "book.pdf")
    // Where there is no source tree beside it.
    let client = sandbox.folder.url.appending(path: "client/serve_client.py")
    let programs = sandbox.folder.url.appending(path: "bin")
    for folder in [client.deletingLastPathComponent(), programs] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    try FileManager.default.copyItem(
      at: TestPaths.root.appending(path: "docs/examples/serve_client.py"),
      to: client
    )
    try FileManager.default.createSymbolicLink(
      at: programs.appending(path: "recto"),
      withDestinationURL: TestPaths.recto
    )
    var environment = sandbox.environment
    environment["PATH"] = "\(programs.path):/usr/bin:/bin"
    environment["RECTO_WORKER"] = TestPaths.worker.path
    let result = try Program.run(
      URL(filePath: "/usr/bin/env"),
      ["python3", client.path, "book.pdf", "2"],
      environment: environment,
      folder: sandbox.folder.url
    )
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.text.contains("page 1: ") && result.text.hasSuffix("exit code 0\n"))
  }
}

import Foundation
import Glibc
import PNGCoding
import RectoGeometry
import TestSupport
import Testing

/// A line of `recto thumbs` about a contact sheet, or about a document.
private struct SheetLine: Decodable {
  var path: String?
  var sheet: Int?
  var file: String?
  var cells: Int?
  var width: Int?
  var height: Int?
  var bytes: Int?
  var error: RenderOutput.Failure?
  var thumbnails: [ThumbnailLine.Thumbnail]?
}

/// Contact sheets of `recto thumbs`.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SheetTests {
  private static let fixtures = ["book", "crop", "labels", "mixed-sizes", "rotate", "user-unit"]

  /// A library of documents that are found in the order of their names.
  private func library() throws -> CommandSandbox {
    let sandbox = try CommandSandbox()
    for name in Self.fixtures { try sandbox.copy(name, to: "in/\(name).pdf") }
    return sandbox
  }

  private func lines(_ result: ProgramResult) throws -> [SheetLine] {
    try result.decodedLines(SheetLine.self)
  }

  /// The sheets of a run, in their order.
  private func sheets(_ result: ProgramResult) throws -> [SheetLine] {
    try lines(result).filter { $0.sheet != nil }
      .sorted { ($0.sheet ?? 0) < ($1.sheet ?? 0) }
  }

  /// Where a picture is on a sheet, pixel by pixel; nil if it is not.
  private func place(of part: PNGPicture, on sheet: PNGPicture) -> (x: Int, y: Int)? {
    let (width, height) = (part.size.width, part.size.height)
    for y in 0...max(0, sheet.size.height - height) {
      for x in 0...max(0, sheet.size.width - width) {
        let isHere = (0..<height).allSatisfy { row in
          let start = (y + row) * sheet.size.width + x
          return sheet.pixels[start..<start + width]
            .elementsEqual(part.pixels[row * width..<(row + 1) * width])
        }
        if isHere { return (x, y) }
      }
    }
    return nil
  }

  @Test("a sheet shows every document in the order in which they were found")
  func order() throws {
    let sandbox = try library()
    let arguments = ["thumbs", "in", "-o", "out", "--size", "60", "--sheet", "s.png"]
    let result = try sandbox.recto(arguments + ["--sheet-grid", "3x4", "--no-sheet-labels"])
    #expect(result.code == 0, "\(result.errors)")
    let sheet = try #require(try sheets(result).first)
    #expect(sheet.cells == 6)
    let whole = try picture(sandbox.folder.path("s.png"))
    #expect(whole.size == PixelSize(width: sheet.width ?? 0, height: sheet.height ?? 0))
    var places: [(x: Int, y: Int)] = []
    for name in Self.fixtures {
      let part = try picture(sandbox.folder.path("out/\(name).png"))
      places.append(try #require(place(of: part, on: whole), "\(name)"))
    }
    for row in [places[..<3], places[3...]] {
      #expect(row.map(\.x) == row.map(\.x).sorted())
    }
    #expect((places[..<3].map(\.y).max() ?? 0) < (places[3...].map(\.y).min() ?? 0))
  }

  @Test("a sheet with labels is larger than one without, and as wide")
  func labels() throws {
    let sandbox = try library()
    let arguments = ["thumbs", "in", "-o", "out", "--size", "100", "--sheet"]
    let labeled = try sheets(try sandbox.recto(arguments + ["a.png"]))
    let plain = try sheets(try sandbox.recto(arguments + ["b.png", "--no-sheet-labels"]))
    #expect(labeled.first?.width == plain.first?.width)
    #expect((labeled.first?.height ?? 0) > (plain.first?.height ?? 0))
  }

  @Test("a title is above the pictures of a sheet, which are as without one")
  func title() throws {
    let sandbox = try library()
    let arguments = ["thumbs", "in", "-o", "out", "--size", "100", "--sheet"]
    #expect(try sandbox.recto(arguments + ["plain.png"]).code == 0)
    #expect(try sandbox.recto(arguments + ["titled.png", "--sheet-title", "Books"]).code == 0)
    let plain = try picture(sandbox.folder.path("plain.png"))
    let titled = try picture(sandbox.folder.path("titled.png"))
    let added = titled.size.height - plain.size.height
    try #require(added > 0 && titled.size.width == plain.size.width)
    #expect(
      titled.pixels.suffix(plain.pixels.count - added * plain.size.width)
        == plain.pixels.dropFirst(added * plain.size.width)
    )
    // The title is the only text in the part that was added.
    let paper = try #require(plain.pixels.first)
    #expect(plain.pixels.prefix(plain.size.width).allSatisfy { $0 == paper })
    #expect(titled.pixels.prefix(added * titled.size.width).contains { $0 != paper })
  }

  @Test("pages of all documents follow each other, on as many sheets as they need")
  func pages() throws {
    let sandbox = try library()
    let result = try sandbox.recto(
      ["thumbs", "in", "-o", "out", "--size", "40", "--pages", "all"]
        + ["--sheet", "sheets/{sheet:03}.jpg", "--sheet-grid", "4x3"]
    )
    let lines = try lines(result)
    let count = lines.reduce(0) { $0 + ($1.thumbnails?.count ?? 0) }
    let sheets = try sheets(result)
    #expect(sheets.reduce(0) { $0 + ($1.cells ?? 0) } == count)
    #expect(sheets.dropLast().allSatisfy { $0.cells == 12 })
    #expect(sheets.map(\.sheet) == Array(1...sheets.count))
    #expect(sheets.first?.file == "sheets/001.jpg")
    let script = """
      import sys; from PIL import Image
      for name in sys.argv[1:]:
          image = Image.open(name); image.load(); print(image.format, *image.size)
      """
    let names = sheets.compactMap { $0.file.map { sandbox.folder.path($0) } }
    let pillow = try Program.run(URL(filePath: "/usr/bin/python3"), ["-c", script] + names)
    #expect(
      pillow.text.split(separator: "\n")
        == sheets.map { "JPEG \($0.width ?? 0) \($0.height ?? 0)" }.map { Substring($0) }
    )
  }

  @Test("a document that fails has a cell, and so has a page that does")
  func failures() throws {
    let sandbox = try library()
    try sandbox.copy("not-a-pdf", to: "in/bad.pdf")
    try sandbox.copy("page-missing", to: "in/missing.pdf")
    let first = try sandbox.recto(
      ["thumbs", "in", "-o", "out", "--size", "40", "--sheet", "s.webp", "--format", "webp"]
    )
    #expect(first.code == 1)
    #expect(try sheets(first).map(\.cells) == [8])
    let all = try sandbox.recto(
      ["thumbs", "in/bad.pdf", "in/missing.pdf", "-o", "out", "--pages", "all", "--sheet", "t.png"]
    )
    let entries = try lines(all).reduce(0) { $0 + ($1.thumbnails?.count ?? 0) }
    #expect(try sheets(all).map(\.cells) == [entries + 1])
  }

  @Test("a run that is resumed writes the sheets of one that was not ended")
  func resumed() throws {
    let arguments =
      ["thumbs", "in", "-o", "out", "--size", "40", "--pages", "all", "--resume"]
      + ["--sheet", "s-{sheet}.png", "--sheet-grid", "3x3"]
    let whole = try library()
    #expect(try whole.recto(arguments).code == 0)
    let names = whole.folder.files.filter { $0.hasPrefix("s-") }
    #expect(names.count > 3)
    for documents in [1, 3, 6] {
      let ended = try library()
      let running = try RunningCommand(ended, arguments)
      for _ in 0..<documents { try running.waitForOutput() }
      _ = running.end(with: SIGKILL)
      #expect(try ended.recto(arguments).code == 0)
      for name in names {
        let bytes = try Data(contentsOf: URL(filePath: ended.folder.path(name)))
        let expected = try Data(contentsOf: URL(filePath: whole.folder.path(name)))
        #expect(bytes == expected, "\(name) after \(documents)")
      }
    }
  }

  @Test("a sheet is written as soon as its documents are done, while paths still arrive")
  func stream() throws {
    let sandbox = try library()
    let result = try sandbox.shell(
      """
      coproc R { "$recto" thumbs --from - -o out --size 40 --sheet s.png --sheet-grid 1x2; }
      printf 'in/book.pdf\\nin/crop.pdf\\nin/labels.pdf\\n' >&"${R[1]}"
      while read -r line <&"${R[0]}"; do case $line in *'"sheet":1'*) break ;; esac; done
      [ -s s.png ] && ! [ -e s-2.png ] && echo first
      exec {end}<&"${R[0]}"; eval "exec ${R[1]}>&-"
      cat <&"$end" >/dev/null
      [ -s s-2.png ] && echo last
      """
    )
    #expect(result.text == "first\nlast\n", "\(result.errors)")
  }

  @Test("a thumbnail that cannot be decoded is a warning, and its cell is empty")
  func torn() throws {
    let sandbox = try library()
    let arguments = ["thumbs", "in", "-o", "out", "--size", "40", "--resume", "--sheet", "s.png"]
    #expect(try sandbox.recto(arguments).code == 0)
    let path = URL(filePath: sandbox.folder.path("out/crop.png"))
    let size = try Data(contentsOf: path).count
    try Data(repeating: 0x20, count: size).write(to: path)
    let result = try sandbox.recto(arguments + ["--errors", "json"])
    #expect(result.code == 0)
    #expect(try sheets(result).map(\.cells) == [6])
    let message = try JSONDecoder().decode(MessageLine.self, from: Data(result.errors.utf8))
    #expect(message.code == "sheet")
    #expect(message.path == "out/crop.png")
    _ = try picture(sandbox.folder.path("s.png"))
  }

  @Test("a worker for sheets that ends, or sends anything else, costs the sheets only")
  func falseProgram() throws {
    for program in ["/bin/true", "/usr/bin/yes", "/bin/cat"] {
      let sandbox = try library()
      let worker = sandbox.folder.path("worker")
      try Data(
        """
        #!/bin/sh
        [ "$1" != --sheet ] || exec \(program)
        exec '\(TestPaths.worker.path)' "$@"
        """.utf8
      ).write(to: URL(filePath: worker))
      #expect(chmod(worker, 0o755) == 0)
      let result = try sandbox.recto(
        ["thumbs", "in", "-o", "out", "--size", "40", "--sheet", "s.png"],
        environment: ["RECTO_WORKER": worker]
      )
      #expect(result.code == 1, "\(program)")
      #expect(try sheets(result).map(\.error?.code) == ["fault"], "\(program)")
      #expect(
        sandbox.folder.files.filter { !$0.hasPrefix("in/") && $0 != "worker" }
          == Self.fixtures.map { "out/\($0).png" }
      )
    }
  }

  @Test("no worker for sheets is an error before anything is drawn")
  func noProgram() throws {
    let sandbox = try library()
    let result = try sandbox.recto(
      ["thumbs", "in", "-o", "out", "--sheet", "s.png"],
      environment: ["RECTO_WORKER": "/missing"]
    )
    #expect(result.code == 70)
    #expect(result.messages.count == 1)
    #expect(sandbox.folder.files.allSatisfy { $0.hasPrefix("in/") })
  }

  @Test("a sheet does not overwrite a document or one of its thumbnails")
  func spared() throws {
    let sandbox = try library()
    try sandbox.copy("book", to: "in/document.png")
    let inputs = ["thumbs", "in/document.png", "in/book.pdf", "-o", "out", "--sheet"]
    for path in ["in/document.png", "out/book.png"] {
      let result = try sandbox.recto(inputs + [path])
      #expect(result.code == 1)
      #expect(try sheets(result).map(\.error?.code) == ["usage"])
    }
    let bytes = try Data(contentsOf: URL(filePath: sandbox.folder.path("in/document.png")))
    #expect(bytes == (try Data(contentsOf: TestPaths.fixture("book"))))
    _ = try picture(sandbox.folder.path("out/book.png"))
  }

  @Test("shards write sheets of their own, which together have all documents")
  func shards() throws {
    let sandbox = try library()
    let arguments = ["thumbs", "in", "-o", "out", "--size", "40", "--sheet", "s-{shard}.png"]
    let cells = try (1...3).map { number in
      try sheets(try sandbox.recto(arguments + ["--shard", "\(number)/3"]))
        .reduce(0) { $0 + ($1.cells ?? 0) }
    }
    #expect(cells.reduce(0, +) == Self.fixtures.count)
  }

  @Test("a dry run says how many sheets there would be, and writes none")
  func dryRun() throws {
    let sandbox = try library()
    let result = try sandbox.recto(
      ["thumbs", "in", "-o", "out", "--sheet", "s.png", "--sheet-grid", "2x2", "--dry-run"]
    )
    #expect(result.errors.contains("6 pages to draw, 2 sheets"), "\(result.errors)")
    #expect(sandbox.folder.files.allSatisfy { $0.hasPrefix("in/") })
  }

  @Test(
    "options of sheets that cannot be are refused",
    arguments: [
      (["--sheet-grid", "2x2"], "--sheet-grid needs --sheet"),
      (["--sheet-size", "100"], "--sheet-size needs --sheet"),
      (["--no-sheet-labels"], "--no-sheet-labels needs --sheet"),
      (["--sheet-title", "x"], "--sheet-title needs --sheet"),
      (["--sheet", "s.gif"], "--sheet: the format is to be .png, .jpg, .webp or .ppm"),
      (["--sheet", "s.png", "--sheet-grid", "7"], "--sheet-grid: must be CxR"),
      (["--sheet", "s.png", "--sheet-grid", "0x7"], "--sheet-grid: must be CxR"),
      (["--sheet", "s.png", "--sheet-grid", "100x100"], "the limit is 100000000"),
      (["--sheet", "s.webp", "--sheet-grid", "80x1"], "the limit of a sheet is 16383 pixels"),
      (["--sheet", "s.png", "--shard", "1/2"], "--sheet: needs {shard}"),
      (["--sheet", "s-{page}.png"], "--sheet: unknown placeholder {page}"),
    ]
  )
  func options(arguments: [String], message: String) throws {
    let sandbox = try library()
    let result = try sandbox.recto(["thumbs", "in", "-o", "out"] + arguments)
    #expect(result.code == 64)
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(sandbox.folder.files.allSatisfy { $0.hasPrefix("in/") })
  }
}

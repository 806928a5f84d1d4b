import Foundation
import PNGCoding
import RectoGeometry
import TestSupport
import Testing

/// A line of `recto pages --json`.
struct PageLine: Decodable {
  var page: Int
  var lastPage: Int?
  var label: String?
  var file: String?
  var width: Int?
  var height: Int?
  var bytes: Int?
  var warnings: Warnings?
  var error: RenderOutput.Failure?

  struct Warnings: Decodable {
    var count: Int
    var first: String
  }
}

/// Pages of a document as files.
@Suite(.serialized, .timeLimit(.minutes(10))) struct PagesTests {
  /// The lines of a run, in the order of pages.
  private func lines(_ result: ProgramResult) throws -> [PageLine] {
    try result.decodedLines(PageLine.self).sorted { $0.page < $1.page }
  }

  @Test func `every page becomes a file at 150 dots per inch, and nothing is printed`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("labels", to: "in/book of labels.PDF")
    let result = try sandbox.recto("pages", "in/book of labels.PDF")
    #expect(result.code == 0)
    #expect(result.output.isEmpty && result.errors.isEmpty)
    let files = sandbox.folder.files.filter { $0.hasSuffix(".png") }
    #expect(files == (1...12).map { "book of labels-\($0 < 10 ? "0" : "")\($0).png" })
    for file in files {
      #expect(try picture(sandbox.folder.path(file)).size == PixelSize(width: 625, height: 875))
    }
    // Exported pictures are not kept twice.
    #expect(sandbox.cachedTiles.isEmpty)
  }

  @Test func `warnings of a page are in its line and a message, which --quiet leaves out`() throws {
    let sandbox = try CommandSandbox()
    let arguments = ["pages", fixture("syntax-errors"), "1", "--json", "-o", "page.png"]
    let result = try sandbox.recto(arguments)
    #expect(result.code == 0)
    let warnings = try #require(try lines(result).first?.warnings)
    #expect(warnings.count > 0)
    let message = try #require(result.messages.first)
    #expect(result.messages.count == 1)
    #expect(message.hasPrefix("recto: \(fixture("syntax-errors")): page 1: "))
    #expect(message.hasSuffix(warnings.first))
    #expect(try sandbox.recto(arguments + ["--quiet"]).messages.isEmpty)
  }

  @Test func `a line of JSON for each page has its label, file and size`() throws {
    let sandbox = try CommandSandbox()
    let result = try sandbox.recto(
      "pages",
      fixture("labels"),
      "z,2-4,3",
      "--json",
      "-oout/{label}_{page:3}.{ext}",
      "--dpi",
      "72"
    )
    #expect(result.code == 0)
    let lines = try lines(result)
    #expect(lines.map(\.page) == [2, 3, 4, 12])
    let labels = lines.compactMap(\.label)
    #expect(labels.count == 4)
    #expect(
      lines.compactMap(\.file)
        == zip(labels, ["002", "003", "004", "012"]).map { "out/\($0)_\($1).png" }
    )
    #expect(Set(lines.compactMap(\.file)) == Set(sandbox.folder.files))
    for line in lines {
      let path = sandbox.folder.path(try #require(line.file))
      let size = try picture(path).size
      #expect(size == PixelSize(width: line.width ?? 0, height: line.height ?? 0))
      #expect(try Data(contentsOf: URL(filePath: path)).count == line.bytes)
    }
  }

  @Test(arguments: [
    ("200x200", [150, 200], [200, 150]), ("200x", [200, 267], [200, 150]),
    ("x200", [150, 200], [267, 200]), ("30x200", [30, 40], [30, 23]),
  ])
  func `a page is fitted into a box`(size: String, upright: [Int], sideways: [Int]) throws {
    let sandbox = try CommandSandbox()
    try TestPDF.write([(300, 400), (400, 300)], to: sandbox.folder.path("a.pdf"))
    let result = try sandbox.recto("pages", "a.pdf", "--size", size, "--json")
    #expect(try lines(result).map { [$0.width ?? 0, $0.height ?? 0] } == [upright, sideways])
  }

  @Test func `a part of a page is the same pixels as in the whole page`() throws {
    let sandbox = try CommandSandbox()
    for rotation in ["0", "90"] {
      let options = ["--dpi", "144", "--rotate", rotation]
      let book = ["pages", fixture("book"), "2"]
      #expect(try sandbox.recto(book + options + ["-o", "whole.png"]).code == 0)
      #expect(
        try sandbox.recto(book + options + ["-o", "part.png", "--crop", "30,40,100,50.5"]).code == 0
      )
      // Left of the page, and more than is there.
      #expect(
        try sandbox.recto(book + options + ["-o", "edge.png", "--crop", "-50,-50,100,5000"]).code
          == 0
      )
      let script = """
        from PIL import Image
        names = "whole.png", "part.png", "edge.png"
        whole, part, edge = (Image.open(name).convert("RGB") for name in names)
        assert part.size == (200, 101), part.size
        assert part.tobytes() == whole.crop((60, 80, 260, 181)).tobytes()
        assert edge.size == (100, whole.height), edge.size
        assert edge.tobytes() == whole.crop((0, 0, 100, whole.height)).tobytes()
        """
      let check = try sandbox.shell("python3 -c '\(script.replacing("'", with: "\""))'")
      #expect(check.code == 0, "\(check.errors)")
    }
  }

  @Test func `with a part, the size is that of the part`() throws {
    let sandbox = try CommandSandbox()
    let result = try sandbox.recto(
      "pages",
      fixture("book"),
      "1-2",
      "--crop",
      "10.3,20.7,31,17",
      "--size",
      "310x999",
      "--json"
    )
    #expect(try lines(result).map(\.width) == [310, 310])
    #expect(try lines(result).map(\.height) == [170, 170])
  }

  @Test func `files carry the resolution that pages were drawn at`() throws {
    let sandbox = try CommandSandbox()
    try TestPDF.write([(144, 72)], to: sandbox.folder.path("a.pdf"))
    for (name, options) in [("a.png", ["--dpi", "150"]), ("b.jpg", ["--size", "600x"])] {
      #expect(try sandbox.recto(["pages", "a.pdf", "-o", name] + options).code == 0)
    }
    let script = """
      from PIL import Image
      for name, dpi in ("a.png", 150), ("b.jpg", 300):
        found = Image.open(name).info["dpi"]
        assert all(abs(value - dpi) < 0.1 for value in found), (name, found)
      """
    let check = try sandbox.shell("python3 -c '\(script)'")
    #expect(check.code == 0, "\(check.errors)")
  }

  @Test func `the format is that of --format, else of the extension`() throws {
    let sandbox = try CommandSandbox()
    let runs: [([String], String)] = [
      (["--format", "jpeg"], "rotate-1.jpg"), (["-o", "a.JPEG"], "a.JPEG"),
      (["-o", "out/{page}.webp"], "out/1.webp"), (["--format", "webp", "-o", "x.{ext}"], "x.webp"),
      (["--gray"], "rotate-1.png"), (["--transparent"], "rotate-1.png"),
    ]
    let formats = ["JPEG RGB", "JPEG RGB", "WEBP RGB", "WEBP RGB", "PNG L", "PNG RGBA"]
    for ((options, file), format) in zip(runs, formats) {
      let result = try sandbox.recto(["pages", fixture("rotate"), "1"] + options)
      #expect(result.code == 0, "\(options): \(result.errors)")
      let found = try sandbox.shell(
        "python3 -c 'import sys; from PIL import Image; i = Image.open(sys.argv[1]);"
          + " print(i.format, i.mode)' '\(file)'"
      )
      #expect(found.text == format + "\n", "\(options): \(found.errors)")
    }
  }

  @Test func `sizes are those of pdftocairo for every fixture, and pixels where sides are whole`()
    throws
  {
    let sandbox = try CommandSandbox()
    // Their pages are another size for pdftocairo, which does not know UserUnit.
    let names = [
      "book", "rotate", "crop", "crop-shifted", "mixed-sizes", "labels", "transparency",
      "inherited", "form", "layers", "object-streams", "updated", "rotate-odd",
    ]
    var compared = 0
    for name in names {
      let result = try sandbox.recto(
        "pages",
        fixture(name),
        "--dpi",
        "150",
        "--text",
        "poppler",
        "-o",
        "\(name)/r-{page:1}.png"
      )
      #expect(result.code == 0, "\(name): \(result.errors)")
      let script = """
        import glob, re, subprocess, sys
        from PIL import Image, ImageChops
        name, file = sys.argv[1:]
        options = ["-png", "-cropbox", "-r", "150"]
        subprocess.run(["pdftocairo", *options, file, f"{name}/p"], check=True)
        peers = {int(re.search(r"-0*([0-9]+).png", p)[1]): p for p in glob.glob(f"{name}/p-*.png")}
        assert len(peers) == len(glob.glob(f"{name}/r-*.png")), name
        for number, peer in peers.items():
          ours = Image.open(f"{name}/r-{number}.png").convert("RGB")
          theirs = Image.open(peer).convert("RGB")
          assert ours.size == theirs.size, (name, number, ours.size, theirs.size)
          worst = max(high for low, high in ImageChops.difference(ours, theirs).getextrema())
          assert worst <= 2, (name, number, worst)
        print(len(peers))
        """
      let check = try sandbox.shell(
        "python3 - '\(name)' '\(fixture(name))' <<'END'\n\(script)\nEND"
      )
      #expect(check.code == 0, "\(check.errors)")
      compared += Int(check.text.dropLast()) ?? 0
    }
    #expect(compared > 50)
  }

  @Test func `pages that a document does not have are errors of their own`() throws {
    let sandbox = try CommandSandbox()
    let result = try sandbox.recto(
      "pages",
      fixture("rotate"),
      "3-9,7,20-30,9-z",
      "--json",
      "--size",
      "50x50"
    )
    #expect(result.code == 1)
    let lines = try lines(result)
    #expect(lines.map(\.page) == [3, 4, 7, 9, 20])
    #expect(lines.map(\.lastPage) == [nil, nil, nil, nil, 30])
    let beyond = "the document has 4 pages"
    #expect(lines.map { $0.error?.message } == [nil, nil, beyond, beyond, beyond])
    #expect(result.messages.contains("recto: \(fixture("rotate")): pages 20-30: \(beyond)"))
    #expect(sandbox.folder.files == ["rotate-3.png", "rotate-4.png"])
    let none = try sandbox.recto("pages", fixture("rotate"), "5-7")
    #expect(none.code == 64)
    #expect(none.errors == "recto: \(fixture("rotate")): page 5: the document has 4 pages\n")
  }

  @Test func `a page that fails does not affect the others`() throws {
    let sandbox = try CommandSandbox()
    let result = try sandbox.recto(
      "pages",
      fixture("endless-forms"),
      "--timeout",
      "2",
      "--json",
      "--size",
      "40x40"
    )
    #expect(result.code == 1)
    #expect(try lines(result).map { $0.error?.code } == [nil, "time-limit", nil])
    #expect(sandbox.folder.files == ["endless-forms-1.png", "endless-forms-3.png"])
    // The exit code of the only page is that of its error.
    let only = try sandbox.recto("pages", fixture("page-empty"), "2")
    #expect(only.code == 65)
    #expect(only.messages.count == 1)
  }

  @Test func `pages as PPM go to standard output one after the other`() throws {
    let sandbox = try CommandSandbox()
    let options = ["pages", fixture("book"), "3,1,7", "--size", "200x200"]
    #expect(try sandbox.recto(options + ["-o", "{page}.ppm"]).code == 0)
    let files = try ["03", "01", "07"].map {
      try Data(contentsOf: URL(filePath: sandbox.folder.path("\($0).ppm")))
    }
    let result = try sandbox.recto(options + ["--format", "ppm", "-o", "-"])
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output == Data(files.joined()))
  }

  @Test(arguments: [
    (["-o", "a.png"], "12 pages would be written to one file; add {page} or {label}"),
    (["3", "-o", "a-%d.png"], "--output: %d is no placeholder; write {page}"),
    (["3", "-o", "x%03d.{ext}"], "--output: %d is no placeholder; write {page}"),
    (["-o", "{foo}.png"], "unknown placeholder {foo}"),
    (["-o", "{page:x}"], "unknown placeholder"),
    (["-o", "{page"], "single {"), (["-o", "page}"], "single }"),
    (["-o", "-"], "standard output takes one page, or several as pdf, tiff or ppm; 12 are"),
    (["-o", "-", "--json"], "--json cannot be used with --output -"),
    (["-o", "a-{page}.gif"], ".png, .jpg, .webp, .ppm, .tif, .svg or .pdf"),
    (["-o", "a.svg"], "12 pages would be written to one file"),
    (["-o", "a.pdf", "--gray"], "--gray: has no effect on pdf"),
    (["-o", "a.pdf", "--mono"], "--mono: is for png and tiff, not for pdf"),
    (["-o", "{page}.jpg", "--mono"], "--mono: is for png and tiff, not for jpeg"),
    (["-o", "{page}.png", "--mono", "--transparent"], "--mono: cannot be used with --transparent"),
    (["-o", "{page}.tif", "--transparent"], "--transparent: tiff has no transparency"),
    (["-o", "{page}.svg", "--quality", "5"], "--quality: has no effect on svg"),
    (["--dpi", "0"], "--dpi: must be a number above 0"),
    (["--dpi", "100", "--size", "5x5"], "--size"),
    (["--size", "0x5"], "--size: must be WxH, Wx, xH or N"), (["--size", "x"], "--size"),
    (["--crop", "1,2,3"], "--crop"), (["--crop", "1,2,0,5"], "--crop: must be X,Y,W,H"),
    (["--quality", "5"], "--quality"), (["--format", "jpeg", "--transparent"], "--transparent"),
  ])
  func `wrong usage is refused before anything is written`(options: [String], words: String) throws
  {
    let sandbox = try CommandSandbox()
    let result = try sandbox.recto(["pages", fixture("book")] + options)
    #expect(result.code == 64)
    #expect(result.output.isEmpty)
    #expect(result.messages.count == 1)
    #expect(result.errors.contains(words), "\(result.errors)")
    #expect(sandbox.folder.files.isEmpty)
  }

  @Test func `labels become safe parts of names, and two pages never become one file`() throws {
    let sandbox = try CommandSandbox()
    let pages = [(100.0, 100.0), (100, 100), (100, 100)]
    func write(_ labels: String) throws {
      try TestPDF.write(pages, labels: labels, to: sandbox.folder.path("a.pdf"))
    }
    try write("0 << /P (../x/) >> 1 << /P (a\\007b) >> 2 << >>")
    #expect(try sandbox.recto("pages", "a.pdf", "-o", "out/{label}.png").code == 0)
    #expect(
      sandbox.folder.files.filter { $0.hasPrefix("out") }
        == ["out/3.png", "out/_._x_.png", "out/a_b.png"]
    )
    try write("0 << /P (same) >> 2 << /P (other) >>")
    let result = try sandbox.recto("pages", "a.pdf", "-o", "two/{label}.png")
    #expect(result.code == 64)
    #expect(
      result.errors
        == "recto: --output: pages 1 and 2 would both be written to two/same.png; add {page}\n"
    )
    #expect(!sandbox.folder.files.contains { $0.hasPrefix("two") })
    #expect(try sandbox.recto("pages", "a.pdf", "2-3", "-o", "two/{label}.png").code == 0)
  }

  @Test func `braces are doubled, and directories are those that exist or end in a slash`() throws {
    let sandbox = try CommandSandbox()
    #expect(try sandbox.shell("mkdir -p 'there{x}'").code == 0)
    for output in ["there{x}", "new/deep/", "{{{page}}}"] {
      let result = try sandbox.recto("pages", fixture("rotate"), "1", "--size", "9x9", "-o", output)
      #expect(result.code == 0, "\(result.errors)")
    }
    #expect(
      sandbox.folder.files == ["new/deep/rotate-1.png", "there{x}/rotate-1.png", "{1}"]
    )
  }

  @Test func `one page goes to standard output, and a document is not overwritten`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("form", to: "form.pdf")
    let piped = try sandbox.recto("pages", "form.pdf", "-o", "-", "--dpi", "72")
    #expect(piped.code == 0)
    #expect(try sandbox.shell("\"$recto\" pages form.pdf -o a.png --dpi 72 > a.png").code == 0)
    #expect(try Data(contentsOf: sandbox.folder.url.appending(path: "a.png")) == piped.output)
    #expect(try sandbox.shell("ln -s form.pdf form-1.png").code == 0)
    for output in ["form.pdf", "{stem}-{page}.png", "{stem}.pdf"] {
      let result = try sandbox.recto("pages", "form.pdf", "-o", output)
      #expect(result.code == 64, "\(output)")
      #expect(result.messages.count == 1)
    }
    #expect(
      try Data(contentsOf: sandbox.folder.url.appending(path: "form.pdf"))
        == Data(contentsOf: URL(filePath: fixture("form")))
    )
  }

  @Test func `encrypted documents need their password`() throws {
    let sandbox = try CommandSandbox()
    #expect(try sandbox.recto("pages", fixture("encrypted")).code == 77)
    #expect(try sandbox.recto("pages", fixture("encrypted"), "--password", "wrong").code == 77)
    let right = try sandbox.recto("pages", fixture("encrypted"), "1", "--password", "secret")
    #expect(right.code == 0, "\(right.errors)")
  }

  @Test func `poppler takes over when it contradicts the page tree reader`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("mixed-sizes", to: "sizes.pdf")
    let result = try sandbox.recto(
      ["pages", "sizes.pdf", "--size", "60x60"],
      environment: [
        "RECTO_WORKER": TestPaths.root.appending(path: "Tests/FalseWorker/disagreeing-worker").path,
        "RECTO_WORKER_PROGRAM": TestPaths.worker.path,
      ]
    )
    #expect(result.code == 0)
    #expect(result.messages.count == 1)
    #expect(sandbox.folder.files.count { $0.hasSuffix(".png") } == 8)
    try expectWholePictures(in: sandbox.folder)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal keeps the files that are finished`(signal: Int32) throws {
    let sandbox = try CommandSandbox()
    let command = try RunningCommand(
      sandbox,
      ["pages", fixture("endless-forms"), "--json", "--size", "40x40"]
    )
    try command.waitForOutput()
    _ = try command.waitForWorkers(busyFor: 0.1)
    #expect(command.end(with: signal) == 128 + signal)
    #expect(command.messages.isEmpty)
    #expect(try expectWholePictures(in: sandbox.folder) >= 1)
    #expect(sandbox.folder.files.allSatisfy { $0.hasSuffix(".png") })
  }
}

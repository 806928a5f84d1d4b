import Foundation
import TestSupport
import Testing

/// `recto thumbs --freedesktop`, with GLib and Pillow as other readers.
@Suite(.serialized, .timeLimit(.minutes(10))) struct DesktopThumbnailTests {
  private struct Picture: Decodable {
    var file: String
    var mode: String
    var size: [Int]
    var texts: [String: String]
  }

  /// Thumbnails as Pillow reads them, by their path below the directory of thumbnails.
  private func thumbnails(_ sandbox: CommandSandbox) throws -> [Picture] {
    let script = """
      import glob, json, sys
      from PIL import Image
      found = []
      for file in sorted(glob.glob(sys.argv[1] + '/**/*.png', recursive=True)):
          image = Image.open(file)
          image.load()
          assert not image.info.get('interlace')
          found.append({'file': file[len(sys.argv[1]) + 1:], 'mode': image.mode,
                        'size': image.size, 'texts': image.text})
      print(json.dumps(found))
      """
    let root = sandbox.cache.path("thumbnails")
    let result = try Program.runInPath("python3", ["-c", script, root])
    #expect(result.code == 0, "\(result.errors)")
    return try JSONDecoder().decode([Picture].self, from: result.output)
  }

  private func attributes(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
  }

  private func touch(_ sandbox: CommandSandbox, _ name: String, _ time: Double) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: time)],
      ofItemAtPath: sandbox.folder.path(name)
    )
  }

  @Test("Thumbnails have the names, sizes, keys and permissions of the standard")
  func standard() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("book", to: "in/book.pdf")
    try touch(sandbox, "in/book.pdf", 1_234_567_890.75)
    let result = try sandbox.recto("thumbs", "in", "--freedesktop")
    #expect(result.code == 0, "\(result.errors)")
    let pictures = try thumbnails(sandbox)
    let folders = [128: "normal", 256: "large", 512: "x-large", 1024: "xx-large"]
    #expect(pictures.count == 4)
    for (side, folder) in folders {
      let picture = try #require(pictures.first { $0.file.hasPrefix("\(folder)/") })
      #expect(picture.size.max() == side)
      #expect(picture.mode == "RGBA")
      #expect(picture.texts["Thumb::MTime"] == "1234567890")
      #expect(picture.texts["Thumb::Mimetype"] == "application/pdf")
      #expect(picture.texts["Thumb::Document::Pages"] == "12")
      #expect(picture.texts["Software"]?.hasPrefix("recto ") == true)
      let size = try FileManager.default.attributesOfItem(
        atPath: sandbox.folder.path("in/book.pdf")
      )
      #expect(picture.texts["Thumb::Size"] == "\(size[.size] ?? "")")
      #expect(try attributes(sandbox.cache.path("thumbnails/\(picture.file)")) == 0o600)
      #expect(try attributes(sandbox.cache.path("thumbnails/\(folder)")) == 0o700)
    }
    let line: [ThumbnailLine] = try result.decodedLines()
    #expect(line.first?.thumbnails?.map(\.size) == [1024, 512, 256, 128])
    for file in line.first?.thumbnails ?? [] {
      let path = try #require(file.file)
      let written = FileManager.default.contents(atPath: path)?.count
      #expect(written == file.bytes)
    }
  }

  @Test("The name is the MD5 of the URI that GLib makes of the path")
  func names() throws {
    let sandbox = try CommandSandbox()
    let names = [
      "a b.pdf", "100%.pdf", "a#b?c.pdf", "äöü €.pdf", "x;y.pdf", "~tilde.pdf", "[b]{c}.pdf",
      "!$&'()*+,=@:_-.pdf", "\"<>\\^`|.pdf", "tab\there.pdf",
    ]
    for name in names { try sandbox.copy("rotate", to: "in/\(name)") }
    // A name that is not UTF-8, paths that are not plain, and a folder behind a link.
    let setup = try sandbox.shell(
      """
      cp "in/a b.pdf" "$(printf 'in/b\\xffd.pdf')"; mkdir in/sub; ln -s in link
      "$recto" thumbs in --freedesktop --size 128 -q && cd in/sub &&
      "$recto" thumbs ../../link/./100%.pdf "$PWD/..//~tilde.pdf" --freedesktop --size 128 -q
      """
    )
    #expect(setup.code == 0, "\(setup.errors)")
    let uris = try sandbox.shell(
      "for f in in/*.pdf \"$PWD/link/100%.pdf\"; do gio info -a standard::name \"$f\" | sed -n 's/^uri: //p'; done"
    )
    try #require(uris.code == 0, "\(uris.errors)")
    let expected = Set(uris.text.split(separator: "\n").map(String.init))
    #expect(expected.count == names.count + 2)
    let pictures = try thumbnails(sandbox)
    #expect(Set(pictures.compactMap { $0.texts["Thumb::URI"] }) == expected)
    for picture in pictures {
      let uri = try #require(picture.texts["Thumb::URI"])
      let digest = try Program.run(
        URL(filePath: "/usr/bin/md5sum"),
        [],
        input: Data(uri.utf8)
      ).text.prefix(32)
      #expect(picture.file == "normal/\(digest).png")
    }
  }

  @Test("Thumbnails that are up to date stay, and others are made again")
  func upToDate() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("book", to: "in/a.pdf")
    try sandbox.copy("rotate", to: "in/b.pdf")
    func run(_ more: String...) throws -> [String: ThumbnailLine] {
      let result = try sandbox.recto(["thumbs", "in", "--freedesktop", "--size", "128,256"] + more)
      #expect(result.code == 0, "\(result.errors)")
      let lines: [ThumbnailLine] = try result.decodedLines()
      return Dictionary(lines.map { ($0.path, $0) }) { first, _ in first }
    }
    func unchanged() throws -> [String] {
      try run().filter { $0.value.unchanged == true }.keys.sorted()
    }
    for name in ["in/a.pdf", "in/b.pdf"] { try touch(sandbox, name, 1_000_000_000.9) }
    let first = try run()
    let second = try run()
    #expect(second["in/a.pdf"]?.unchanged == true && second["in/b.pdf"]?.unchanged == true)
    #expect(second["in/a.pdf"]?.pages == 12)
    #expect(
      second["in/a.pdf"]?.thumbnails?.map(\.bytes) == first["in/a.pdf"]?.thumbnails?.map(\.bytes)
    )
    try touch(sandbox, "in/a.pdf", 1_000_000_001)
    #expect(try unchanged() == ["in/b.pdf"])
    // tumbler writes a fraction.
    let file = try #require(first["in/b.pdf"]?.thumbnails?.first?.file)
    let script = """
      import sys
      from PIL import Image, PngImagePlugin
      image = Image.open(sys.argv[1])
      texts = PngImagePlugin.PngInfo()
      texts.add_text('Thumb::URI', image.text['Thumb::URI'])
      texts.add_text('Thumb::MTime', sys.argv[2])
      image.save(sys.argv[1], pnginfo=texts)
      """
    for (time, expected) in [
      ("1000000000.900000", ["in/a.pdf", "in/b.pdf"]), ("1000000001.900000", ["in/a.pdf"]),
    ] {
      let result = try Program.runInPath("python3", ["-c", script, file, time])
      try #require(result.code == 0, "\(result.errors)")
      #expect(try unchanged() == expected)
    }
    try Data("no picture".utf8).write(to: URL(filePath: file))
    #expect(try unchanged() == ["in/a.pdf"])
    try FileManager.default.removeItem(atPath: file)
    #expect(try unchanged() == ["in/a.pdf"])
  }

  @Test("A document that fails has an entry, and is left alone until it changes")
  func failures() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("not-a-pdf", to: "in/bad.pdf")
    try sandbox.copy("encrypted", to: "in/locked.pdf")
    try sandbox.copy("book", to: "in/good.pdf")
    func run(_ more: String...) throws -> ([String: ThumbnailLine], code: Int32) {
      let result = try sandbox.recto(["thumbs", "in", "--freedesktop", "--size", "128"] + more)
      let lines: [ThumbnailLine] = try result.decodedLines()
      return (Dictionary(lines.map { ($0.path, $0) }) { first, _ in first }, result.code)
    }
    func entries() throws -> [Picture] {
      try thumbnails(sandbox).filter { $0.file.hasPrefix("fail/recto-") }
    }
    #expect(try run().code == 1)
    #expect(try entries().count == 2)
    for entry in try entries() {
      #expect(entry.size == [1, 1])
      #expect(entry.texts["Thumb::URI"]?.hasPrefix("file:///") == true)
      #expect(entry.texts["Thumb::MTime"] != nil)
      #expect(try attributes(sandbox.cache.path("thumbnails/\(entry.file)")) == 0o600)
    }
    let (again, code) = try run()
    #expect(code == 1)
    #expect(again["in/bad.pdf"]?.error?.code == "not-pdf")
    #expect(again.values.allSatisfy { $0.unchanged == true })
    let retried = try run("--retry-failed").0
    #expect(retried["in/bad.pdf"]?.unchanged == nil && retried["in/good.pdf"]?.unchanged == true)
    // With a password, and once the file is another one, documents are tried again.
    #expect(try run("--password", "secret").0["in/locked.pdf"]?.thumbnails?.count == 1)
    #expect(try entries().count == 1)
    try FileManager.default.removeItem(atPath: sandbox.folder.path("in/bad.pdf"))
    try sandbox.copy("rotate", to: "in/bad.pdf")
    try touch(sandbox, "in/bad.pdf", 1_000_000_000)
    #expect(try run().code == 0)
    #expect(try entries().isEmpty)
  }

  @Test("A document in the directory of thumbnails has none, and a missing file has no entry")
  func noThumbnails() throws {
    let sandbox = try CommandSandbox()
    let folder = sandbox.cache.url.appending(path: "thumbnails")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: TestPaths.fixture("book"),
      to: folder.appending(path: "book.pdf")
    )
    let result = try sandbox.recto(
      "thumbs",
      folder.appending(path: "book.pdf").path,
      "missing.pdf",
      "--freedesktop"
    )
    #expect(result.code == 1)
    #expect(result.messages.count == 2)
    #expect(try thumbnails(sandbox).isEmpty)
  }

  @Test("A dry run writes no thumbnail and no entry")
  func dryRun() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("book", to: "in/a.pdf")
    try sandbox.copy("not-a-pdf", to: "in/bad.pdf")
    let result = try sandbox.recto("thumbs", "in", "--freedesktop", "--dry-run")
    let lines: [ThumbnailLine] = try result.decodedLines()
    let planned = lines.compactMap { $0.planned?.file }
    #expect(planned.count == 1 && planned[0].contains("/thumbnails/xx-large/"))
    #expect(sandbox.cache.files.isEmpty)
  }
}

import Foundation
import TestSupport
import Testing

/// `scripts/install`, with the binaries of the tests.
@Suite(.timeLimit(.minutes(10))) struct InstallTests {
  private static func install(_ arguments: String...) throws -> ProgramResult {
    try Program.run(
      TestPaths.root.appending(path: "scripts/install"),
      arguments,
      environment: ["RECTO_BUILD": TestPaths.products.path, "DESTDIR": ""]
    )
  }

  @Test func `an installation finds its worker, and uninstalling leaves nothing`() throws {
    let sandbox = try CommandSandbox()
    let prefix = sandbox.folder.path("prefix with spaces")
    for _ in 1...2 {
      let result = try Self.install(prefix)
      try #require(result.code == 0, "\(result.errors)")
    }
    let files = sandbox.folder.files.map { $0.replacing("prefix with spaces/", with: "") }
    let expected = [
      "bin/recto", "libexec/recto/recto-worker", "libexec/recto/recto-fetch",
      "libexec/recto/recto-http",
      "libexec/recto/recto-shared-cache",
      "share/man/man1/recto.1",
      "share/man/man1/recto-render.1", "share/bash-completion/completions/recto",
      "share/zsh/site-functions/_recto", "share/fish/vendor_completions.d/recto.fish",
      "share/thumbnailers/recto.thumbnailer",
      "share/doc/recto/COMMAND.md", "share/doc/recto/schema/render.json",
    ]
    for path in expected { #expect(files.contains(path), "\(path)") }

    let recto = URL(filePath: prefix).appending(path: "bin/recto")
    let picture = sandbox.folder.path("page.png")
    let result = try Program.run(
      recto,
      ["render", fixture("rotate"), "--image", picture],
      environment: sandbox.environment
    )
    #expect(result.code == 0, "\(result.errors)")
    #expect(FileManager.default.fileExists(atPath: picture))

    let thumbs = ["thumbs", fixture("rotate"), "-o", "thumbs", "--sheet", "sheet.png"]
    let sheet = try Program.run(
      recto,
      thumbs,
      environment: sandbox.environment,
      folder: sandbox.folder.url
    )
    #expect(sheet.code == 0, "\(sheet.errors)")

    let others = "\(prefix)/share/man/man1/other.1"
    try Data().write(to: URL(filePath: others))
    #expect(try Self.install("--uninstall", prefix).code == 0)
    #expect(
      sandbox.folder.files
        == [
          "page.png", "prefix with spaces/share/man/man1/other.1", "sheet.png", "thumbs/rotate.png",
        ]
    )
    #expect(try Self.install("--uninstall", prefix).code == 66)
  }

  @Test func `files of an earlier version are removed, directories that were there are kept`()
    throws
  {
    let folder = try TemporaryFolder()
    let share = folder.url.appending(path: "share/man")
    try FileManager.default.createDirectory(at: share, withIntermediateDirectories: true)
    try #require(try Self.install(folder.url.path).code == 0)
    let list = folder.url.appending(path: "libexec/recto/installed")
    let old = folder.url.appending(path: "bin/recto-old")
    try Data().write(to: old)
    let text = try String(contentsOf: list, encoding: .utf8) + "bin/recto-old\n"
    try Data(text.utf8).write(to: list)
    try #require(try Self.install(folder.url.path).code == 0)
    #expect(!FileManager.default.fileExists(atPath: old.path))
    #expect(try Self.install("--uninstall", folder.url.path).code == 0)
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).sorted() == [
        "share", "share/man",
      ]
    )
  }

  @Test(arguments: [[], [""], ["--uninstall"], ["--prefix"], ["a", "b"]])
  func `wrong arguments are a usage error`(arguments: [String]) throws {
    let result = try Program.run(
      TestPaths.root.appending(path: "scripts/install"),
      arguments
    )
    #expect(result.code == 64)
    #expect(
      result.errors
        == "usage: scripts/install [--without-http] PREFIX, or scripts/install --uninstall PREFIX\n"
    )
  }
}

import Foundation
import Glibc
import TestSupport
import Testing

/// `recto doctor`.
@Suite(.timeLimit(.minutes(10))) struct DoctorTests {
  private let sandbox: CommandSandbox

  init() throws { sandbox = try CommandSandbox() }

  private func layers(_ report: [String: Any]) throws -> [String: Bool] {
    let worker = try #require(report["worker"] as? [String: Any])
    let layers = try #require(worker["sandbox"] as? [[String: Any]])
    return try Dictionary(
      uniqueKeysWithValues: layers.map {
        (try #require($0["layer"] as? String), try #require($0["inForce"] as? Bool))
      }
    )
  }

  @Test func `all that is needed is there, in text and in JSON`() throws {
    let text = try sandbox.recto("doctor")
    #expect(text.code == 0, "\(text.text)")
    #expect(text.text.contains("sandbox   complete\n"))
    let json = try sandbox.recto("doctor", "--json")
    #expect(json.code == 0)
    let report = try json.json()
    #expect(report["complete"] as? Bool == true)
    let layers = try layers(report)
    #expect(layers.keys.sorted() == ["calls", "files", "limits", "namespaces", "privileges"])
    for (layer, isInForce) in layers { #expect(text.text.contains("\(layer): ") && isInForce) }
    let cache = try #require(report["cache"] as? [String: Any])
    #expect(cache["usable"] as? Bool == true)
    #expect(cache["path"] as? String == sandbox.cache.path("recto"))
  }

  @Test func `a missing layer and a missing worker are named, and the exit code tells`() throws {
    let tool = TestPaths.root.appending(path: "scripts/dev/sandbox/without").path
    let without = try sandbox.shell(
      "/usr/bin/python3 '\(tool)' landlock,namespaces $recto doctor --json"
    )
    RecordedOutput.add(without, of: ["doctor", "--json"])
    #expect(without.code == 1)
    let report = try without.json()
    #expect(try layers(report)["files"] == false)
    #expect(report["complete"] as? Bool == false)
    let missing = try sandbox.recto(
      ["doctor", "--json"],
      environment: ["RECTO_WORKER": "/nowhere"]
    )
    #expect(missing.code == 1)
    let worker = try #require(try missing.json()["worker"] as? [String: Any])
    #expect((worker["error"] as? [String: Any])?["code"] as? String == "fault")
    let text = try sandbox.recto(["doctor"], environment: ["RECTO_WORKER": "/bin/true"])
    #expect(text.code == 1 && text.text.contains("worker    missing: "))
  }

  @Test func `a cache that cannot be used is named`() throws {
    let folder = sandbox.cache.path("recto")
    try FileManager.default.createDirectory(
      atPath: folder,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o777]
    )
    #expect(chmod(folder, 0o777) == 0)
    let report = try sandbox.recto("doctor", "--json")
    #expect(report.code == 1)
    let cache = try #require(try report.json()["cache"] as? [String: Any])
    #expect(cache["usable"] as? Bool == false && cache["reason"] is String)
  }

  @Test func `fonts are found where only the configuration says so`() throws {
    let fonts = sandbox.folder.url.appending(path: "own fonts")
    try FileManager.default.createDirectory(at: fonts, withIntermediateDirectories: true)
    let font = fonts.appending(path: "A.ttf")
    try FileManager.default.copyItem(
      at: URL(filePath: "/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf"),
      to: font
    )
    let configuration = try sandbox.file(
      "fonts.conf",
      """
      <?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
      <fontconfig><dir>\(fonts.path)</dir><cachedir>\(sandbox.folder.path("cache"))</cachedir></fontconfig>
      """
    )
    let report = try sandbox.recto(
      ["doctor", "--json"],
      environment: ["FONTCONFIG_FILE": configuration]
    )
    let worker = try #require(try report.json()["worker"] as? [String: Any])
    let found = try #require(worker["fonts"] as? [String: Any])
    #expect(found["files"] as? Int == 1)
    #expect((found["unreadable"] as? [String])?.isEmpty == true)
    let standard = try #require(found["standard"] as? [[String: Any]])
    #expect(standard.allSatisfy { $0["file"] as? String == font.path })
  }

  @Test func `a sandbox can be required`() throws {
    let tool = TestPaths.root.appending(path: "scripts/dev/sandbox/without").path
    let book = TestPaths.fixture("book").path
    let options = "--no-cache --image a.png --sandbox require"
    let there = try sandbox.shell("$recto render '\(book)' \(options)")
    #expect(there.code == 0, "\(there.errors)")
    for missing in ["landlock,namespaces", "seccomp"] {
      try? FileManager.default.removeItem(atPath: sandbox.folder.path("a.png"))
      let result = try sandbox.shell(
        "/usr/bin/python3 '\(tool)' \(missing) $recto render '\(book)' \(options) --errors json"
      )
      #expect(result.code == 1)
      let messages = result.errors.split(separator: "\n")
      #expect(!messages.isEmpty)
      #expect(messages.allSatisfy { $0.contains(#""code":"sandbox""#) }, "\(result.errors)")
    }
    let text = try sandbox.shell(
      "/usr/bin/python3 '\(tool)' seccomp $recto links '\(TestPaths.fixture("encrypted").path)' "
        + "--password secret --sandbox require"
    )
    #expect(text.code == 69, "\(text.errors)")
  }
}

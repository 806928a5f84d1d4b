import Foundation
import TestSupport
import Testing

/// What of a folder is served.
@Suite(.timeLimit(.minutes(10))) struct ServedFolderTests {
  private let base = FileManager.default.temporaryDirectory
    .appending(path: "recto-\(UUID().uuidString)")
  private let folder: URL

  init() throws {
    folder = base.appending(path: "served")
    let inner = folder.appending(path: "inner")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    let book = TestPaths.fixture("book")
    for name in ["outside.pdf", "served/a.pdf", "served/inner/b.pdf", "served-too.pdf"] {
      try FileManager.default.copyItem(at: book, to: base.appending(path: name))
    }
    for (name, target) in [
      ("out", "../outside.pdf"), ("absolute", base.appending(path: "outside.pdf").path),
      ("prefix", "../served-too.pdf"), ("in", "inner/b.pdf"), ("around", "../served/a.pdf"),
      ("nowhere", "missing.pdf"), ("folder", "inner"), ("device", "/dev/zero"),
    ] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.appending(path: "\(name).pdf").path,
        withDestinationPath: target
      )
    }
    #expect(mkfifo(folder.appending(path: "fifo.pdf").path, 0o600) == 0)
  }

  @Test func `documents that appear are served, and those that are gone are not`() throws {
    defer { try? FileManager.default.removeItem(at: base) }
    let server = try ServerProcess([folder.path])
    let a = try server.id("a")
    let book = base.appending(path: "outside.pdf")
    try FileManager.default.copyItem(at: book, to: folder.appending(path: "new.pdf"))
    #expect(poll { (try? names(server).contains("new.pdf")) == true })
    #expect(try server.get("/iiif/3/\(try server.id("new"));1/info.json").status == 200)
    let below = folder.appending(path: "later/below")
    try FileManager.default.createDirectory(at: below, withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: book, to: below.appending(path: "deep.pdf"))
    #expect(poll { (try? names(server).contains("deep.pdf")) == true })
    try FileManager.default.createSymbolicLink(
      atPath: folder.appending(path: "linked.pdf").path,
      withDestinationPath: "a.pdf"
    )
    #expect(poll { (try? names(server).contains("linked.pdf")) == true })
    // The same document has the same name as before.
    #expect(try server.id("a") == a)
    try FileManager.default.removeItem(at: folder.appending(path: "new.pdf"))
    #expect(poll { (try? names(server).contains("new.pdf")) == false })
    let manifest =
      try server.get("/iiif/presentation/3/collection").json()["items"] as? [[String: Any]]
    let labels = manifest?.map { String(describing: $0["label"] ?? "") } ?? []
    #expect(labels.contains { $0.contains("later") } && !labels.contains { $0.contains("new.pdf") })
  }

  private func names(_ server: ServerProcess) throws -> Set<String> {
    let documents = try server.get("/api/documents").json()["documents"] as? [[String: Any]]
    return Set((documents ?? []).compactMap { $0["name"] as? String })
  }

  @Test func `what is no file, and links that lead out of the folder, are not served`() throws {
    defer { try? FileManager.default.removeItem(at: base) }
    let server = try ServerProcess([folder.path])
    #expect(try names(server) == ["a.pdf", "b.pdf", "in.pdf", "around.pdf"])
    #expect(try server.get("/iiif/3/\(try server.id("around"));1/info.json").status == 200)
    // A link is put in the place of a document that is served, and of its folder.
    let (a, b) = (try server.id("a"), try server.id("b"))
    try FileManager.default.removeItem(at: folder.appending(path: "a.pdf"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.appending(path: "a.pdf").path,
      withDestinationPath: "../outside.pdf"
    )
    try FileManager.default.moveItem(
      at: folder.appending(path: "inner"),
      to: base.appending(path: "moved")
    )
    try FileManager.default.createSymbolicLink(
      atPath: folder.appending(path: "inner").path,
      withDestinationPath: "../moved"
    )
    #expect(try server.get("/iiif/3/\(a);1/info.json").status == 404)
    #expect(try server.get("/iiif/3/\(b);1/info.json").status == 404)
  }

  @Test func `with --follow-links links are served, and what is no file is not`() throws {
    defer { try? FileManager.default.removeItem(at: base) }
    let server = try ServerProcess([folder.path], ["--follow-links"])
    let links: Set<String> = ["out.pdf", "absolute.pdf", "prefix.pdf", "in.pdf", "around.pdf"]
    #expect(try names(server) == links.union(["a.pdf", "b.pdf"]))
    #expect(try server.get("/iiif/3/\(try server.id("out"));1/info.json").status == 200)
  }

  @Test func `a link that is named itself is followed`() throws {
    defer { try? FileManager.default.removeItem(at: base) }
    let server = try ServerProcess([folder.appending(path: "out.pdf").path])
    #expect(try server.get("/iiif/3/\(try server.id("out"));1/info.json").status == 200)
  }
}

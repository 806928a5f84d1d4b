import Foundation
import TestSupport
import Testing

/// Documents on servers.
@Suite(.timeLimit(.minutes(10))) struct RemoteTests {
  private let sandbox: CommandSandbox
  private let server: DocumentServer

  init() throws {
    sandbox = try CommandSandbox()
    server = try DocumentServer()
  }

  private func recto(_ arguments: String...) throws -> ProgramResult {
    try sandbox.recto(arguments, environment: DocumentServer.environment)
  }

  @Test(
    "A picture is the same from a server and from the file",
    arguments: ["plain", "whole", "moved"]
  )
  func pictures(kind: String) throws {
    for name in ["book", "object-streams", "linearized", "transparency", "form", "damaged-xref"] {
      let options = ["--page", "1", "--viewport", "400x500", "--image", "-", "--no-cache"]
      let local = try sandbox.recto(["render", fixture(name)] + options)
      let remote = try sandbox.recto(
        ["render", "\(server.root)/\(kind)/\(name).pdf"] + options,
        environment: DocumentServer.environment
      )
      #expect(remote.code == 0, "\(name): \(remote.errors)")
      #expect(local.output == remote.output, "\(name)")
    }
  }

  @Test func `all fixtures have the same info, text and links from a server`() throws {
    for command in ["info", "text", "links"] {
      for url in try FileManager.default.contentsOfDirectory(
        at: TestPaths.fixtures,
        includingPropertiesForKeys: nil
      ).filter({ $0.pathExtension == "pdf" }).sorted(by: { $0.path < $1.path }) {
        let local = try sandbox.recto([command, url.path, "--no-cache"])
        let remote = try recto(
          command,
          "\(server.root)/plain/\(url.lastPathComponent)",
          "--no-cache"
        )
        #expect(remote.code == local.code, "\(url.lastPathComponent): \(remote.errors)")
        // The command names the document.
        let shown = remote.text.replacing(
          "\(server.root)/plain/\(url.lastPathComponent)",
          with: url.path
        )
        #expect(shown == local.text, "\(command) \(url.lastPathComponent)")
      }
    }
  }

  @Test(
    "A server that fails or lies is an error of one line, with its exit code",
    arguments: [
      ("missing", 66, "not found on the server"),
      ("gone", 66, "not found on the server"),
      ("forbidden", 77, "does not allow it (403)"),
      ("unauthorized", 77, "does not allow it (401)"),
      ("broken", 69, "status 500, 3 times"),
      ("busy-long", 69, "asks to wait 3600 s"),
      ("teapot", 66, "status 418"),
      ("circle", 66, "more than 5 redirects"),
      ("to-file", 66, "not allowed"),
      ("to-ftp", 66, "not allowed"),
      ("to-link-local", 69, "fetch: "),
      ("wrong-range", 66, "other bytes than those asked for"),
      ("no-content-range", 66, "other bytes than those asked for"),
      ("huge", 66, "other bytes than those asked for"),
      ("gzip", 66, "compressed bytes"),
      ("too-long", 66, "too many bytes"),
      ("too-short", 69, "times"),
      ("endless", 66, "too many bytes"),
      ("endless-header", 66, "header without an end"),
      ("trickle", 69, "fetch: "),
      ("new-tag", 74, "changed"),
      ("html", 65, "PDF"),
    ]
  )
  func faults(kind: String, code: Int, words: String) throws {
    let address = "\(server.root)/\(kind)/book.pdf"
    let result = try recto("render", address, "--image", "-", "--no-cache", "--server-timeout", "1")
    #expect(Int(result.code) == code, "\(result.errors)")
    #expect(result.output.isEmpty)
    let lines = result.errors.split(separator: "\n")
    #expect(lines.count == 1, "\(result.errors)")
    #expect(result.errors.contains(words), "\(result.errors)")
    #expect(result.errors.hasPrefix("recto: \(address): "), "\(result.errors)")
  }

  @Test(
    "A server that fails once is asked again",
    // The first part that is sent is a header, the second one a body.
    arguments: ["busy-once", "cut-once", "cut-1-header", "cut-2-body", "cut-3-later"]
  )
  func retries(kind: String) throws {
    let result = try recto("info", "\(server.root)/\(kind)/book.pdf", "--no-cache")
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.messages.isEmpty)
  }

  @Test func `a document that changes between two answers is an error`() throws {
    // The page lies between a megabyte on either side, which the first answer does not have.
    var pdf = PDFFile()
    let filling = Data(repeating: 0x20, count: 1 << 20)
    pdf.add("<</Type/Catalog/Pages 2 0 R>>")
    pdf.add("<</Type/Pages/Kids[4 0 R]/Count 1>>")
    pdf.add("<</Length \(filling.count)>>", stream: filling)
    pdf.add("<</Type/Page/Parent 2 0 R/MediaBox[0 0 90 90]/Contents 5 0 R>>")
    pdf.add("<</Length 14>>", stream: Data("0 0 50 50 re f".utf8))
    pdf.add("<</Length \(filling.count)>>", stream: filling)
    let folder = try TemporaryFolder()
    try pdf.finished().write(to: folder.url.appending(path: "large.pdf"))
    let server = try DocumentServer(folder.url)
    for (kind, code) in [("plain", 0), ("changing", 74)] as [(String, Int32)] {
      let address = "\(server.root)/\(kind)/large.pdf"
      let result = try recto("render", address, "--image", "-", "--no-cache")
      #expect(result.code == code, "\(result.errors)")
      #expect(result.errors.contains("changed") == (code != 0))
      #expect(result.output.isEmpty == (code != 0))
    }
  }

  /// A document with 200 KB between the contents of its pages, which show letters.
  private func pages(_ letters: String) -> Data {
    let filling = Data(repeating: 0x20, count: 200_000)
    var pdf = PDFFile()
    pdf.add("<</Type/Catalog/Pages 2 0 R>>")
    let kids = (0..<letters.count).map { "\(4 + $0) 0 R" }.joined(separator: " ")
    pdf.add("<</Type/Pages/Kids[\(kids)]/Count \(letters.count)>>")
    pdf.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    let resources = "/Resources<</Font<</F 3 0 R>>>>"
    for index in 0..<letters.count {
      let contents = "/Contents \(4 + letters.count + 2 * index) 0 R"
      pdf.add("<</Type/Page/Parent 2 0 R/MediaBox[0 0 90 90]\(resources)\(contents)>>")
    }
    for letter in letters {
      let contents = Data("BT/F 20 Tf 9 9 Td(\(letter)\(letter)\(letter))Tj ET".utf8)
      pdf.add("<</Length \(contents.count)>>", stream: contents)
      pdf.add("<</Length \(filling.count)>>", stream: filling)
    }
    return pdf.finished()
  }

  @Test func `parts are kept, so that the next command fetches only what is new`() throws {
    let folder = try TemporaryFolder()
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmn"
    try pages(letters).write(to: folder.url.appending(path: "a.pdf"))
    let server = try DocumentServer(folder.url)
    /// The ranges that a command asks for.
    func ranges(_ kind: String, _ arguments: String...) throws -> [Substring] {
      let before = server.requests.count
      let result = try sandbox.recto(
        ["render", "\(server.root)/\(kind)/a.pdf", "--image", "-"] + arguments,
        environment: DocumentServer.environment
      )
      #expect(result.code == 0, "\(result.errors)")
      return server.requests.dropFirst(before).compactMap {
        $0.split(separator: " ").dropFirst(2).first
      }
    }
    let first = try ranges("plain", "--page", "4")
    #expect(first.count > 2)
    #expect(try ranges("plain", "--page", "4", "--viewport", "300x300") == ["bytes=-1"])
    let other = try ranges("plain", "--page", "36")
    #expect(other.first == "bytes=-1" && other.count > 1, "\(other)")
    #expect(Set(first).isDisjoint(with: other), "\(first) \(other)")
    // Without a strong tag nothing is known.
    #expect(try ranges("weak", "--page", "4").count > 2)
    #expect(try ranges("weak", "--page", "4", "--viewport", "300x300").count > 2)
    #expect(try ranges("plain", "--page", "4", "--no-cache").count > 2)
  }

  @Test func `another version of a document has no part of the one before`() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "a.pdf")
    let server = try DocumentServer(folder.url)
    for letters in ["ABCDEF", "GHIJKL", "ABCDEF"] {
      try pages(letters).write(to: file)
      for page in [2, 5, 1] {
        let text = try recto("text", "\(server.root)/plain/a.pdf", "--pages", "\(page)").text
        let letter = Array(letters)[page - 1]
        #expect(text.contains("\(letter)\(letter)\(letter)"), "\(letters) \(page): \(text)")
      }
    }
  }

  @Test func `damaged parts are fetched again`() throws {
    let folder = try TemporaryFolder()
    try pages("ABCDEF").write(to: folder.url.appending(path: "a.pdf"))
    let server = try DocumentServer(folder.url)
    let arguments = ["render", "\(server.root)/plain/a.pdf", "--page", "4", "--image", "-"]
    let first = try sandbox.recto(arguments, environment: DocumentServer.environment)
    #expect(first.code == 0, "\(first.errors)")
    let damage = try sandbox.shell(
      #"find "$XDG_CACHE_HOME/recto/v2/parts" -type f | while read f; do echo x >"$f"; echo; done"#
    )
    #expect(damage.output.count > 3)
    let again = try sandbox.recto(
      arguments + ["--viewport", "300x300"],
      environment: DocumentServer.environment
    )
    #expect(again.code == 0, "\(again.errors)")
    // Those that were not needed are still damaged.
    let damaged = try recto("cache", "verify").json()["damaged"] as? [Any]
    #expect((damaged?.count ?? 0) < damage.output.count)
  }

  @Test func `an object in a store is read from the address of the store, with a signature`() throws
  {
    let folder = try TemporaryFolder()
    let bucket = folder.url.appending(path: "library")
    try FileManager.default.createDirectory(at: bucket, withIntermediateDirectories: true)
    try Data(contentsOf: TestPaths.fixture("book")).write(to: bucket.appending(path: "a.pdf"))
    let server = try DocumentServer(folder.url)
    let store = ["AWS_ENDPOINT_URL": "\(server.root)/plain", "HOME": folder.url.path]
    let keys = ["AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret-key"]
    for (variables, hasSecret) in [(store, false), (store.merging(keys) { $1 }, true)] {
      let before = server.requests.count
      let result = try sandbox.recto(
        ["info", "s3://library/a.pdf", "--no-cache"],
        environment: DocumentServer.environment.merging(variables) { $1 }
      )
      #expect(result.code == 0, "\(result.errors)")
      #expect(result.text.contains("s3://library/a.pdf"))
      let new = server.requests.dropFirst(before)
      #expect(new.allSatisfy { $0.contains(" /plain/library/a.pdf ") }, "\(Array(new))")
      #expect(new.allSatisfy { $0.hasSuffix("secret") == hasSecret })
    }
  }

  @Test func `a key is sent as it was typed`() throws {
    let store = ["AWS_ENDPOINT_URL": "\(server.root)/plain", "HOME": "/nowhere"]
    let before = server.requests.count
    let result = try sandbox.recto(
      ["info", "s3://library/../other/a.pdf", "--no-cache"],
      environment: DocumentServer.environment.merging(store) { $1 }
    )
    #expect(result.code != 0)
    let new = server.requests.dropFirst(before)
    #expect(!new.isEmpty && new.allSatisfy { $0.contains(" /plain/library/../other/a.pdf ") })
  }

  @Test func `secrets of an address are shown nowhere`() throws {
    let host = server.root.dropFirst("http://".count)
    let address = "http://reader:secret-password@\(host)/signed/book.pdf"
    for query in ["?signature=secret-signature", "?signature=secret-but-wrong"] {
      let result = try recto("info", "--json", "--errors", "json", address + query)
      #expect(result.code == (query.hasSuffix("wrong") ? 77 : 0), "\(result.errors)")
      #expect(!(result.text + result.errors).contains("secret"))
      #expect((result.text + result.errors).contains("\(server.root)/signed/book.pdf"))
    }
  }

  @Test func `a conversation opens an address as it does a file`() throws {
    let client = try ServeClient(
      sandbox,
      ["--no-cache", "--sizes", "exact"],
      environment: DocumentServer.environment
    )
    let there = try client.done("open", ["path": "\(server.root)/plain/book.pdf"])
    let here = try client.done("open", ["path": fixture("book")])
    #expect(there["path"] as? String == "\(server.root)/plain/book.pdf")
    for (op, members) in [
      ("text", ["page": 5]), ("links", ["page": 3]), ("outline", [:]), ("view", ["spread": 7]),
      ("picture", ["page": 12, "size": 100]), ("attachments", [:]),
    ] as [(String, ServeClient.Line)] {
      let replies = try [there, here].map { opened in
        var reply = try client.done(op, members.merging(["document": opened["document"]!]) { $1 })
        for name in ["document", "id", "geometry"] { reply[name] = nil }
        return reply
      }
      #expect(replies[0] as NSDictionary == replies[1] as NSDictionary, "\(op)")
    }
    for (path, code) in [
      ("\(server.root)/missing/book.pdf", "unreadable"), ("https://user:secret@/", "usage"),
      ("s3://library/", "usage"),
    ] {
      let error = try client.ask("open", ["path": path])["error"] as? ServeClient.Line
      #expect(error?["code"] as? String == code)
      #expect(error?["message"].map { "\($0)".contains("secret") } == false)
    }
    #expect(try client.end().code == 0)
  }

  @Test func `a text that begins as an address is no path, and shown without its secrets`() throws {
    for text in [
      "https://user:secret@/x", "https://secret\u{1}.example/", "http://", "s3://",
      "s3://sec ret/key",
      "HTTPS://:secret@?", "http://a\\secret/",
    ] {
      let single = try recto("info", text)
      #expect(single.code == 64 && single.errors.contains("no address"), "\(single.errors)")
      let file = sandbox.folder.path("list")
      try Data("\(text)\n".utf8).write(to: URL(filePath: file))
      let thumbs = try recto("thumbs", text, "-o", sandbox.folder.path("out"))
      let listed = try recto("info", "--from", file)
      #expect(thumbs.code != 0 && listed.code != 0)
      for result in [single, thumbs, listed] {
        #expect(!(result.errors + result.text).contains("secret"), "\(result.errors)\(result.text)")
      }
    }
  }

  @Test func `lines of a header file go to the host that was named, and to no other`() throws {
    let file = try sandbox.file("header", "Authorization: Bearer secret-token\n")
    let options = ["--header-file", file, "--no-cache"]
    for (kind, code) in [("token", Int32(0)), ("moved", 0), ("to-other-host", 0)] {
      let result = try sandbox.recto(
        ["info", "\(server.root)/\(kind)/book.pdf"] + options,
        environment: DocumentServer.environment
      )
      #expect(result.code == code, "\(kind): \(result.errors)")
    }
    #expect(try recto("info", "\(server.root)/token/book.pdf", "--no-cache").code == 77)
    let authorized = server.requests.filter { $0.hasSuffix("secret") }
    // The first request to the other host is that to this one.
    #expect(authorized.contains { $0.contains(" /to-other-host/") })
    let other = server.requests.split { $0.contains(" /to-other-host/") }.last ?? []
    #expect(other.contains { $0.contains(" /plain/") })
    #expect(other.filter { $0.contains(" /plain/") }.allSatisfy { !$0.hasSuffix("secret") })
  }

  @Test func `more than may be downloaded is an error`() throws {
    let folder = try TemporaryFolder()
    var bytes = try Data(contentsOf: TestPaths.fixture("damaged-xref"))
    bytes.append(Data(repeating: 0x20, count: 3_000_000))
    try bytes.write(to: folder.url.appending(path: "long.pdf"))
    let server = try DocumentServer(folder.url)
    for kind in ["plain", "whole"] {
      let result = try recto("info", "\(server.root)/\(kind)/long.pdf", "--max-download", "1")
      #expect(result.code == 66, "\(result.errors)")
      #expect(result.errors.contains("--max-download sets the limit"), "\(result.errors)")
    }
  }

  @Test func `a document with the same version has its results from the cache`() throws {
    let address = "\(server.root)/plain/book.pdf"
    #expect(try recto("info", address).code == 0)
    let before = server.requests.count
    #expect(try recto("info", address).code == 0)
    // The last byte, which tells the version.
    #expect(server.requests.count - before == 1)
  }
}

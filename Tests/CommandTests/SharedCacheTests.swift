import Foundation
import TestSupport
import Testing

/// A store that several machines use, with a real Redis server.
@Suite(.serialized, .timeLimit(.minutes(10)), .enabled(if: RedisServer.isInstalled))
struct SharedCacheTests {
  private static let window = ["render", fixture("book"), "--page", "3", "--viewport", "500x900"]

  private let server: RedisServer

  init() throws { server = try RedisServer() }

  /// A machine: a cache of its own.
  private struct Machine {
    let sandbox: CommandSandbox
    let server: RedisServer
    var query = "timeout=30s"

    init(_ server: RedisServer) throws {
      sandbox = try CommandSandbox()
      self.server = server
    }

    func render(_ more: [String] = [], environment: [String: String] = [:]) throws -> Answer {
      let result = try sandbox.recto(
        SharedCacheTests.window + more + ["--shared-cache", server.url + "?\(query)"],
        environment: RedisServer.environment.merging(environment) { $1 }
      )
      #expect(result.code == 0, "\(result.errors)")
      let output: RenderOutput = try result.decoded()
      let pictures = try output.tiles.map {
        try Data(contentsOf: URL(filePath: try #require($0.file)))
      }
      return Answer(
        sources: Set(output.tiles.map(\.source)),
        pictures: pictures,
        messages: result.messages.map(String.init)
      )
    }
  }

  private struct Answer {
    var sources: Set<String>
    var pictures: [Data]
    var messages: [String]
  }

  /// The pictures of the window, drawn without a shared cache.
  private static func drawn() throws -> [Data] {
    let sandbox = try CommandSandbox()
    return try withExtendedLifetime(sandbox) {
      let output: RenderOutput = try sandbox.recto(window).decoded()
      return try output.tiles.map { try Data(contentsOf: URL(filePath: try #require($0.file))) }
    }
  }

  @Test func `a second machine finds the tiles of the first, byte by byte`() throws {
    let first = try Machine(server).render()
    #expect(first.sources == ["rendered"])
    let second = try Machine(server)
    let found = try second.render()
    #expect(found.sources == ["shared"])
    #expect(found.pictures == first.pictures)
    #expect(found.messages.isEmpty)
    // From now on they are on the disk of the second machine.
    try server.ask("FLUSHALL")
    #expect(try second.render().sources == ["disk"])
  }

  @Test func `tiles in the store have an end of their life`() throws {
    var machine = try Machine(server)
    machine.query += "&ttl=1h&prefix=tests"
    _ = try machine.render()
    let keys = try server.ask("KEYS", "*").split(separator: "\n")
    #expect(!keys.isEmpty)
    for key in keys {
      #expect(key.wholeMatch(of: /tests:[0-9a-f]{32}/) != nil)
      let seconds = try #require(Int(try server.ask("TTL", String(key))))
      #expect((3000...3600).contains(seconds))
    }
  }

  @Test(arguments: ["garbage", "longer", "swapped", "list", "empty"])
  func `what is damaged in the store is drawn again and replaced`(damage: String) throws {
    let expected = try Machine(server).render().pictures
    let keys = try server.ask("KEYS", "*").split(separator: "\n").map(String.init).sorted()
    #expect(keys.count > 1)
    for (key, next) in zip(keys, keys.dropFirst() + keys.prefix(1)) {
      switch damage {
      case "garbage": try server.ask("SETRANGE", key, "80", "garbage")
      case "longer": try server.ask("SETRANGE", key, "9000000", "x")
      case "swapped": try server.ask("COPY", key, "copy-\(next)")
      case "list":
        try server.ask("DEL", key)
        try server.ask("RPUSH", key, "x")
      default: try server.ask("SET", key, "")
      }
    }
    if damage == "swapped" {
      for key in keys { try server.ask("COPY", "copy-\(key)", key, "REPLACE") }
    }
    let again = try Machine(server).render()
    #expect(again.sources == ["rendered"])
    #expect(again.pictures == expected)
    #expect(again.messages.count <= 1)
    let third = try Machine(server).render()
    #expect(third.sources == ["shared"])
    #expect(third.pictures == expected)
  }

  @Test func `a server that is away, or stands still, costs one warning`() throws {
    let expected = try Self.drawn()
    var machine = try Machine(server)
    machine.query = "timeout=50ms"
    server.process.send(SIGSTOP)
    let slow = try machine.render()
    #expect(slow.pictures == expected)
    #expect(slow.messages == ["recto: shared cache: \(server.url): no answer within 50 ms"])
    server.process.send(SIGCONT)
    server.process.send(SIGKILL)
    _ = server.process.wait()
    let away = try Machine(server).render()
    #expect(away.pictures == expected)
    #expect(away.messages.count == 1)
    #expect(away.messages.first?.contains("shared cache: \(server.url): ") == true)
  }

  @Test func `a server that answers nothing is not asked again by the next command`() throws {
    // Connections are made, and nothing is read from them.
    let program = """
      import socket
      server = socket.create_server(("127.0.0.1", 0))
      print(server.getsockname()[1], flush=True)
      open = []
      while True:
          open.append(server.accept())
          print("connection", flush=True)
      """
    let silent = try LoopbackServer(["python3", "-c", program])
    let url = "redis://:sesame@" + silent.root.dropFirst("http://".count)
    let sandbox = try CommandSandbox()
    func messages(_ command: [String]) throws -> [Substring] {
      let result = try sandbox.recto(
        command + ["--shared-cache", "\(url)?timeout=100ms"],
        environment: RedisServer.environment,
        input: Data(#"{"op":"view","id":1,"anchor":{"page":5}}"#.utf8)
      )
      #expect(result.code == 0)
      return result.messages
    }
    let first = try messages(Self.window)
    #expect(first.count == 1 && first[0].hasSuffix("no answer within 100 ms"), "\(first)")
    #expect(poll { silent.lines.count == 1 })
    let window = ["render", fixture("book"), "--page", "5", "--viewport", "500x900"]
    for command in [window, ["serve", fixture("book"), "--stdio", "--viewport", "500x900"]] {
      let next = try messages(command)
      #expect(next.count == 1 && next[0].contains(": no answer "), "\(next)")
      #expect(next.first?.contains(" s ago; it is asked again in ") == true, "\(next)")
    }
    #expect(silent.lines.count == 1)
    let file = try #require(sandbox.cache.files.first { $0.contains("/stores/") })
    let bytes = try Data(contentsOf: sandbox.cache.url.appending(path: file))
    #expect(bytes.firstRange(of: Data("sesame".utf8)) == nil)
    #expect(try sandbox.recto("cache", "verify").code == 0)
  }

  @Test func `a missing program costs one warning`() throws {
    let machine = try Machine(server)
    let answer = try machine.render(environment: ["RECTO_SHARED_CACHE_PROGRAM": "/nowhere"])
    #expect(answer.sources == ["rendered"])
    #expect(
      answer.messages == [
        "recto: shared cache: \(server.url): find recto-shared-cache: "
          + "RECTO_SHARED_CACHE_PROGRAM is not an executable file"
      ]
    )
  }

  @Test func `the password can be in the environment, and no message has it`() throws {
    try server.ask("CONFIG", "SET", "requirepass", "sesame")
    let refused = try Machine(server).render(environment: ["RECTO_SHARED_CACHE_PASSWORD": "wrong"])
    #expect(refused.sources == ["rendered"])
    #expect(refused.messages.count == 1)
    #expect(refused.messages.first?.contains("WRONGPASS") == true)
    let password = ["RECTO_SHARED_CACHE_PASSWORD": "sesame"]
    #expect(try Machine(server).render(environment: password).sources == ["rendered"])
    #expect(try Machine(server).render(environment: password).sources == ["shared"])
  }

  @Test func `tiles of a document that is opened with a password are not shared`() throws {
    let machine = try Machine(server)
    #expect(try machine.render(["--password", "secret"]).sources == ["rendered"])
    #expect(try server.ask("DBSIZE") == "0")
  }

  @Test func `a machine with other fonts draws tiles of its own`() throws {
    let home = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: home.url.appending(path: ".fonts"),
      withIntermediateDirectories: true
    )
    let environment = ["HOME": home.url.path, "XDG_DATA_HOME": ""]
    #expect(try Machine(server).render(environment: environment).sources == ["rendered"])
    #expect(try Machine(server).render(environment: environment).sources == ["shared"])
    try Data(count: 3).write(to: home.url.appending(path: ".fonts/other.ttf"))
    #expect(try Machine(server).render(environment: environment).sources == ["rendered"])
  }

  @Test func `serve finds tiles in the store, and puts its own there`() throws {
    let requests = #"{"op":"view","id":1,"anchor":{"page":3}}"# + "\n"
    func sources() throws -> Set<String> {
      let result = try CommandSandbox().recto(
        [
          "serve", fixture("book"), "--stdio", "--viewport", "500x900", "--shared-cache",
          server.url + "?timeout=30s",
        ],
        environment: RedisServer.environment,
        input: Data(requests.utf8)
      )
      #expect(result.code == 0, "\(result.errors)")
      #expect(result.errors == "")
      return Set(try result.jsonLines().compactMap { $0["source"] as? String })
    }
    #expect(try sources() == ["rendered"])
    #expect(try sources() == ["shared"])
  }

  @Test func `a command that finds all in its own cache starts nothing`() throws {
    let machine = try Machine(server)
    _ = try machine.render()
    let again = try machine.render(environment: ["RECTO_SHARED_CACHE_PROGRAM": "/nowhere"])
    #expect(again.sources == ["disk"])
    #expect(again.messages.isEmpty)
  }
}

/// Options of a shared cache that cannot be used; no server is needed.
@Suite(.timeLimit(.minutes(5))) struct SharedCacheOptionTests {
  @Test func `options that exclude a shared cache are refused`() throws {
    let sandbox = try CommandSandbox()
    func message(_ more: [String], _ environment: [String: String] = [:]) throws -> String {
      let result = try sandbox.recto(["render", fixture("book")] + more, environment: environment)
      #expect(result.code == 64)
      return result.errors
    }
    let url = "redis://:sesame@h"
    #expect(
      try message(["--shared-cache", url, "--no-cache", "-o", "x"])
        == "recto: --shared-cache cannot be used with --no-cache\n"
    )
    #expect(
      try message(["--shared-cache", url, "--identity", "file"])
        == "recto: --identity file cannot be used with --shared-cache\n"
    )
    #expect(
      try message(["--identity", "file"], ["RECTO_SHARED_CACHE": url])
        == "recto: --identity file cannot be used with RECTO_SHARED_CACHE\n"
    )
    let wrong = try message([], ["RECTO_SHARED_CACHE": "redis://:sesame@h:x"])
    #expect(wrong.hasPrefix("recto: RECTO_SHARED_CACHE: must be redis://"))
    #expect(wrong.hasSuffix(", is 'redis://***@h:x'\n"))
    #expect(try message(["--shared-cache", ""]).hasPrefix("recto: --shared-cache: must be "))
  }

  @Test func `an empty variable is none, and --no-cache needs no shared cache`() throws {
    let sandbox = try CommandSandbox()
    let arguments = ["render", fixture("book"), "--viewport", "90x90"]
    #expect(try sandbox.recto(arguments, environment: ["RECTO_SHARED_CACHE": ""]).errors == "")
    let result = try sandbox.recto(
      arguments + ["--no-cache", "-o", "out"],
      environment: ["RECTO_SHARED_CACHE": "redis://127.0.0.1:1"]
    )
    #expect(result.code == 0)
    #expect(result.errors == "")
  }
}

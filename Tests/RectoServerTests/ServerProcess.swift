import Foundation
import TestSupport
import Testing

/// A running `recto-http`, as a client sees it.
final class ServerProcess {
  /// What it said where it listens.
  let line: String
  /// The same, without the slash at the end.
  let address: String
  private let process = Process()
  private let folder: URL

  /// Starts a server on a free port, and waits until it says where.
  ///
  /// - Parameters:
  ///   - documents: Fixtures by name, or paths.
  ///   - options: Further options.
  ///   - openFiles: Options of `ulimit` for it; nil for the limits of the tests.
  ///   - variables: Variables besides those of the tests.
  /// - Throws: A server error if it ends before that.
  init(
    _ documents: [String] = ["book"],
    _ options: [String] = [],
    openFiles: String? = nil,
    environment variables: [String: String] = [:]
  ) throws {
    folder = URL(filePath: NSTemporaryDirectory()).appending(path: "recto-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var environment = ProcessInfo.processInfo.environment
    process.executableURL = URL(filePath: "/bin/sh")
    let limiting = openFiles.map { "ulimit \($0) && " } ?? ""
    let files = documents.map { name in
      name.contains("/")
        ? name : TestPaths.fixture(name).path
    }
    process.arguments =
      ["-c", "\(limiting)exec \"$0\" \"$@\"", TestPaths.server.path, "serve"] + files + [
        "--http", "0",
      ] + options
    environment["RECTO_WORKER"] = TestPaths.worker.path
    environment["XDG_CACHE_HOME"] = folder.path
    process.environment = environment.merging(variables) { $1 }
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var text = ""
    while !text.contains("\n") {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { throw ServerError("the server has ended: \(text)") }
      text += String(decoding: data, as: UTF8.self)
    }
    line = String(text.prefix { $0 != "\n" })
    address = line.trimmingCharacters(in: ["/"])
  }

  deinit {
    if process.isRunning {
      process.interrupt()
      process.waitUntilExit()
    }
    try? FileManager.default.removeItem(at: folder)
  }

  /// The exit code after a signal that asks for an end.
  func end() -> Int32 {
    terminate()
    return waitForEnd()
  }

  /// Asks for an end.
  func terminate() { process.terminate() }

  /// The exit code.
  func waitForEnd() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }

  var processIdentifier: Int32 { process.processIdentifier }

  /// A response.
  struct Answer {
    var status: Int
    /// By lowercase names.
    var headers: [String: String]
    var body: Data

    var text: String { String(decoding: body, as: UTF8.self) }

    func json() throws -> [String: Any] {
      try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
    }
  }

  /// Begins to ask with curl, which sends paths and headers as they are.
  ///
  /// - Returns: curl, and what it prints.
  func begin(_ path: String, _ options: [String]) throws -> (Process, Pipe) {
    let curl = Process()
    curl.executableURL = URL(filePath: "/usr/bin/env")
    curl.arguments =
      ["curl", "--silent", "--path-as-is", "--globoff", "--max-time", "60"] + options
      + [address + path]
    let output = Pipe()
    curl.standardOutput = output
    try curl.run()
    return (curl, output)
  }

  /// Asks, and waits for the answer.
  func get(_ path: String, _ options: [String] = []) throws -> Answer {
    let (curl, output) = try begin(path, ["--include", "--http1.1"] + options)
    let data = output.fileHandleForReading.readDataToEndOfFile()
    curl.waitUntilExit()
    let separator = Data("\r\n\r\n".utf8)
    guard let end = data.range(of: separator) else { throw ServerError("no answer to \(path)") }
    let lines = String(decoding: data[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
    let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
    }
    return Answer(status: status ?? 0, headers: headers, body: data[end.upperBound...])
  }

  /// Reads events of a conversation until one of them has a text.
  func events(
    of session: String,
    until text: String,
    after requests: [String],
    seconds: Int = 60
  ) throws -> [[String: Any]] {
    let curl = Process()
    curl.executableURL = URL(filePath: "/usr/bin/env")
    curl.arguments = [
      "curl", "-sN", "--max-time", "\(seconds)", "\(address)/api/sessions/\(session)/events",
    ]
    let output = Pipe()
    curl.standardOutput = output
    try curl.run()
    defer {
      // It inherits the blocked signals of the tests.
      kill(curl.processIdentifier, SIGKILL)
      curl.waitUntilExit()
    }
    var received = ""
    func read(until text: String) throws {
      while !received.contains(text) {
        let data = output.fileHandleForReading.availableData
        guard !data.isEmpty else { throw ServerError("the stream has ended: \(received)") }
        received += String(decoding: data, as: UTF8.self)
      }
    }
    try read(until: "\"hello\"")
    let body = requests.joined(separator: "\n")
    let posted = try get("/api/sessions/\(session)/requests", ["--data-binary", body])
    #expect(posted.status == 202)
    try read(until: text)
    return try received.split(separator: "\n").filter { $0.hasPrefix("data: ") }.dropLast().map {
      try #require(
        try JSONSerialization.jsonObject(with: Data($0.dropFirst(6).utf8)) as? [String: Any]
      )
    }
  }

  /// The opaque name of a document.
  func id(_ name: String, _ options: [String] = []) throws -> String {
    let documents = try get("/api/documents", options).json()["documents"] as? [[String: Any]]
    let entry = documents?.first { $0["name"] as? String == "\(name).pdf" }
    return try #require(entry?["id"] as? String)
  }
}

struct ServerError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

import Foundation
import Glibc
import TestSupport
import Testing

/// A working folder and a cache for one test.
struct CommandSandbox {
  /// The folder in which the command runs.
  let folder: TemporaryFolder
  /// The value of `XDG_CACHE_HOME`.
  let cache: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    cache = try TemporaryFolder()
  }

  var environment: [String: String] {
    ["XDG_CACHE_HOME": cache.url.path, "COLUMNS": "80", "LC_ALL": "C.UTF-8"]
  }

  /// Runs `recto` to its end.
  func recto(
    _ arguments: [String],
    environment more: [String: String] = [:],
    input: Data? = nil
  ) throws -> ProgramResult {
    let result = try Program.run(
      TestPaths.recto,
      arguments,
      environment: environment.merging(more) { $1 },
      input: input,
      folder: folder.url
    )
    RecordedOutput.add(result, of: arguments)
    return result
  }

  /// Runs `recto` to its end.
  func recto(_ arguments: String...) throws -> ProgramResult { try recto(arguments) }

  /// Runs a line of shell, in which `$recto` is the command.
  func shell(_ line: String, environment more: [String: String] = [:]) throws -> ProgramResult {
    var all = environment.merging(more) { $1 }
    all["recto"] = TestPaths.recto.path
    return try Program.run(
      URL(filePath: "/bin/bash"),
      ["-c", line],
      environment: all,
      folder: folder.url
    )
  }

  /// Writes a file into the folder and returns its path.
  func file(_ name: String, _ text: String) throws -> String {
    let path = folder.path(name)
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  /// Copies a fixture into the folder, making folders on the way.
  func copy(_ fixture: String, to name: String) throws {
    let target = folder.url.appending(path: name)
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try FileManager.default.copyItem(at: TestPaths.fixture(fixture), to: target)
  }

  /// The pictures of tiles in the cache, as paths below it.
  var cachedTiles: [String] { cache.files.filter { $0.contains("/pictures/") } }
}

extension ProgramResult {
  /// Standard output as a value.
  func decoded<Value: Decodable>(_: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(Value.self, from: output)
  }

  /// Standard output as one value a line.
  func decodedLines<Value: Decodable>(_: Value.Type = Value.self) throws -> [Value] {
    try text.split(separator: "\n").map {
      try JSONDecoder().decode(Value.self, from: Data($0.utf8))
    }
  }

  /// Standard error as lines.
  var messages: [Substring] {
    errors.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
  }
}

/// A fixture's path.
func fixture(_ name: String) -> String { TestPaths.fixture(name).path }

/// Whether the tests run as root, to which permissions do not apply.
let isRoot = geteuid() == 0

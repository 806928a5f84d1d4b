package import Foundation
internal import Glibc

/// The result of a program.
package struct ProgramResult: Sendable {
  /// Its exit code; 128 plus the signal's number when a signal ended it.
  package var code: Int32
  /// What it wrote to standard output.
  package var output: Data
  /// What it wrote to standard error.
  package var errors: String

  /// Standard output as text.
  package var text: String { String(decoding: output, as: UTF8.self) }

  /// Standard output as one JSON object.
  package func json() throws -> [String: Any] {
    try (JSONSerialization.jsonObject(with: output) as? [String: Any]) ?? [:]
  }

  /// Standard output as one JSON object a line.
  package func jsonLines() throws -> [[String: Any]] {
    try text.split(separator: "\n").map { line in
      try (JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]) ?? [:]
    }
  }
}

/// Runs programs as processes.
package enum Program {
  /// Runs a program to its end.
  ///
  /// - Parameters:
  ///   - environment: Variables added to those of the test.
  ///   - input: The data for standard input.
  package static func run(
    _ program: URL,
    _ arguments: [String],
    environment: [String: String] = [:],
    input: Data? = nil,
    folder: URL? = nil
  ) throws -> ProgramResult {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.currentDirectoryURL = folder
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    let inputPipe = input.map { _ in Pipe() }
    process.standardInput = inputPipe ?? FileHandle.nullDevice
    try process.run()
    // Pipes are drained before waiting: a full pipe would block the program.
    let group = DispatchGroup()
    let errorBytes = Box()
    DispatchQueue.global().async(group: group) {
      errorBytes.data = errors.fileHandleForReading.readDataToEndOfFile()
    }
    if let input, let inputPipe {
      DispatchQueue.global().async(group: group) {
        try? inputPipe.fileHandleForWriting.write(contentsOf: input)
        try? inputPipe.fileHandleForWriting.close()
      }
    }
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    group.wait()
    process.waitUntilExit()
    return ProgramResult(
      code: process.terminationReason == .uncaughtSignal
        ? 128 + process.terminationStatus : process.terminationStatus,
      output: bytes,
      errors: String(decoding: errorBytes.data, as: UTF8.self)
    )
  }

  /// Runs a program found in PATH; nil when it is not installed.
  package static func runIfInstalled(
    _ name: String,
    _ arguments: [String]
  ) throws -> ProgramResult? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    guard
      let path = folders.map({ (folder) -> String in "\(folder)/\(name)" })
        .first(where: { access($0, X_OK) == 0 })
    else { return nil }
    return try run(URL(filePath: path), arguments)
  }

  // Written by one thread before the group is left, read by another after: never at once.
  private final class Box: @unchecked Sendable {
    var data = Data()
  }
}

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
  ///
  /// - Throws: An error if the output is not JSON.
  package func json() throws -> [String: Any] {
    try (JSONSerialization.jsonObject(with: output) as? [String: Any]) ?? [:]
  }

  /// Standard output as one JSON object a line.
  ///
  /// - Throws: An error if a line is not JSON.
  package func jsonLines() throws -> [[String: Any]] {
    try text.split(separator: "\n").map { line in
      try (JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]) ?? [:]
    }
  }
}

/// Runs programs as processes.
package enum Program {
  /// Runs a program to its end, and kills it when it takes longer than that.
  ///
  /// - Parameters:
  ///   - program: The executable file.
  ///   - arguments: Its arguments.
  ///   - environment: Variables added to those of the test.
  ///   - input: The data for standard input.
  ///   - folder: Its working directory; that of the test if nil.
  ///   - seconds: The time it is given.
  /// - Returns: What it has written, and how it ended.
  /// - Throws: `ChildProcessError` when it cannot be started.
  package static func run(
    _ program: URL,
    _ arguments: [String],
    environment: [String: String] = [:],
    input: Data? = nil,
    folder: URL? = nil,
    seconds: Double = ChildProcess.patience
  ) throws -> ProgramResult {
    let output = try Pipes()
    let errors = try Pipes()
    let inputPipe = try input.map { _ in try Pipes() }
    let process = try ChildProcess(
      program,
      arguments,
      environment: environment,
      folder: folder,
      input: inputPipe.map { .descriptor($0.reading.descriptor) } ?? .null,
      output: .descriptor(output.writing.descriptor),
      errors: .descriptor(errors.writing.descriptor)
    )
    for end in [output.writing, errors.writing, inputPipe?.reading] { end?.close() }
    let bytes = exchange(
      input: inputPipe.map { ($0.writing, input ?? Data()) },
      outputs: [output.reading, errors.reading],
      deadline: TestDeadline(after: seconds)
    )
    guard let bytes else {
      process.send(SIGKILL)
      let code = process.wait()
      return ProgramResult(code: code, output: Data(), errors: "killed after \(seconds) s")
    }
    return ProgramResult(
      code: process.wait(),
      output: bytes[0],
      errors: String(decoding: bytes[1], as: UTF8.self)
    )
  }

  /// Writes the input and reads the outputs at the same time: a full pipe would block the program.
  ///
  /// - Returns: What was read of each output; nil when the time was over first.
  private static func exchange(
    input: (end: PipeEnd, data: Data)?,
    outputs: [PipeEnd],
    deadline: TestDeadline
  ) -> [Data]? {
    var bytes = outputs.map { _ in Data() }
    var rest = input?.data ?? Data()
    if rest.isEmpty { input?.end.close() }
    let ends = outputs + (input.map { [$0.end] } ?? [])
    while outputs.contains(where: { $0.descriptor >= 0 }) {
      // A closed end has the descriptor -1, which `poll` leaves out.
      var polled = ends.indices.map {
        pollfd(
          fd: ends[$0].descriptor,
          events: Int16($0 < outputs.count ? POLLIN : POLLOUT),
          revents: 0
        )
      }
      guard poll(&polled, nfds_t(polled.count), deadline.milliseconds) > 0 else {
        if errno == EINTR, !deadline.hasPassed { continue }
        return nil
      }
      for (index, entry) in polled.enumerated() where entry.revents != 0 {
        if index == outputs.count {
          let part = rest.prefix(Int(PIPE_BUF))
          // The write fails when the program has closed its input.
          rest = (try? ends[index].write(part)) == nil ? Data() : rest.dropFirst(part.count)
          if rest.isEmpty { ends[index].close() }
        } else if let more = try? outputs[index].read(), !more.isEmpty {
          bytes[index] += more
        } else {
          outputs[index].close()
        }
      }
    }
    return bytes
  }

  /// Runs a program found in PATH with messages in English; code 127 when it is not installed.
  ///
  /// - Parameters:
  ///   - name: The name of the program, found in `PATH`.
  ///   - arguments: Its arguments.
  ///   - folder: Its working directory; that of the test if nil.
  ///   - seconds: The time it is given; code 137 when that was not enough.
  /// - Returns: What it has written, and how it ended.
  /// - Throws: `ChildProcessError` when it cannot be started.
  package static func runInPath(
    _ name: String,
    _ arguments: [String],
    folder: URL? = nil,
    seconds: Double = 20
  ) throws -> ProgramResult {
    try run(
      URL(filePath: "/usr/bin/env"),
      [name] + arguments,
      environment: ["LC_ALL": "C"],
      folder: folder,
      seconds: seconds
    )
  }
}

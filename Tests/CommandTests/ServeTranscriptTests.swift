import Foundation
import TestSupport
import Testing

/// The transcript in `docs/SERVE.md`.
@Suite(.timeLimit(.minutes(10))) struct ServeTranscriptTests {
  private static let document = TestPaths.root.appending(path: "docs/SERVE.md")
  private static let fence = "```text\n"

  /// A request and everything that came until nothing was left to do.
  private struct Turn: Equatable {
    /// Nil for what comes before the first request.
    var request: String?
    /// The reply, then the events in the order of their text.
    var answers: [String]

    var lines: [String] { (request.map { ["→ \($0)"] } ?? []) + answers.map { "← \($0)" } }
  }

  private static func turns(_ text: Substring) -> [Turn] {
    var turns: [Turn] = []
    for line in text.split(separator: "\n") {
      let content = String(line.dropFirst(2))
      if line.hasPrefix("→ ") {
        turns.append(Turn(request: content, answers: []))
      } else if turns.isEmpty {
        turns.append(Turn(answers: [content]))
      } else {
        turns[turns.count - 1].answers.append(content)
      }
    }
    return turns
  }

  /// Runs the requests in a new session.
  private static func recorded(_ requests: [String]) throws -> [Turn] {
    let sandbox = try CommandSandbox()
    try sandbox.copy("mixed-sizes", to: "mixed-sizes.pdf")
    let client = try ServeClient(sandbox)
    var turns = [Turn(answers: [try #require(try client.text())])]
    for request in requests {
      try client.send(request)
      var answers: [String] = []
      while answers.last != #"{"event":"idle"}"# {
        answers.append(anywhere(try #require(try client.text())))
        // Nothing is drawn or measured for these.
        if answers.count == 1, answers[0].contains(#""error""#) || request.contains(#""close""#) {
          break
        }
      }
      turns.append(
        Turn(request: request, answers: [answers[0]] + answers.dropFirst().sorted(by: >))
      )
    }
    return turns
  }

  /// The line without what depends on the machine.
  private static func anywhere(_ line: String) -> String {
    line.replacing(/"file":"[^"]*"/, with: #""file":"…""#)
      .replacing(/"bytes":\d+/, with: #""bytes":…"#)
  }

  @Test func `the transcript in the reference matches a session`() throws {
    let text = try String(contentsOf: Self.document, encoding: .utf8)
    let start = try #require(text.range(of: Self.fence)).upperBound
    let end = try #require(text[start...].range(of: "```")).lowerBound
    let written = Self.turns(text[start..<end])
    let recorded = try Self.recorded(written.compactMap(\.request))
    if ProcessInfo.processInfo.environment["RECTO_RECORD"] == "1" {
      let block = recorded.flatMap(\.lines).joined(separator: "\n") + "\n"
      try Data((text[..<start] + block + text[end...]).utf8).write(to: Self.document)
      Issue.record("recorded the transcript in docs/SERVE.md")
    } else {
      #expect(written == recorded)
    }
  }
}

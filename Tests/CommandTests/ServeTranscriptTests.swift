import Foundation
import TestSupport
import Testing

/// The conversation in `docs/SERVE.md`.
@Suite(.timeLimit(.minutes(1))) struct ServeTranscriptTests {
  private static let document = Places.root.appending(path: "docs/SERVE.md")
  private static let fence = "```text\n"

  /// A request and everything that came until nothing was left to do.
  private struct Turn: Equatable {
    var request: String
    /// The reply, then the events in the order of their text.
    var answers: [String]

    var lines: [String] { ["→ \(request)"] + answers.map { "← \($0)" } }
  }

  private static func turns(_ text: Substring) -> [Turn] {
    var turns: [Turn] = []
    for line in text.split(separator: "\n") {
      let content = String(line.dropFirst(2))
      if line.hasPrefix("→ ") {
        turns.append(Turn(request: content, answers: []))
      } else if let last = turns.indices.last {
        turns[last].answers.append(content)
      }
    }
    return turns
  }

  /// Holds the conversation anew.
  private static func held(_ requests: [String]) throws -> [Turn] {
    let desk = try Desk()
    try desk.copy("mixed-sizes", to: "mixed-sizes.pdf")
    let client = try ServeClient(desk)
    var turns: [Turn] = []
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

  @Test func `the conversation in the reference is what is said`() throws {
    let text = try String(contentsOf: Self.document, encoding: .utf8)
    let start = try #require(text.range(of: Self.fence)).upperBound
    let end = try #require(text[start...].range(of: "```")).lowerBound
    let written = Self.turns(text[start..<end])
    let held = try Self.held(written.map(\.request))
    if ProcessInfo.processInfo.environment["RECTO_RECORD"] == "1" {
      let block = held.flatMap(\.lines).joined(separator: "\n") + "\n"
      try Data((text[..<start] + block + text[end...]).utf8).write(to: Self.document)
      Issue.record("recorded the conversation in docs/SERVE.md")
    } else {
      #expect(written == held)
    }
  }
}

import Foundation
import TestSupport
import Testing

@Suite struct LayoutCaseTests {
  @Test func `the recorded cases for other builds have the answers of this one`() throws {
    let text = try (0..<200).map { try LayoutCase(seed: $0).line + "\n" }.joined()
    let environment = ProcessInfo.processInfo.environment
    if let outputs = environment["RECTO_OUTPUTS"] {
      let file = URL(filePath: outputs).appending(path: "layout-case.jsonl")
      try Data(text.utf8).write(to: file)
    }
    let file = TestPaths.fixtures.appending(path: "layout-cases.jsonl")
    if environment["RECTO_RECORD"] == "1" {
      try Data(text.utf8).write(to: file)
      Issue.record("recorded layout-cases.jsonl")
      return
    }
    let recorded = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    let lines = text.split(separator: "\n")
    #expect(recorded.count == lines.count)
    for (seed, (line, recorded)) in zip(lines, recorded).enumerated() where line != recorded {
      Issue.record("case \(seed) differs; RECTO_RECORD=1 rewrites it")
    }
  }

  @Test func `a seed gives one case`() throws {
    for seed in 0..<5 {
      #expect(try LayoutCase(seed: seed).line == LayoutCase(seed: seed).line)
    }
  }
}

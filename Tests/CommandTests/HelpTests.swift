import TestSupport
import Testing

@testable import RectoCommand

@Suite(.serialized, .timeLimit(.minutes(10))) struct HelpTests {
  static let commands = [
    [], ["info"], ["text"], ["search"], ["links"], ["outline"], ["layout"], ["render"], ["pages"],
    ["thumbs"], ["serve"],
    ["cache"],
    ["cache", "path"], ["cache", "info"], ["cache", "trim"], ["cache", "verify"],
    ["cache", "clear"], ["doctor"],
  ]

  @Test(arguments: commands) func `help matches the recorded text`(command: [String]) throws {
    let result = try CommandSandbox().recto(command + ["--help"])
    #expect(result.code == 0)
    #expect(result.errors.isEmpty)
    try Golden.expect(
      result.text,
      equals: "Help/\((["recto"] + command).joined(separator: "-")).txt"
    )
  }

  @Test(arguments: commands) func `no help text ends a line as its source does`(
    command: [String]
  ) throws {
    let text = try CommandSandbox().recto(command + ["--help"]).text
    #expect(!text.split(separator: "\n").contains { $0.hasSuffix("\\") })
  }

  @Test(arguments: commands) func `every help text has an example`(command: [String]) throws {
    let text = try CommandSandbox().recto(command + ["--help"]).text
    #expect(text.contains("Example:\n  "))
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("USAGE: ") }
    #expect(lines.allSatisfy { $0.count <= 80 })
  }

  @Test(arguments: commands) func `-h is a screen with the options that are used most`(
    command: [String]
  ) throws {
    let sandbox = try CommandSandbox()
    let text = try sandbox.recto(command + ["-h"]).text
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 41)
    #expect(lines.allSatisfy { $0.count <= 80 || $0.hasPrefix("USAGE: ") })
    let all = try sandbox.recto(command + ["--help"]).text
    #expect(Set(lines).subtracting(all.split(separator: "\n")).count <= 3)
    for option in HelpText.usualOptions[command.joined(separator: " ")] ?? [] {
      #expect(text.contains(option), "\(option)")
    }
  }

  @Test func `options that commands share have a help of their own`() throws {
    let text = try CommandSandbox().recto("help", "options").text
    let groups = text.matches(of: /(?m)^[A-Z ]+:$/).map { String($0.0) }
    #expect(groups.sorted() == ["CACHE:", "DOCUMENT:", "MESSAGES:"])
    let rendering = try CommandSandbox().recto("render", "--help").text
    #expect(Set(text.split(separator: "\n")).isSubset(of: rendering.split(separator: "\n")))
  }

  @Test func `the version is one line`() throws {
    let result = try CommandSandbox().recto("--version")
    #expect(result.code == 0)
    #expect(result.text.wholeMatch(of: /recto [0-9]+\.[0-9]+\.[0-9]+\n/) != nil)
  }
}

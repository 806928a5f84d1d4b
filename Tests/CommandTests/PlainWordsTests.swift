import ArgumentParser
import TestSupport
import Testing

@testable import RectoCommand

/// Options that are made from plain words, against those that the parser makes.
@Suite struct PlainWordsTests {
  /// Values, of which each option takes at least one.
  private static let values = [
    "0", "1", "2", "0.5", "300", "512", "1e3", "-3", "grid", "book", "horizontal", "width", "start",
    "widest", "90",
    "1-3,5", "label:iv", "12+0.5", "10,20", "0.5,0.5", "0.7,0.45,0.3", "600x800", "2:40", "2:9,18",
    "natural",
    "justify", "--mode grid", "mode grid", "out", "out.png", "out.jpg", "white", "#102030", "png",
    "jpeg", "precise",
    "poppler", "auto", "require", "content", "file", "500M", "unlimited",
    "redis://localhost:6379/0", "exact",
    "estimated", "{\"page\":3,\"y\":0.5}", "text", "json", "wrong", "a=b", "é", "-", "--", "help",
    "content-box", "document",
  ]

  /// The commands that make their options from plain words.
  private static let commands: [any PlainCommand.Type] = [RenderCommand.self, LayoutCommand.self]

  /// The options that the help of a command has.
  private static func options(of command: any PlainCommand.Type) -> [String] {
    let found = command.helpMessage(columns: 200).matches(of: /--[a-z][a-z-]+/)
    return Set(found.map { String($0.output) }).subtracting(["--help", "--version"]).sorted()
  }

  /// Each option that a command has, and its value.
  private static func settings(_ value: Any, in group: String = "") throws -> [String: String] {
    var settings: [String: String] = [:]
    for child in Mirror(reflecting: value).children {
      let name = group + (child.label ?? "")
      let wrapper = Mirror(reflecting: child.value).children
      let parsed = try #require(wrapper.first { $0.label == "_parsedValue" }).value
      let state = try #require(Mirror(reflecting: parsed).children.first)
      try #require(state.label == "value", "\(name) is not set")
      if state.value is any ParsableArguments {
        settings.merge(try self.settings(state.value, in: "\(name).")) { first, _ in first }
      } else {
        settings[name] = String(reflecting: state.value)
      }
    }
    return settings
  }

  /// Whether words are plain. If so, the parser has to make the same of them.
  private static func compare(
    _ words: [String],
    with command: any PlainCommand.Type
  ) throws -> Bool {
    guard let plain = command.plain(words) else { return false }
    let parsed = try #require(try? command.parseAsRoot(words), "\(words)")
    #expect(type(of: parsed) == command)
    #expect(try settings(plain) == settings(parsed), "\(words)")
    return true
  }

  @Test func `without options, everything is as the parser has it`() throws {
    for command in Self.commands { #expect(try Self.compare(["a.pdf"], with: command)) }
    #expect(try Self.settings(#require(RenderCommand.plain(["a.pdf"]))).count >= 70)
    #expect(try Self.settings(#require(LayoutCommand.plain(["a.pdf"]))).count >= 50)
  }

  @Test func `each option is read, and as the parser reads it`() throws {
    for command in Self.commands {
      func compare(_ words: [String]) throws -> Bool { try Self.compare(words, with: command) }
      for option in Self.options(of: command) {
        // With what some options need.
        let others = [
          [], ["--image", "b.png"], ["--image", "b.jpg"], ["--page", "3"],
          ["--no-cache", "-o", "out"],
          ["--mode", "grid"], ["--mode", "flow"], ["--mode", "flow", "--justify"],
          ["--mode", "carousel"],
          ["--sections", "3,5"],
        ]
        var isRead = false
        for other in others {
          if try compare(other + [option, "a.pdf"]) { isRead = true }
          if try compare([option, "a.pdf"] + other) { isRead = true }
        }
        for value in Self.values {
          if try compare(["a.pdf", option, value]) { isRead = true }
        }
        for value in ["1", "0.5", "60", "white", "jpeg", "600x800", "0.7,0.45,0.3", "justified"] {
          for other in others where try compare(other + [option, value, "a.pdf"]) {
            isRead = true
          }
        }
        #expect(isRead || option == "--from-layout", "\(option)")
      }
    }
  }

  @Test func `random words are read as the parser reads them, or not at all`() throws {
    var generator = SeededGenerator(7)
    for command in Self.commands {
      let options = Self.options(of: command)
      let words =
        options + Self.values + ["a.pdf", "-o", "-q", "-v", "-qv", "-oout", "", "--gap=3"]
      for _ in 0..<2000 {
        let count = Int.random(in: 0...3, using: &generator)
        var line = ["a.pdf"]
        for _ in 0..<count {
          line.append(options.randomElement(using: &generator) ?? "")
          line.append(words.randomElement(using: &generator) ?? "")
        }
        if Bool.random(using: &generator) { line.shuffle(using: &generator) }
        _ = try Self.compare(line, with: command)
      }
    }
  }

  @Test(arguments: [
    [], ["help"], ["a.pdf", "b.pdf"], ["-"], ["a.pdf", "--gap"], ["a.pdf", "--gap=3"],
    ["a.pdf", "--"], ["", "a.pdf"],
    ["a.pdf", "--gap", "1", "--gap", "2"], ["a.pdf", "--rtl", "--no-rtl"],
    ["a.pdf", "--gapp", "3"], ["--help"],
    ["a.pdf", "--gap", "wrong"], ["a.pdf", "--dpi", "72", "--scale", "1"], ["a.pdf", "-qv"],
    ["a.pdf", "--shadow"],
  ])
  func `what is not plain is left to the parser`(words: [String]) {
    for command in Self.commands { #expect(command.plain(words) == nil) }
  }
}

import Foundation
import TestSupport
import Testing

/// Help, manual pages, documents and completions tell the same.
@Suite(.timeLimit(.minutes(10))) struct ManualTests {
  /// The manual pages by name.
  private static func pages() throws -> [String: String] {
    let folder = try TemporaryFolder()
    let tool = TestPaths.root.appending(path: "scripts/dev/manual")
    let result = try Program.run(tool, [TestPaths.recto.path, folder.url.path])
    try #require(result.code == 0, "\(result.errors)")
    return try Dictionary(
      uniqueKeysWithValues: folder.files.map { name in
        (name, try String(contentsOf: folder.url.appending(path: name), encoding: .utf8))
      }
    )
  }

  private static func help(_ command: [String]) throws -> String {
    try CommandSandbox().recto(command + ["--help"]).text
  }

  private static func document(_ path: String) throws -> String {
    try String(contentsOf: TestPaths.root.appending(path: path), encoding: .utf8)
  }

  /// The options in a text, with their dashes.
  private static func options(_ text: String) -> Set<String> {
    Set(text.matches(of: /--?[a-z][a-z-]*/).map { String($0.0) })
  }

  /// Of the parser, and of `scripts/install`.
  private static let otherOptions: Set = [
    "--generate-completion-script", "--uninstall", "--without-http",
  ]

  @Test func `every command has a manual page with the options of its help`() throws {
    let pages = try Self.pages()
    #expect(pages.count == HelpTests.commands.count)
    for command in HelpTests.commands {
      let name = (["recto"] + command).joined(separator: "-")
      let page = try #require(pages["\(name).1"], "\(name)")
      // Their names begin a line of the help, two columns in; and follow .TP in a page.
      let listed = try Self.help(command).matches(of: /\n  (-[^ ,]+(?:, -[^ ,]+)*)/).map(\.1)
      let described = page.replacing("\\-", with: "-").matches(
        of: /\.TP\n(\\fB-[^\\]+\\fR(?:, \\fB-[^\\]+\\fR)*)/
      ).map(\.1)
      #expect(
        Self.options(listed.joined(separator: " ").replacing("/", with: " "))
          == Self.options(described.joined(separator: " ")),
        "\(name)"
      )
      #expect(listed.count > 0)
    }
  }

  @Test func `the exit codes of the help are those of the documents`() throws {
    let table = try Self.document("docs/COMMAND.md").matches(of: /\n\| ([0-9]+) \| ([^.|]+)\./)
    #expect(table.count > 9)
    let help = try Self.help([]).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    // Ctrl-C is of no command.
    for row in table where row.1 != "130" {
      #expect(help.lowercased().contains("\(row.1) \(row.2.lowercased())"))
    }
  }

  @Test(arguments: ["README.md", "docs/COMMAND.md", "docs/SERVE.md", "docs/LAYOUT.md"])
  func `options in documents exist`(path: String) throws {
    let existing = try Set(HelpTests.commands.flatMap { try Self.options(Self.help($0)) })
    let named = try Self.document(path).matches(of: /`[^`\n]+`/)
      .flatMap { Self.options(String($0.0)) }.filter { $0.hasPrefix("--") }
    let unknown = Set(named).subtracting(existing)
    #expect(unknown.isSubset(of: Self.otherOptions))
  }

  @Test func `arguments that are files, directories or words are completed`() throws {
    /// The arguments of a command and of those below it.
    func arguments(_ command: [String: Any]) -> [[String: Any]] {
      let below = command["subcommands"] as? [[String: Any]] ?? []
      return (command["arguments"] as? [[String: Any]] ?? []) + below.flatMap(arguments)
    }
    let description = try CommandSandbox().recto("--experimental-dump-help").json()
    let all = arguments(try #require(description["command"] as? [String: Any]))
    #expect(all.count > 100)
    var choices = 0
    for argument in all where argument["kind"] as? String != "flag" {
      let value = argument["valueName"] as? String ?? ""
      let completion = argument["completionKind"] as? [String: Any] ?? [:]
      let name = "\(argument["preferredName"] ?? value)"
      if value.hasPrefix("file") { #expect(completion["file"] != nil, "\(name)") }
      if value.hasPrefix("dir") { #expect(completion["directory"] != nil, "\(name)") }
      if (argument["abstract"] as? String)?.contains("(values: ") ?? false {
        choices += 1
        #expect(completion["list"] != nil, "\(name)")
      }
    }
    #expect(choices > 50)
  }

  @Test func `bash completes commands, options, values, files and directories`() throws {
    let tool = TestPaths.root.appending(path: "scripts/dev/completion-test")
    let result = try Program.run(tool, [TestPaths.recto.path, "bash"])
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.text.hasPrefix("bash: "))
  }
}

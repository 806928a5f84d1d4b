import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import RectoCommand

/// What is said about an option with a wrong value, for every option that a command has.
@Suite(.serialized, .timeLimit(.minutes(10))) struct OptionMessageTests {
  /// The help of a command, as the parser prints it for programs.
  private struct Help: Decodable {
    struct Command: Decodable {
      var arguments: [Argument]?
      var subcommands: [Command]?
      var commandName: String
    }

    struct Argument: Decodable {
      struct Name: Decodable {
        var kind: String
        var name: String
      }

      var kind: String
      var names: [Name]?
    }

    var command: Command
  }

  /// The long names of a command's options that take a value.
  private static func options(of command: String) throws -> [String] {
    let result = try CommandSandbox().recto(command, "--experimental-dump-help")
    let help: Help = try result.decoded()
    return (help.command.arguments ?? []).filter { $0.kind == "option" }.compactMap {
      $0.names?.first { $0.kind == "long" }?.name
    }
  }

  /// Options that take any text.
  private static let texts: Set = [
    "password", "password-file", "output", "image", "iiif-id", "access-log", "allow-host",
    "token-file",
    "tls-certificate", "tls-key", "show-layer", "hide-layer", "header-file", "from", "base",
    "journal",
  ]
  /// Options that take any number.
  private static let numbers: Set = ["offset", "at-page-fraction"]

  /// Options that take lists, of which `-7` is one: the first seven pages.
  private static let lists: Set = ["pages", "alone", "together", "sections", "sticky"]

  /// The commands, parsed without a process: each has many options, and each option many values.
  private static let commands: [(name: String, type: any ParsableCommand.Type)] = [
    ("render", RenderCommand.self), ("serve", ServeCommand.self), ("layout", LayoutCommand.self),
    ("info", InfoCommand.self), ("pages", PagesCommand.self), ("text", TextCommand.self),
    ("search", SearchCommand.self),
  ]

  /// Every option, with the first command that has it.
  private static func optionsOfAll() throws -> [(option: String, type: any ParsableCommand.Type)] {
    var known: Set<String> = []
    return try commands.flatMap { name, type in
      try options(of: name).filter { known.insert($0).inserted }.map { ($0, type) }
    }
  }

  @Test func `a message names the option, the value and what it has to be, in one line`() throws {
    let options = try Self.optionsOfAll().filter { !Self.texts.contains($0.option) }
    #expect(options.count >= 50)
    for (option, type) in options {
      for (value, form) in [("wrong", "="), ("-7", " "), ("1e30", "=")] {
        if value != "wrong", Self.numbers.contains(option) { continue }
        if value == "-7", Self.lists.contains(option) { continue }
        let arguments = form == "=" ? ["--\(option)=\(value)"] : ["--\(option)", value]
        let message = try Self.message(type, arguments + ["a.pdf"])
        #expect(message.hasPrefix("--\(option): "), "\(message)")
        #expect(message.contains(value), "\(message)")
        #expect(message.contains(/must be|unexpected|unknown/), "\(message)")
        #expect(!message.contains("\n"))
      }
    }
  }

  /// The message of arguments that cannot be used, without a process.
  private static func message(
    _ type: any ParsableCommand.Type,
    _ arguments: [String]
  ) throws -> String {
    do {
      try arguments.requireValues()
      _ = try type.parseAsRoot(arguments)
    } catch {
      #expect(type.exitCode(for: error).rawValue == 64)
      return ParserMessage(type.message(for: error)).line
    }
    Issue.record("\(arguments) are accepted")
    return ""
  }

  @Test func `an option without a value is named`() throws {
    for (option, type) in try Self.optionsOfAll() {
      for arguments in [["a.pdf", "--\(option)"], ["--\(option)=", "a.pdf"]] {
        #expect(try Self.message(type, arguments) == "--\(option): missing value")
      }
    }
  }

  @Test(arguments: [
    (["--ppi", "3"], "unknown option '--ppi'; did you mean '--dpi'?"),
    (["--resolution", "3"], "unknown option '--resolution'; see --help"),
    (["--columms", "3"], "unknown option '--columms'; did you mean '--columns'?"),
    (["-xDIR"], "unknown option '-xDIR'; see --help"),
    (["-r", "300"], "unknown option '-r'; pixels per inch are --dpi"),
    (["-r300"], "unknown option '-r300'; pixels per inch are --dpi"),
    (["-f", "3"], "unknown option '-f'; pages are a list: 3-7"),
    (["-png"], "unknown option '-png'; the format follows from --output, or is --format"),
    (["-scale-to", "9"], "unknown option '-scale-to'; a size in pixels is --size"),
    (["--zoom", "abc", "--resolution", "3"], "unknown option '--resolution'; see --help"),
    (["--zoom", "abc", "-"], "--zoom: must be a number above 0 and at most 1000000, is 'abc'"),
    (["--shadow=5"], "--shadow: takes no value, is given '5'"),
    (["--mode", "foo"], "--mode: must be continuous, paged, grid, carousel or flow, is 'foo'"),
    (["--sizes", "all"], "--sizes: must be exact or estimated, is 'all'"),
    (["--tile", "15"], "--tile: must be a whole number between 16 and 8192, is 15"),
    (["--gap", "-10"], "--gap: must be a number between 0 and 1000000000, is -10"),
    (["--gap", "a\nb"], #"--gap: must be a number between 0 and 1000000000, is 'a\nb'"#),
    (
      ["--start-column", "5"],
      "--start-column: must be at most 1, the number of columns of a spread, is 5"
    ),
    (
      ["--from-layout", "--zoom=-5"],
      "--from-layout: --zoom: must be a number above 0 and at most 1000000, is -5"
    ),
  ]) func `messages are short and tell what to do`(arguments: [String], message: String) throws {
    let result = try CommandSandbox().recto(
      ["render", fixture("book"), "--image", "a.png"] + arguments
    )
    #expect(result.code == 64)
    #expect(result.errors == "recto: \(message)\n")
  }

  @Test func `a message with errors as JSON is the same`() throws {
    let result = try CommandSandbox().recto("info", "a.pdf", "--errors", "json", "--timeout", "-1")
    let text = try #require(result.messages.first)
    let line = try JSONDecoder().decode(MessageLine.self, from: Data(text.utf8))
    #expect(line.code == "usage")
    #expect(line.message == "--timeout: must be a number above 0 and at most 86400, is -1")
  }

  @Test func `a joined value of -o is a directory`() throws {
    let sandbox = try CommandSandbox()
    let result = try sandbox.recto("render", fixture("rotate"), "-oDIR", "--viewport", "50x50")
    #expect(result.code == 0)
    #expect(sandbox.folder.files.contains { $0.hasPrefix("DIR/") })
  }

  // MARK: Options without effect

  static let unused: [(arguments: [String], message: String)] = [
    (["layout", "--columns", "3"], "--columns needs --mode grid"),
    (["layout", "--grid-tile", "30", "--mode", "flow"], "--grid-tile needs --mode grid"),
    (["layout", "--mode", "paged", "--justify"], "--justify needs --mode grid or flow"),
    (["render", "--row-height", "30"], "--row-height needs --mode flow"),
    (["layout", "--carousel", "0.5,0.4,0.3"], "--carousel needs --mode carousel"),
    (["layout", "--mode", "grid", "--gap-before", "2:9"], "--gap-before needs --mode continuous"),
    (
      ["layout", "--mode", "paged", "--align", "end"],
      "--align needs --mode continuous, grid or flow"
    ),
    (
      ["layout", "--mode", "carousel", "--fit", "page"],
      "--fit needs --mode continuous, paged or grid"
    ),
    (["layout", "--section-gap", "3"], "--section-gap needs --sections"),
    (["layout", "--mode", "flow", "--last-row", "justified"], "--last-row needs --justify"),
    (
      ["layout", "--mode", "grid", "--columns", "2", "--grid-tile", "30"],
      "--grid-tile cannot be used with --columns"
    ),
    (["render", "--background", "white"], "--background needs --image"),
    (["render", "--shadow"], "--shadow needs --image"),
    (
      ["layout", "--all", "--sizes", "estimated"],
      "--sizes estimated cannot be used with --all, which measures every page"
    ),
    (["layout", "--tile", "64"], "unknown option '--tile'; see --help"),
  ]

  @Test(arguments: unused.indices) func `an option that has no effect is refused`(
    index: Int
  ) throws {
    let (arguments, message) = Self.unused[index]
    let result = try CommandSandbox().recto(arguments + [fixture("book")])
    #expect(result.code == 64)
    #expect(result.errors == "recto: \(message)\n")
  }

  @Test func `options of either layout of a transition are used`() throws {
    let sandbox = try CommandSandbox()
    let options = ["--columns", "3", "--mode", "paged", "--from-layout", "--mode grid"]
    let result = try sandbox.recto(["layout", fixture("book")] + options)
    #expect(result.code == 0, "\(result.errors)")
    let neither = try sandbox.recto(
      ["layout", fixture("book"), "--from-layout", "--row-height 50 --mode grid"]
    )
    #expect(neither.code == 64)
    #expect(neither.errors == "recto: --row-height needs --mode flow\n")
  }

  @Test func `the scale of a layout gives the places of pages in pixels`() throws {
    let sandbox = try CommandSandbox()
    let plain: RenderOutput = try sandbox.recto("layout", fixture("book")).decoded()
    #expect(plain.pixelScale == nil && plain.pages.allSatisfy { $0.place == nil })
    let options = [fixture("book"), "--scale", "1.5", "--viewport", "300x1500"]
    let scaled: RenderOutput = try sandbox.recto(["layout"] + options).decoded()
    let drawn: RenderOutput = try sandbox.recto(["render"] + options).decoded()
    #expect(scaled.pixelScale == 1.5)
    #expect(scaled.pages.count == drawn.pages.count)
    for (page, other) in zip(scaled.pages, drawn.pages) {
      #expect(page.place?.x == other.place?.x && page.place?.y == other.place?.y)
      #expect(page.place?.width == other.place?.width)
    }
  }
}

internal import ArgumentParser

/// The command and its parts.
struct Recto: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recto",
    abstract: "Lay out a PDF as a viewer does, and render what a viewer would show.",
    discussion: """
      Data goes to standard output, messages go to standard error.

      Exit codes: 0 success; 1 some pages or files failed, the others succeeded; 64 usage error; \
      65 not a PDF, or damaged beyond repair; 66 input not found or unreadable; 69 a \
      required sandbox is not available, or the server of a document; 70 internal error; 71 the system allows the process too little; \
      73 output cannot be created; 74 I/O error, such as a full disk; 75 time or memory limit exceeded; \
      77 password missing or wrong; the server does not allow the document to be read.

      recto help options lists the options that commands share.

      Example:
        recto render book.pdf --page 12 --scale 2 -o out
      """,
    version: Version.text,
    subcommands: [
      InfoCommand.self, LayoutCommand.self, RenderCommand.self, PagesCommand.self,
      ThumbsCommand.self, TextCommand.self, SearchCommand.self, LinksCommand.self,
      OutlineCommand.self, ServeCommand.self, CacheCommand.self, DoctorCommand.self,
    ]
  )

  /// The command that the arguments name, with its options.
  ///
  /// The parser describes every command before it looks at the first argument, and some of them
  /// again in later steps. So if the first argument is a command, only that one is parsed. If that
  /// fails, all arguments are parsed for the error or the help.
  ///
  /// - Throws: The parser's errors, and requests for help.
  static func command(_ arguments: [String]) throws -> any ParsableCommand {
    let arguments = arguments.withCommandFirst
    try arguments.requireValues()
    let isHelp = arguments.first == "help"
    if isHelp, arguments.dropFirst().first == HelpText.sharedTopic {
      throw CleanExit.message(HelpText.shared(of: RenderCommand.helpMessage()))
    }
    let named = try subcommand(isHelp ? arguments.dropFirst().first : arguments.first)
    // A request for help is parsed as a separate command.
    if !isHelp, let named, named.configuration.subcommands.isEmpty,
      let command = try? named.parseAsRoot(Array(arguments.dropFirst())),
      type(of: command) == named
    {
      return command
    }
    do {
      return try parseAsRoot(arguments)
    } catch {
      // The parser takes the value of an unknown option for an argument, and its error is misleading.
      throw isHelp ? error : named?.unknownOption(in: arguments.dropFirst()) ?? error
    }
  }

  /// The command with a name; nil for an option or no word, which the parser handles.
  ///
  /// - Throws: A validation error for another word, which suggests a command with a similar name.
  private static func subcommand(_ word: String?) throws -> (any ParsableCommand.Type)? {
    guard let word, !word.hasPrefix("-"), word != "help" else { return nil }
    let commands = configuration.subcommands
    if let named = commands.first(where: { $0.configuration.commandName == word }) { return named }
    let names = commands.compactMap { $0.configuration.commandName }
    let similar = names.first { ParserMessage.areSimilar(word[...], $0[...]) }
    let hint = similar.map { "did you mean '\($0)'?" } ?? "see 'recto help'"
    throw ValidationError("unknown command '\(word)'; \(hint)")
  }

  /// Ends the process after an error of parsing or running a command.
  ///
  /// Prints requested help to standard output, and a usage error as one line like every other
  /// message.
  static func end(with error: any Error) -> Never {
    let code = exitCode(for: error)
    if code == .success {
      let help = fullMessage(for: error)
      guard help.hasPrefix("OVERVIEW: ") else { exit(withError: error) }
      print(
        CommandLine.arguments.asksForUsualOptions ? HelpText.usual(help) : HelpText.ordered(help)
      )
      exit()
    }
    guard code == .validationFailure, !(error is ExitCode) else { exit(withError: error) }
    let style: MessageStyle = CommandLine.arguments.asksForJSONErrors ? .json : .text
    MessagePrinter(style: style).print(Failure(usage: ParserMessage(message(for: error)).line))
    Shutdown.end(with: code.rawValue)
  }
}

extension ParsableCommand {
  /// The error of the first option that the command does not have; nil if it has all.
  fileprivate static func unknownOption(in arguments: some Sequence<String>) -> (any Error)? {
    guard configuration.subcommands.isEmpty else { return nil }
    var before = ""
    for word in arguments.prefix(while: { $0 != "--" }) {
      defer { before = word }
      // Not `-` (a file), a number, or layout options in one argument.
      guard word.hasPrefix("-"), word.dropFirst().first?.isLetter ?? false || word.hasPrefix("--"),
        before != "--layout", before != "--from-layout"
      else { continue }
      // The parser reports missing arguments first, so add some.
      for values in [[], ["1"], ["1", "1"]] {
        do { _ = try parseAsRoot(values + [word]) } catch {
          if ParserMessage(message(for: error)).isUnknownOption { return error }
        }
      }
    }
    return nil
  }
}

extension [String] {
  /// The same with message options moved after the command; they can also be before it: `-v info`.
  fileprivate var withCommandFirst: [String] {
    let options = prefix { ["-v", "--verbose", "-q", "--quiet"].contains($0) }
    guard options.count < count else { return self }
    return [self[options.count]] + options + self[(options.count + 1)...]
  }

  /// Refuses `--option=`: the parser would take the next argument as its value.
  ///
  /// - Throws: A validation error that names the option.
  func requireValues() throws {
    for argument in prefix(while: { $0 != "--" }) {
      guard argument.utf8.last == UInt8(ascii: "="), argument.hasPrefix("--"),
        argument.firstIndex(of: "=") == argument.indices.last
      else { continue }
      throw ValidationError("\(argument.dropLast()): missing value")
    }
  }

  /// Whether `-h` is among the arguments, and not `--help`.
  fileprivate var asksForUsualOptions: Bool {
    let options = prefix { $0 != "--" }
    return options.contains("-h") && !options.contains("--help")
  }

  /// Whether `--errors json` is among the arguments; used if they could not be parsed.
  fileprivate var asksForJSONErrors: Bool {
    contains("--errors=json") || zip(self, dropFirst()).contains { $0 == ("--errors", "json") }
  }
}

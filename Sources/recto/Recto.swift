internal import ArgumentParser

/// The command and its parts.
struct Recto: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recto",
    abstract: "Lay out a PDF as a viewer does, and render what a viewer would show.",
    discussion: """
      Data goes to standard output, messages go to standard error.

      Exit codes: 0 success; 1 some pages or files failed, the others succeeded; 64 usage error; \
      65 not a PDF, or damaged beyond repair; 66 input not found or unreadable; 70 internal \
      error; 73 output cannot be created; 74 I/O error, such as a full disk; 75 time or memory \
      limit exceeded; 77 password missing or wrong.

      Example:
        recto render book.pdf --page 12 --scale 2 -o out
      """,
    version: Version.text,
    subcommands: [
      InfoCommand.self, LayoutCommand.self, RenderCommand.self, PagesCommand.self,
      ThumbsCommand.self, ServeCommand.self, CacheCommand.self,
    ]
  )

  /// Ends the process for an error that came out of parsing or running a command.
  ///
  /// Requested help goes to standard output; a usage error is one line like every other
  /// message.
  static func end(with error: any Error) -> Never {
    let code = exitCode(for: error)
    guard code == .validationFailure, !(error is ExitCode) else { exit(withError: error) }
    let style: MessageStyle = CommandLine.arguments.asksForJSONErrors ? .json : .text
    MessagePrinter(style: style).print(Failure(usage: message(for: error)))
    Shutdown.end(with: code.rawValue)
  }
}

extension [String] {
  /// Whether `--errors json` is among the arguments; used if they could not be parsed.
  fileprivate var asksForJSONErrors: Bool {
    contains("--errors=json") || zip(self, dropFirst()).contains { $0 == ("--errors", "json") }
  }
}

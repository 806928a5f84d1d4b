internal import ArgumentParser

/// The command and its parts.
struct Recto: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recto",
    abstract: "Lay out a PDF as a viewer does, and render what a viewer would show.",
    discussion: """
      Data goes to standard output, messages go to standard error.

      Exit codes: 0 all done; 1 some items failed, the rest is there; 64 wrong usage; 65 not a \
      PDF, or damaged beyond use; 66 no such file, or unreadable; 70 a fault of recto; 73 output \
      cannot be created; 74 I/O error, such as a full disk; 75 gave up at a time or memory limit; \
      77 password needed or wrong.

      Example:
        recto render book.pdf --page 12 --scale 2 -o out
      """,
    version: Version.text,
    subcommands: [
      Info.self, LayoutCommand.self, Render.self, Thumbs.self, Serve.self, CacheCommand.self,
    ]
  )

  /// Ends the process for an error that came out of parsing or running a command.
  ///
  /// Help that was asked for goes to standard output; wrong usage gets one line like every other
  /// message.
  static func end(with error: any Error) -> Never {
    let code = exitCode(for: error)
    guard code == .validationFailure, !(error is ExitCode) else { exit(withError: error) }
    let style: MessageStyle = CommandLine.arguments.asksForJSONErrors ? .json : .text
    Messages(style: style).print(Failure(usage: message(for: error)))
    Shutdown.end(with: code.rawValue)
  }
}

extension [String] {
  /// Whether `--errors json` is among the arguments; asked when they could not be parsed.
  fileprivate var asksForJSONErrors: Bool {
    contains("--errors=json") || zip(self, dropFirst()).contains { $0 == ("--errors", "json") }
  }
}

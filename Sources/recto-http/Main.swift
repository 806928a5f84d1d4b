internal import RectoCommand
internal import RectoServer

/// The program `recto-http`, which `recto serve --http` executes.
@main
enum Main {
  static func main() { Program.run { await Server(ServerCommand.fromProcess()).run() } }
}

internal import RectoCommand

/// The program `recto`.
@main
enum Main {
  static func main() {
    Program.endIfVersionIsWanted()
    Program.run { await Program.runCommand() }
  }
}

internal import RectoCommand

/// The program `recto`.
@main
enum Main {
  static func main() async { await Program.run() }
}

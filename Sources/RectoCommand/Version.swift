/// The name and version of the program.
enum Version {
  static let text = "recto 0.2.0"
}

/// What this program is called.
enum Version {
  static let text = "recto 0.1.0"
}

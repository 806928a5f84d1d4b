internal import SystemPackage

/// A bar on standard error when that is a terminal; nothing otherwise.
struct ProgressBar {
  private let total: Int
  private let isShown: Bool
  private var done = 0

  init(total: Int) {
    self.total = total
    isShown = StandardStreams.isErrorTerminal && total > 1
    show("")
  }

  /// Counts one more as done and names it.
  mutating func advance(_ path: FilePath) {
    done += 1
    show(path.printable)
  }

  /// Makes room for something else; the next ``advance(_:)`` draws the bar again.
  func clear() {
    guard isShown else { return }
    StandardStreams.writeError("\r\u{1B}[K")
  }

  private func show(_ name: String) {
    guard isShown else { return }
    let width = 24
    let filled = total == 0 ? width : width * done / total
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
    let counts = "[\(bar)] \(done)/\(total) "
    let room = max(0, StandardStreams.columns - counts.count - 1)
    StandardStreams.writeError("\r\u{1B}[K\(counts)\(name.suffix(room))")
  }
}

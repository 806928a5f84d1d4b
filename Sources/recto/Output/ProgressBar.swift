internal import SystemPackage

/// A bar on standard error when that is a terminal; nothing otherwise.
struct ProgressBar {
  private var total: Int
  private let isTerminal: Bool
  private var done = 0

  init(total: Int) {
    self.total = total
    isTerminal = StandardStreams.isErrorTerminal
    show("")
  }

  /// Whether there is anything to show: a single step has no progress.
  private var isShown: Bool { isTerminal && total > 1 }

  /// Counts more as done and names what they belong to.
  mutating func advance(_ path: FilePath, by count: Int = 1) {
    done = min(total, done + count)
    show(path.printable)
  }

  /// Adds to the number of steps, when it turns out that there are more.
  mutating func extend(by count: Int) {
    total += count
    show("")
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

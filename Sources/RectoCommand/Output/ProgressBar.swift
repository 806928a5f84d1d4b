internal import RectoBase
internal import Synchronization
internal import SystemPackage

/// How progress is shown on standard error.
enum ProgressStyle: Sendable {
  /// A bar, if standard error is a suitable terminal.
  case bar
  /// One JSON object for each line.
  case json
  /// Not at all.
  case none
}

/// The progress of a command on standard error.
struct ProgressBar {
  /// The total amount of work; it may grow.
  var total: Int
  private let style: ProgressStyle
  private let unit: String
  private let start: ContinuousClock.Instant
  private var done = 0
  private var name = ""
  /// Text between the counts and the name.
  var details = ""
  /// The percentage of the last line of JSON.
  private var printed = -1

  /// A progress bar at zero.
  ///
  /// - Parameters:
  ///   - unit: The counted items, in plural.
  ///   - delay: The delay before a bar is shown.
  init(
    total: Int,
    style: ProgressStyle = .bar,
    unit: String = "documents",
    after delay: Duration = .zero
  ) {
    self.total = total
    self.unit = unit
    self.style = style == .bar && !StandardStreams.canShowProgress ? .none : style
    start = ContinuousClock.now + delay
    show()
  }

  /// Adds to the finished count, and shows a path.
  mutating func advance(_ path: FilePath, by count: Int = 1) {
    advance(path.printable, by: count)
  }

  /// Adds to the finished count, and shows a name.
  mutating func advance(_ name: String, by count: Int) {
    self.name = name
    advance(by: count)
  }

  /// Adds to the finished count.
  mutating func advance(by count: Int) { advance(to: min(total, done + count)) }

  /// The remaining count.
  var remaining: Int { max(0, total - done) }

  /// Sets the finished count.
  mutating func advance(to done: Int) {
    self.done = done
    show()
  }

  /// Adds to the total number of steps.
  mutating func extend(by count: Int) {
    total += count
    show()
  }

  /// Removes the bar for other output; the next ``advance(_:)`` draws it again.
  func clear() {
    if style == .bar { Self.erase() }
  }

  /// Whether a bar is on the terminal.
  private static let isShown = Atomic(false)

  /// Erases the bar on the terminal, if there is one.
  static func erase() {
    if isShown.exchange(false, ordering: .relaxed) { StandardStreams.writeError("\r\u{1B}[K") }
  }

  private mutating func show() {
    switch style {
    case .none: break
    case .bar:
      // A single step has no progress.
      guard total > 1, start <= .now else { return }
      Self.isShown.store(true, ordering: .relaxed)
      StandardStreams.writeError("\r\u{1B}[K" + Self.bar(done, of: total, name, details))
    case .json: printLine()
    }
  }

  /// Prints a line for each percent, so that their number does not grow with the work.
  private mutating func printLine() {
    let percent = Self.share(done, of: total, in: 100)
    guard percent != printed else { return }
    printed = percent
    var writer = JSONWriter()
    writer.object { object in
      object.object("progress") { progress in
        progress.member("done", done)
        progress.member("total", total)
        progress.member("unit", unit)
      }
    }
    writer.newline()
    StandardStreams.writeError(String(decoding: writer.bytes, as: UTF8.self))
  }

  /// A bar that leaves the last column free: a terminal may wrap after it.
  ///
  /// - Parameters:
  ///   - details: Text before the name, if there is room for it.
  /// - Returns: The bar, the counts and the end of the name, as far as they fit.
  static func bar(
    _ done: Int,
    of total: Int,
    _ name: String,
    _ details: String = "",
    columns: Int = StandardStreams.columns
  ) -> String {
    var counts = "\(done)/\(total)"
    guard columns - 1 - counts.utf8.count >= 0 else { return "" }
    if !details.isEmpty, columns - 1 - counts.utf8.count - details.utf8.count - 1 >= 11 {
      counts += " " + details
    }
    let room = columns - 1 - counts.utf8.count
    let width = min(24, room - 3)
    guard width >= 4 else { return counts }
    let filled = share(done, of: total, in: width)
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
    return "[\(bar)] \(counts) ".appending(name, upTo: columns - 1)
  }

  private static func share(_ done: Int, of total: Int, in parts: Int) -> Int {
    total <= 0 ? parts : min(parts, parts * min(done, total) / total)
  }
}

extension String {
  /// The text and as many of the last characters of a name as fit, without trailing spaces.
  fileprivate func appending(_ name: String, upTo columns: Int) -> String {
    var room = columns - count
    var end = name.endIndex
    while end > name.startIndex {
      let next = name.index(before: end)
      room -= name[next].columns
      if room < 0 { break }
      end = next
    }
    let text = self + name[end...]
    return text.last == " " ? String(text.dropLast()) : text
  }
}

extension Character {
  /// The columns that a terminal gives a character: two for East Asian wide ones and emoji.
  fileprivate var columns: Int {
    let isWide = unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
        0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
        true
      default: false
      }
    }
    return isWide ? 2 : 1
  }
}

internal import RectoKit
internal import Synchronization
internal import SystemPackage

/// The progress of `recto thumbs`: the pages of opened documents, and one for each other document.
///
/// Shows the rate, the remaining time if the number of documents is known, the number of failures,
/// and a slow document.
final class ThumbnailProgressBar: Sendable {
  /// A document that is being worked on.
  private struct Work {
    var start: ContinuousClock.Instant
    var pages: Int?
    var done = 0
  }

  private struct State: Sendable {
    var bar: ProgressBar
    let start = ContinuousClock.now
    var done = 0
    var failures = 0
    var expected: ExpectedPages
    var working: [DocumentLibrary.Item: Work] = [:]
  }

  private let state: Mutex<State>
  /// Whether the number of documents is known.
  private let isTotalKnown: Bool
  /// Redraws the bar while nothing changes.
  private let ticker: Mutex<Task<Void, Never>?> = Mutex(nil)

  /// The time after which a document is shown as slow.
  private static let patience = Duration.seconds(5)

  /// A bar with no finished documents.
  ///
  /// - Parameters:
  ///   - total: The number of documents; nil if it is not known.
  init(total: Int?, style: ProgressStyle) {
    isTotalKnown = total != nil
    state = Mutex(
      State(
        bar: ProgressBar(total: total ?? 0, style: style),
        expected: ExpectedPages(documents: total ?? 0)
      )
    )
    guard style == .bar, StandardStreams.canShowProgress else { return }
    let task = Task { [weak self] in
      while (try? await Task.sleep(for: .seconds(1))) != nil, let self { self.show() }
    }
    ticker.withLock { $0 = task }
  }

  /// Adds a document to process.
  func found(_ item: DocumentLibrary.Item) {
    state.withLock { state in
      if !isTotalKnown { state.bar.extend(by: 1) }
      state.working[item] = Work(start: .now)
    }
  }

  /// Adds a document that needs no work.
  func settled() {
    state.withLock { state in
      if !isTotalKnown { state.bar.extend(by: 1) }
      state.expected.takeUnopened()
      state.bar.advance(by: 1)
    }
  }

  /// Takes note of a step.
  func take(_ step: ThumbnailProgress) {
    state.withLock { state in
      switch step {
      case .opened(let item, let pages):
        state.working[item]?.pages = pages
        state.expected.takeOpened(pages: pages)
        state.bar.extend(by: pages - 1)
      case .finished(let item, let pages):
        state.done += pages
        state.working[item]?.done += pages
        state.bar.details = details(state, remaining: state.bar.remaining - pages)
        state.bar.advance(slowest(state) ?? item.path.printable, by: pages)
      }
    }
  }

  /// Takes note that a document is done.
  func done(_ item: DocumentLibrary.Item, hasFailed: Bool) {
    state.withLock { state in
      if let work = state.working.removeValue(forKey: item), work.pages == nil {
        state.expected.takeUnopened()
      }
      if hasFailed { state.failures += 1 }
    }
  }

  /// Makes room for something else.
  func clear() { state.withLock { $0.bar.clear() } }

  /// Removes the bar for good.
  func end() {
    let task = ticker.withLock { $0.take() }
    task?.cancel()
    clear()
  }

  /// Draws the bar again.
  private func show() {
    state.withLock { state in
      state.bar.details = details(state, remaining: state.bar.remaining)
      if let slow = slowest(state) {
        state.bar.advance(slow, by: 0)
      } else {
        state.bar.advance(by: 0)
      }
    }
  }

  /// The rate, the remaining time, and the failures.
  private func details(_ state: State, remaining: Int) -> String {
    let seconds = state.start.duration(to: .now) / .seconds(1)
    guard seconds >= 1, state.done > 0 else { return "" }
    let rate = Double(state.done) / seconds
    var parts = [rate < 10 ? "\((rate * 10).rounded() / 10)/s" : "\(Int(rate.rounded()))/s"]
    if isTotalKnown {
      let remaining = Double(max(0, remaining)) + state.expected.unseen
      parts.append(Self.time(remaining / rate) + " left")
    }
    if state.failures > 0 { parts.append("\(state.failures) failed") }
    return parts.joined(separator: ", ")
  }

  /// The slowest current document, if it is slow.
  private func slowest(_ state: State) -> String? {
    guard let (item, work) = state.working.min(by: { $0.value.start < $1.value.start }) else {
      return nil
    }
    let duration = work.start.duration(to: .now)
    guard duration >= Self.patience else { return nil }
    let pages = work.pages.map { "\(work.done) of \($0) pages, " } ?? ""
    return "\(item.path.printable) (\(pages)\(Self.time(duration / .seconds(1))))"
  }

  /// Seconds as `1:05:09`, `5:09` or `9 s`.
  private static func time(_ seconds: Double) -> String {
    let seconds = Int(min(seconds.rounded(.up), 359_999))
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3600 { return "\(seconds / 60):\(two(seconds % 60))" }
    return "\(seconds / 3600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
  }
}

/// Estimates the pages of unopened documents as the average of the opened ones.
struct ExpectedPages: Hashable, Sendable {
  /// Documents that were not opened yet.
  private var documents: Int
  private var opened = 0
  private var pages = 0

  /// Of this many documents none was opened.
  init(documents: Int) { self.documents = documents }

  /// Records an opened document with its pages to draw.
  mutating func takeOpened(pages: Int) {
    documents -= 1
    opened += 1
    self.pages += pages
  }

  /// A document need not or cannot be opened.
  mutating func takeUnopened() { documents -= 1 }

  /// The expected pages, besides one for each unopened document.
  var unseen: Double {
    guard opened > 0, documents > 0 else { return 0 }
    return Double(documents) * (Double(pages) / Double(opened) - 1)
  }
}

import PageLayout
import RectoGeometry

/// A value as JSON. Numbers have the fewest digits that give the same number again.
enum JSONText: CustomStringConvertible {
  case text(String)
  case list([JSONText])
  case object([(name: String, value: JSONText?)])

  init(_ number: Double) { self = .text("\(number)") }
  init(_ number: Int) { self = .text("\(number)") }
  init(_ flag: Bool) { self = .text("\(flag)") }
  /// A word without characters that JSON escapes.
  init(word: String) { self = .text("\"\(word)\"") }
  init(_ point: Point) { self = .numbers(point.x, point.y) }
  init(_ size: Size) { self = .numbers(size.width, size.height) }
  init(_ rect: Rect) { self = .numbers(rect.minX, rect.minY, rect.width, rect.height) }
  init(_ range: Range<Int>) { self = .list([.init(range.lowerBound), .init(range.upperBound)]) }
  init(_ pages: Range<PageIndex>) { self.init(pages.values) }
  init(_ page: PageIndex) { self.init(page.value) }

  static func numbers(_ numbers: Double...) -> JSONText { .list(numbers.map { JSONText($0) }) }

  var description: String {
    switch self {
    case .text(let text): text
    case .list(let values): "[\(values.map(\.description).joined(separator: ","))]"
    case .object(let members):
      "{"
        + members.compactMap { name, value in value.map { "\"\(name)\":\($0)" } }
        .joined(separator: ",") + "}"
    }
  }
}

extension JSONText {
  // As pagelayout.js takes them.

  init(named point: Point) {
    self = .object([("x", .init(point.x)), ("y", .init(point.y))])
  }

  init(named size: Size) {
    // Only finite numbers are JSON. 0 is as unusable for a page.
    let (width, height) = (size.width.isFinite, size.height.isFinite)
    self = .object([
      ("width", .init(width ? size.width : 0)), ("height", .init(height ? size.height : 0)),
    ])
  }

  init(named range: Range<Int>) {
    self = .object([("start", .init(range.lowerBound)), ("end", .init(range.upperBound))])
  }

  init(named insets: Insets) {
    self = .object([
      ("top", .init(insets.top)), ("right", .init(insets.right)), ("bottom", .init(insets.bottom)),
      ("left", .init(insets.left)),
    ])
  }

  init(named run: PageSequence.Run) {
    switch run {
    case .pages(let pages): self = .object([("pages", .init(named: pages.values))])
    case .backwards(let pages):
      self = .object([("pages", .init(named: pages.values)), ("backwards", .init(true))])
    case .blanks(let count): self = .object([("blanks", .init(count))])
    }
  }

  init(named anchor: Anchor) {
    self = .object([
      ("page", .init(anchor.page)), ("occurrence", .init(anchor.occurrence)),
      ("x", .init(anchor.place.x)), ("y", .init(anchor.place.y)),
    ])
  }

  /// Sizes in ranges of consecutive pages.
  init(named sizes: [MeasuredSize]) {
    var ranges: [(first: PageIndex, sizes: [Size])] = []
    for one in sizes {
      if let last = ranges.last, last.first.advanced(by: last.sizes.count) == one.page {
        ranges[ranges.count - 1].sizes.append(one.size)
      } else {
        ranges.append((one.page, [one.size]))
      }
    }
    self = .list(
      ranges.map { first, sizes in
        let numbers = sizes.flatMap { [$0.width, $0.height] }.map { $0.isFinite ? $0 : 0 }
        return .object([
          ("first", .init(first)), ("sizes", .list(numbers.map { JSONText($0) })),
        ])
      }
    )
  }
}

import PageLayout

/// Reads the numbers of a request in order.
///
/// A request comes from a page of any origin: no number traps. Beyond the end, all numbers are NaN, which means that a
/// value is not given.
struct NumberReader {
  private let numbers: UnsafeBufferPointer<Double>
  private var next = 0

  init(_ start: UnsafePointer<Double>?, _ count: Int32) {
    numbers = UnsafeBufferPointer(start: start, count: start == nil ? 0 : max(0, Int(count)))
  }

  mutating func number() -> Double {
    guard next < numbers.count else { return .nan }
    defer { next += 1 }
    return numbers[next]
  }

  /// A whole number, clamped so that the sum of two of them fits an `Int`; nil for NaN.
  mutating func integer() -> Int? {
    let (value, limit) = (number(), Double(1 << 30))
    return value.isNaN ? nil : Int(min(max(value, -limit), limit))
  }

  /// A page; -1, which is none, for NaN.
  mutating func page() -> PageIndex { PageIndex(integer() ?? -1) }

  /// A range from its two bounds; empty if they are in the wrong order.
  mutating func range<Bound>(_ bound: (Int) -> Bound) -> Range<Bound> {
    let lower = integer() ?? 0
    return bound(lower)..<bound(max(lower, integer() ?? lower))
  }

  /// A point; nil if a coordinate is not given.
  mutating func point() -> Point? {
    let point = Point(x: number(), y: number())
    return point.x.isNaN || point.y.isNaN ? nil : point
  }

  mutating func size() -> Size { Size(width: number(), height: number()) }

  /// A rectangle; nil if a number is not given.
  mutating func rect() -> Rect? {
    let (origin, size) = (point(), size())
    guard let origin, !size.width.isNaN, !size.height.isNaN else { return nil }
    return Rect(origin: origin, size: size)
  }

  /// A list after its length; nil if none is given.
  mutating func list<Element>(_ element: (inout NumberReader) -> Element) -> [Element]? {
    guard let count = integer() else { return nil }
    var elements: [Element] = []
    while elements.count < count, next < numbers.count { elements.append(element(&self)) }
    return elements
  }

  mutating func anchor() -> Anchor? {
    let (page, occurrence, place) = (page(), integer() ?? 0, point())
    return place.map { Anchor(page: page, occurrence: occurrence, place: $0) }
  }

  mutating func place() -> Place? {
    guard let anchor = anchor(), let point = point() else { return nil }
    let current = PageOccurrence(page: page(), occurrence: integer() ?? 0)
    let progress = number()
    return Place(anchor, at: point, current: current, progress: progress.isFinite ? progress : 0)
  }
}

/// Collects the numbers of a reply. What there is not, is NaN.
struct NumberWriter {
  private(set) var numbers: [Double] = []

  mutating func add(_ number: Double) { numbers.append(number) }
  mutating func add(_ number: Int) { numbers.append(Double(number)) }
  mutating func add(_ flag: Bool) { numbers.append(flag ? 1 : 0) }
  mutating func add(_ page: PageIndex) { add(page.value) }

  mutating func add(_ range: Range<Int>) {
    add(range.lowerBound)
    add(range.upperBound)
  }

  mutating func add(_ point: Point?) {
    add(point?.x ?? .nan)
    add(point?.y ?? .nan)
  }

  mutating func add(_ size: Size) {
    add(size.width)
    add(size.height)
  }

  mutating func add(_ rect: Rect?) {
    add(rect?.origin)
    add(rect?.width ?? .nan)
    add(rect?.height ?? .nan)
  }

  mutating func add<Element>(
    _ elements: [Element],
    _ element: (inout NumberWriter, Element) -> Void
  ) {
    add(elements.count)
    for one in elements { element(&self, one) }
  }

  mutating func add(_ anchor: Anchor?) {
    add(anchor.map { Double($0.page.value) } ?? .nan)
    add(anchor.map { Double($0.occurrence) } ?? .nan)
    add(anchor?.place)
  }
}

// SPDX-License-Identifier: GPL-2.0-or-later

internal import CCairo

/// A path of straight lines, split into parallelograms that are thinner than a pixel, and the rest.
struct ThinBars {
  /// A parallelogram, as its center line.
  struct Bar {
    var line: StraightLine
    /// In pixels; 0 where nothing is filled.
    var thickness: Double
  }

  private(set) var bars: [Bar] = []
  /// The corners of other polygons.
  private(set) var others: [[(x: Double, y: Double)]] = []
  /// The path, if it is a box with edges along the axes.
  private(set) var box: AdjoiningBoxes.Box?

  /// The most points of a path to split.
  private static let mostPoints = 1 << 12
  /// How far a corner may be from that of a parallelogram, in pixels.
  private static let tolerance = 1.0 / 32

  /// Nil for a path with a curve, or with too many points.
  init?(_ path: borrowing LinePath) {
    var polygon: [(x: Double, y: Double)] = []
    var count = 0
    var isPlain = true
    path.forEachStep { step in
      count += 1
      switch step {
      case .start(let x, let y):
        add(polygon)
        polygon = [(x, y)]
      case .line(let x, let y): polygon.append((x, y))
      case .close: break
      case .curve: isPlain = false
      }
      isPlain = isPlain && count <= Self.mostPoints
      return isPlain
    }
    guard isPlain else { return nil }
    add(polygon)
  }

  private mutating func add(_ polygon: [(x: Double, y: Double)]) {
    // Where a path would continue after it was closed.
    guard polygon.count > 1 else { return }
    box = bars.isEmpty && others.isEmpty ? Self.box(polygon) : nil
    if let bar = Self.bar(polygon), bar.thickness < 1 {
      bars.append(bar)
    } else {
      others.append(polygon)
    }
  }

  /// A polygon as a box; nil if it is not one.
  private static func box(_ polygon: [Point]) -> AdjoiningBoxes.Box? {
    guard polygon.count == 4 || polygon.count == 5 && polygon[0] == polygon[4] else { return nil }
    let (a, b, c, d) = (polygon[0], polygon[1], polygon[2], polygon[3])
    guard
      a.x == b.x && b.y == c.y && c.x == d.x && d.y == a.y
        || a.y == b.y && b.x == c.x && c.y == d.y && d.x == a.x
    else { return nil }
    return AdjoiningBoxes.Box(
      left: min(a.x, c.x),
      top: min(a.y, c.y),
      right: max(a.x, c.x),
      bottom: max(a.y, c.y)
    )
  }

  /// A polygon as a bar; nil if it is not one.
  private static func bar(_ polygon: [(x: Double, y: Double)]) -> Bar? {
    var corners = polygon
    // The first corner may be repeated at the end.
    if corners.count == 5, distance(corners[0], corners[4]) < tolerance { corners.removeLast() }
    if corners.count == 3, distance(corners[0], corners[2]) < tolerance { corners.removeLast() }
    if corners.count == 2 {
      return Bar(line: line(corners[0], corners[1]), thickness: 0)
    }
    guard corners.count == 4 else { return nil }
    let (a, b, c, d) = (corners[0], corners[1], corners[2], corners[3])
    guard abs(a.x - b.x + c.x - d.x) < tolerance, abs(a.y - b.y + c.y - d.y) < tolerance else {
      return nil
    }
    // Between the middles of the shorter sides.
    let middle =
      distance(a, b) < distance(b, c)
      ? line(center(a, b), center(c, d)) : line(center(b, c), center(d, a))
    let area = abs((b.x - a.x) * (d.y - a.y) - (b.y - a.y) * (d.x - a.x))
    let length = middle.length
    return Bar(line: middle, thickness: length > 0 ? area / length : 0)
  }

  private typealias Point = (x: Double, y: Double)

  private static func distance(_ one: Point, _ other: Point) -> Double {
    line(one, other).length
  }

  private static func center(_ one: Point, _ other: Point) -> Point {
    ((one.x + other.x) / 2, (one.y + other.y) / 2)
  }

  private static func line(_ one: Point, _ other: Point) -> StraightLine {
    StraightLine(fromX: one.x, fromY: one.y, toX: other.x, toY: other.y)
  }
}

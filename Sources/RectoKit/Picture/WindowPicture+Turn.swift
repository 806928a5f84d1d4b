public import PageLayout
internal import RectoGeometry

extension WindowPicture {
  /// Turns this picture of a spread toward the next one. At 0 it is unchanged, at 1 it is the picture of the next
  /// spread.
  ///
  /// Pages are stretched from the two pictures. A blank back is paper through which the front is visible.
  ///
  /// - Parameters:
  ///   - turn: The pages of the two spreads.
  ///   - progress: 0 to 1.
  ///   - next: A picture of the next spread, of the window moved by `PageTurn.step`.
  public mutating func turn(_ turn: PageTurn, to progress: Double, over next: WindowPicture) {
    guard progress > 0 else { return }
    guard progress < 1 else {
      self = next
      return
    }
    let flat = self
    // In whole pixels at both ends, like the pages of the two pictures.
    let places = PageTurn.places(of: turn.pages, spine: turn.places.spine) { page in
      let isNext = page.part == .back || page.part == .revealed
      let place = (isNext ? next : flat).place(page.page.frame)
      return Rect(place).clipped(to: Rect(bounds))
    }
    guard let places else { return }
    let curl = places.curl(at: progress)
    guard let fold = Fold(places, curl.fold, at: progress) else { return }
    let covered = StretchedPart(places, .covered, at: progress, of: flat)
    let front = StretchedPart(places, .front, at: progress, of: flat)
    let back = StretchedPart(places, .back, at: progress, of: next)
    let revealed = StretchedPart(places, .revealed, at: progress, of: next)
    var casting = [curl.front, curl.back]
    if revealed != nil { casting.append(curl.revealed) }
    if let covered { casting.append(Quad(covered.place)) }
    let shapes = hasShadow ? casting.map(ShadowShape.init) : []
    for y in 0..<size.height {
      for x in 0..<size.width {
        let point = Point(x: Double(x) + 0.5, y: Double(y) + 0.5)
        let distance = fold.distance(to: point)
        let source = fold.source(of: point, distance)
        let unturned = min(max(0.5 - distance, 0), 1)
        let turned = unturned * fold.sheet.coverage(of: source)
        var pixel: UInt32 = 0
        if turned < 1 {
          // The revealed part continues below the front, so that the background is not visible
          // through it.
          front.paint(&pixel, at: point, by: unturned) { pixel in
            revealed.paint(&pixel, at: point, by: min(max(distance + 1.5, 0), 1)) { pixel in
              covered.paint(&pixel, at: point, by: 1) { $0 = ground(x, y, below: shapes) }
            }
          }
          let shade = fold.shade(at: point, distance, source)
          if shade > 0 { pixel.darken(by: shade) }
        }
        if turned > 0 {
          var paper: UInt32 = 0xFFFF_FFFF
          if let back {
            paper = back.color(at: fold.acrossSpine(source))
          } else if let front {
            paper.blend(front.color(at: source), by: 0.15)
          }
          paper.darken(by: fold.curvature(distance))
          pixel.cover(with: paper, by: turned)
        }
        pixels[y * size.width + x] = pixel
      }
    }
  }

  /// The background at a pixel, with the shadow of the pages.
  private func ground(_ x: Int, _ y: Int, below shapes: [ShadowShape]) -> UInt32 {
    var pixel = 0xFF00_0000 | background.rgb
    let reach = Double(shadowReach)
    let gap = shapes.reduce(reach) { min($0, $1.distance(toX: x, y: y - shadowDrop)) }
    if gap < reach { pixel.darken(by: Self.shadow(1 - gap / reach)) }
    return pixel
  }

  /// The color at a point, interpolated from the four pixels around it.
  ///
  /// - Parameters:
  ///   - point: In pixels from the top left of the picture.
  ///   - rect: The pixels that may be used; beyond them, the nearest one is used.
  fileprivate func color(at point: Point, in rect: PixelRect) -> UInt32 {
    let (right, bottom) = (rect.maxX - 1, rect.maxY - 1)
    let x = min(max(point.x - 0.5, Double(rect.x)), Double(right))
    let y = min(max(point.y - 0.5, Double(rect.y)), Double(bottom))
    let (column, row) = (Int(x), Int(y))
    var upper = pixels[row * size.width + column]
    let (across, down) = (x - Double(column), y - Double(row))
    if across == 0, down == 0 { return upper }
    let (next, below) = (min(column + 1, right), min(row + 1, bottom) * size.width)
    upper.blend(pixels[row * size.width + next], by: across)
    var lower = pixels[below + column]
    lower.blend(pixels[below + next], by: across)
    upper.blend(lower, by: down)
    return upper
  }
}

/// A part of a turn, stretched to its place from the picture of its spread.
private struct StretchedPart {
  private let picture: WindowPicture
  /// Where it is, in pixels.
  let place: Rect
  /// The pixels of the part in the picture; nil if there are none.
  private let pixels: PixelRect?
  private let scale: (x: Double, y: Double)

  /// A part at its place; nil if its spread has none.
  ///
  /// - Parameters:
  ///   - places: Where the parts are, in pixels.
  init?(
    _ places: TurnPlaces,
    _ part: TurnPlaces.Part,
    at progress: Double,
    of picture: WindowPicture
  ) {
    guard let start = places[part], let place = places.place(of: part, at: progress) else {
      return nil
    }
    self.picture = picture
    // Pages that share an edge share it in pixels; the back may be slanted.
    self.place = part == .back ? place : Rect(place.snapped(scale: 1))
    pixels = start.snapped(scale: 1).intersection(picture.bounds)
    func ratio(_ length: Double, _ stretched: Double) -> Double {
      stretched > 0 ? length / stretched : 0
    }
    scale = (ratio(start.width, self.place.width), ratio(start.height, self.place.height))
  }

  /// The color at a point; paper if the part has no pixel in its picture.
  func color(at point: Point) -> UInt32 {
    guard let pixels else { return 0xFFFF_FFFF }
    let source = Point(
      x: Double(pixels.x) + (point.x - place.minX) * scale.x,
      y: Double(pixels.y) + (point.y - place.minY) * scale.y
    )
    return picture.color(at: source, in: pixels)
  }

}

extension StretchedPart? {
  /// Paints a pixel.
  ///
  /// - Parameters:
  ///   - share: How much of the part is visible there.
  ///   - paintBelow: Paints the content below the part, if visible.
  func paint(
    _ pixel: inout UInt32,
    at point: Point,
    by share: Double,
    over paintBelow: (inout UInt32) -> Void
  ) {
    let coverage = self.map { share * $0.place.coverage(of: point) } ?? 0
    if coverage < 1 { paintBelow(&pixel) }
    if let self, coverage > 0 { pixel.cover(with: self.color(at: point), by: coverage) }
  }
}

/// A part of a turn that casts a shadow on the background.
private struct ShadowShape {
  private let edges: [(start: Point, way: Point)]

  init(_ quad: Quad) {
    let corners = quad.corners
    edges = zip(corners, corners[1...] + corners[..<1]).map { start, end in
      (start, Point(x: end.x - start.x, y: end.y - start.y))
    }
  }

  /// The distance from a pixel to the nearest one of the shape; 0 inside.
  func distance(toX x: Int, y: Int) -> Double {
    var nearest = (x: 0.0, y: 0.0, square: Double.infinity)
    var sides = (left: false, right: false)
    for (start, way) in edges {
      let point = (x: Double(x) + 0.5 - start.x, y: Double(y) + 0.5 - start.y)
      let side = way.x * point.y - way.y * point.x
      sides = (sides.left || side < 0, sides.right || side > 0)
      let length = way.x * way.x + way.y * way.y
      let along = length > 0 ? min(max((point.x * way.x + point.y * way.y) / length, 0), 1) : 0
      let (across, down) = (point.x - along * way.x, point.y - along * way.y)
      let square = across * across + down * down
      if square < nearest.square { nearest = (across, down, square) }
    }
    guard sides.left, sides.right else { return 0 }
    // The center of the pixels at an edge is half a pixel inside.
    func widened(_ way: Double) -> Double { abs(way) + min(abs(way), 0.5) }
    let (across, down) = (widened(nearest.x), widened(nearest.y))
    return (across * across + down * down).squareRoot()
  }
}

/// The fold of a sheet in the pixels of a picture.
private struct Fold {
  /// The sheet before it is turned.
  let sheet: Rect
  private let isBoundLeft: Bool
  private let start: Point
  /// Points from the spine to the free edge, across the fold; its length is 1.
  private let normal: Point
  /// The distance of a point beyond the fold before the turn, divided by that after it.
  private let widening: Double
  /// How far a shadow reaches, in pixels.
  private let reach: Double
  /// The strength of shadows: 0 when the sheet is flat.
  private let strength: Double

  /// The fold; nil if there is no sheet.
  ///
  /// - Parameters:
  ///   - places: Where the parts are, in pixels.
  ///   - progress: Above 0, below 1.
  init?(_ places: TurnPlaces, _ ends: (Point, Point), at progress: Double) {
    guard let sheet = places.place(of: .front, at: progress) else { return nil }
    self.sheet = sheet
    isBoundLeft = places.spine == .left
    start = ends.0
    let across = ends.1.x - start.x
    let down = ends.1.y - start.y
    let length = (across * across + down * down).squareRoot()
    let side = isBoundLeft ? 1.0 : -1.0
    normal =
      length > 0
      ? Point(x: side * down / length, y: -side * across / length)
      : Point(x: side, y: 0)
    widening = places.back == nil ? 1 / (1 - progress) : 1
    reach = max(2, sheet.width / 20)
    strength = min(5 * progress, 5 * (1 - progress), 1)
  }

  /// The distance beyond the fold; negative on the side of the spine.
  func distance(to point: Point) -> Double {
    (point.x - start.x) * normal.x + (point.y - start.y) * normal.y
  }

  /// The position of a point of the turned part before the turn.
  func source(of point: Point, _ distance: Double) -> Point {
    let way = distance * (1 + widening)
    return Point(x: point.x - way * normal.x, y: point.y - way * normal.y)
  }

  /// A point mirrored at the spine.
  func acrossSpine(_ point: Point) -> Point {
    Point(x: 2 * (isBoundLeft ? sheet.minX : sheet.maxX) - point.x, y: point.y)
  }

  /// The shadow of the turned part: on the uncovered part, below it and beside its edges.
  ///
  /// - Parameters:
  ///   - point: A pixel.
  ///   - source: Its position before the turn.
  /// - Returns: How much darker the pixel is, from 0 to 1.
  func shade(at point: Point, _ distance: Double, _ source: Point) -> Double {
    // Beyond the fold the turned part ends at the fold; on this side, at the mirrored edges.
    let point = distance > 0 ? point : source
    let across = max(sheet.minX - point.x, point.x - sheet.maxX, 0)
    let down = max(sheet.minY - point.y, point.y - sheet.maxY, 0)
    let out = max(distance, 0)
    let gap = (across * across + down * down + out * out).squareRoot()
    let nearness = 1 - gap / reach
    return nearness > 0 ? strength * 0.3 * nearness * nearness : 0
  }

  /// How much darker the turned part is where it bends.
  func curvature(_ distance: Double) -> Double {
    let nearness = 1 + distance / reach
    return nearness > 0 ? strength * 0.2 * nearness * nearness : 0
  }
}

extension Rect {
  /// Pixels as a rectangle whose unit is a pixel.
  fileprivate init(_ pixels: PixelRect) {
    self.init(
      x: Double(pixels.x),
      y: Double(pixels.y),
      width: Double(pixels.width),
      height: Double(pixels.height)
    )
  }

  /// How much of the square of a pixel around a point the rectangle covers, from 0 to 1.
  fileprivate func coverage(of middle: Point) -> Double {
    let across = min(middle.x + 0.5, maxX) - max(middle.x - 0.5, minX)
    let down = min(middle.y + 0.5, maxY) - max(middle.y - 0.5, minY)
    return max(across, 0) * max(down, 0)
  }
}

extension UInt32 {
  /// Blends with another opaque 0xAARRGGBB pixel, which replaces it at 1.
  fileprivate mutating func cover(with other: UInt32, by share: Double) {
    if share < 1 { blend(other, by: share) } else { self = other }
  }
}

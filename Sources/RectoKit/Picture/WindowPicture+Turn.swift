internal import Geometry
internal import PageLayout

extension WindowPicture {
  /// Turns a page of this picture: what lies beyond the fold shows the next spread, and the part of the
  /// sheet that was there lies mirrored on this side. Its back is the page of the next spread on the
  /// other side of the spine; without one, paper through which the front can be seen.
  ///
  /// - Parameters:
  ///   - turn: The page that is turned.
  ///   - next: A picture of the next spread, of the window moved by ``PageTurn/step``.
  public mutating func turn(_ turn: PageTurn, over next: WindowPicture) {
    let fold = Fold(turn, in: self)
    let flat = self
    let back = turn.back.map { next.place($0.frame) }
    for y in 0..<size.height {
      for x in 0..<size.width {
        let point = Point(x: Double(x) + 0.5, y: Double(y) + 0.5)
        let distance = fold.distance(to: point)
        var pixel = pixels[y * size.width + x]
        let beyond = min(max(distance + 0.5, 0), 1) * fold.sheetSide(of: point)
        if beyond > 0 { pixel.blend(next.pixel(x, y), by: beyond) }
        let source = fold.mirrored(point, distance)
        pixel.darken(by: fold.shade(at: point, distance, source))
        let coverage = fold.coverage(of: source) * min(max(0.5 - distance, 0), 1)
        if coverage > 0 {
          var paper: UInt32 = 0xFFFF_FFFF
          if let back {
            let place = fold.acrossSpine(source)
            if back.contains(place) { paper = next.pixel(at: place, in: back) }
          } else {
            paper.blend(flat.pixel(at: source, in: fold.sheet), by: 0.15)
          }
          paper.darken(by: fold.curvature(distance))
          pixel.blend(paper, by: coverage)
        }
        pixels[y * size.width + x] = pixel
      }
    }
  }

  /// A pixel; the background beyond the edges.
  private func pixel(_ x: Int, _ y: Int) -> UInt32 {
    guard x < size.width, y < size.height else { return 0xFF00_0000 | background.rgb }
    return pixels[y * size.width + x]
  }

  /// The color at a point, between the four pixels around it.
  ///
  /// - Parameters:
  ///   - point: In pixels from the top left of the picture.
  ///   - rect: The pixels that may be used; the nearest one stands for those beyond.
  /// - Returns: White if no such pixel is in the picture.
  private func pixel(at point: Point, in rect: PixelRect) -> UInt32 {
    guard let rect = rect.intersection(bounds) else { return 0xFFFF_FFFF }
    let (x, y) = (point.x - 0.5, point.y - 0.5)
    let (left, top) = (x.rounded(.down), y.rounded(.down))
    func near(_ column: Int, _ row: Int) -> UInt32 {
      let column = min(max(Int(left) + column, rect.x), rect.maxX - 1)
      let row = min(max(Int(top) + row, rect.y), rect.maxY - 1)
      return pixels[row * size.width + column]
    }
    var upper = near(0, 0)
    upper.blend(near(1, 0), by: x - left)
    var lower = near(0, 1)
    lower.blend(near(1, 1), by: x - left)
    upper.blend(lower, by: y - top)
    return upper
  }
}

/// The fold of a sheet in the pixels of a picture.
private struct Fold {
  /// The pixels of the sheet.
  let sheet: PixelRect
  private let isBoundLeft: Bool
  private let start: Point
  /// Points from the spine to the free edge, across the fold; its length is 1.
  private let normal: Point
  /// How far a shadow reaches, in pixels.
  private let reach: Double

  init(_ turn: PageTurn, in picture: WindowPicture) {
    sheet = picture.place(turn.sheet)
    isBoundLeft = turn.spine == .left
    let origin = picture.window.snapped(scale: picture.scale)
    func pixel(_ point: Point) -> Point {
      Point(
        x: point.x * picture.scale - Double(origin.x),
        y: point.y * picture.scale - Double(origin.y)
      )
    }
    start = pixel(turn.curl.fold.0)
    let end = pixel(turn.curl.fold.1)
    let length = ((end.x - start.x) * (end.x - start.x) + (end.y - start.y) * (end.y - start.y))
      .squareRoot()
    let side = isBoundLeft ? 1.0 : -1.0
    normal =
      length > 0
      ? Point(x: side * (end.y - start.y) / length, y: -side * (end.x - start.x) / length)
      : Point(x: side, y: 0)
    reach = max(2, Double(sheet.width) / 20)
  }

  /// The distance beyond the fold; negative on the side of the spine.
  func distance(to point: Point) -> Double {
    (point.x - start.x) * normal.x + (point.y - start.y) * normal.y
  }

  /// 1 on the side of the spine where the sheet lies before it is turned, 0 on the other.
  func sheetSide(of point: Point) -> Double {
    let inside =
      isBoundLeft ? point.x - Double(sheet.x) : Double(sheet.maxX) - point.x
    return min(max(inside + 0.5, 0), 1)
  }

  /// A point mirrored at the fold.
  func mirrored(_ point: Point, _ distance: Double) -> Point {
    Point(x: point.x - 2 * distance * normal.x, y: point.y - 2 * distance * normal.y)
  }

  /// A point mirrored at the spine.
  func acrossSpine(_ point: Point) -> Point {
    Point(x: 2 * Double(isBoundLeft ? sheet.x : sheet.maxX) - point.x, y: point.y)
  }

  /// How much of a pixel the sheet covers before it is turned.
  func coverage(of point: Point) -> Double {
    let across = min(point.x - Double(sheet.x), Double(sheet.maxX) - point.x) + 0.5
    let down = min(point.y - Double(sheet.y), Double(sheet.maxY) - point.y) + 0.5
    return min(max(across, 0), 1) * min(max(down, 0), 1)
  }

  /// The shadow of the turned part: on what it uncovers, and beside its edges.
  ///
  /// - Parameters:
  ///   - point: A pixel.
  ///   - distance: Its distance beyond the fold.
  ///   - source: The pixel mirrored at the fold.
  /// - Returns: How much darker the pixel is, from 0 to 1.
  func shade(at point: Point, _ distance: Double, _ source: Point) -> Double {
    // Beyond the fold the turned part ends at the fold, on this side at the mirrored edges.
    let point = distance > 0 ? point : source
    let across = max(Double(sheet.x) - point.x, point.x - Double(sheet.maxX), 0)
    let down = max(Double(sheet.y) - point.y, point.y - Double(sheet.maxY), 0)
    let out = max(distance, 0)
    let gap = (across * across + down * down + out * out).squareRoot()
    let nearness = 1 - gap / reach
    return nearness > 0 && gap > 0 ? 0.3 * nearness * nearness : 0
  }

  /// How much darker the turned part is where it bends.
  func curvature(_ distance: Double) -> Double {
    let nearness = 1 + distance / reach
    return nearness > 0 ? 0.2 * nearness * nearness : 0
  }
}

extension PixelRect {
  fileprivate func contains(_ point: Point) -> Bool {
    point.x >= Double(x) && point.x <= Double(maxX) && point.y >= Double(y)
      && point.y <= Double(maxY)
  }
}

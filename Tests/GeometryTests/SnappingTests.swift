import RectoGeometry
import Testing

@Suite struct SnappingTests {
  @Test func `rects that share an edge in points share it in pixels`() {
    for scale in [0.25, 1, 1.5, 2, 3.7] {
      var y = -3.3
      for height in [10.1, 0.4, 841.89, 0.05, 792] {
        let upper = Rect(x: 0, y: y, width: 10, height: height).snapped(scale: scale)
        let lower = Rect(x: 0, y: y + height, width: 10, height: 5).snapped(scale: scale)
        #expect(upper.maxY == lower.y, "scale \(scale), height \(height)")
        y += height
      }
    }
  }

  @Test func `an edge does not trap beyond what pixels can count`() {
    let rect = Rect(x: -1e300, y: .nan, width: .infinity, height: 1).snapped(scale: 2)
    #expect(rect.x == -(1 << 53))
  }

  @Test func `halves go the same way on both sides of the origin`() {
    #expect(Rect(x: -0.5, y: 0.5, width: 1, height: 1).snapped(scale: 1).x == 0)
    #expect(Rect(x: -0.5, y: 0.5, width: 1, height: 1).snapped(scale: 1).y == 1)
  }
}

@Suite struct ClippingTests {
  @Test func `a rectangle is clipped to what it shares with another, or to its nearest edge`() {
    let clip = Rect(x: 0, y: 0, width: 100, height: 50)
    let inside = Rect(x: 10, y: 10, width: 20, height: 20)
    #expect(inside.clipped(to: clip) == inside)
    #expect(
      Rect(x: -10, y: 20, width: 30, height: 90).clipped(to: clip)
        == Rect(x: 0, y: 20, width: 20, height: 30)
    )
    #expect(
      Rect(x: 300, y: -30, width: 10, height: 10).clipped(to: clip)
        == Rect(x: 100, y: 0, width: 0, height: 0)
    )
    // What sums lose is no reason to cut anything off.
    let wide = Rect(x: -1e-9, y: 0, width: 100 + 2e-9, height: 50)
    #expect(wide.clipped(to: clip) == wide)
  }
}

@Suite struct RotationTests {
  @Test func `degrees are brought into one turn and only quarter turns exist`() {
    #expect(Rotation(degrees: -90) == .threeQuarters)
    #expect(Rotation(degrees: 450) == .quarter)
    #expect(Rotation(degrees: 45) == nil)
    #expect(Rotation(degrees: .min) == nil)
    for first in Rotation.allCases {
      #expect(first + first.inverse == .none)
    }
  }
}

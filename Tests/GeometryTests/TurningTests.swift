import Glibc
import RectoGeometry
import Testing

@Suite struct TurningTests {
  @Test func `a turned point is where the sine and cosine of the C library put it`() {
    for degrees in stride(from: -1100.0, through: 1100, by: 0.37) {
      let turned = Point(x: 1, y: 0).turned(byDegrees: degrees)
      let angle = Float80(degrees) * .pi / 180
      #expect(abs(Float80(turned.x) - cosl(angle)) < 3e-16)
      #expect(abs(Float80(turned.y) - sinl(angle)) < 3e-16)
    }
  }

  @Test func `small angles keep their precision`() {
    for degrees in [1e-300, 1e-9, 0.001, 0.5, 1, 44.999] {
      let turned = Point(x: 1, y: 0).turned(byDegrees: degrees)
      let sine = sinl(Float80(degrees) * .pi / 180)
      #expect(abs(Float80(turned.y) - sine) <= sine * 4e-16)
    }
  }

  @Test func `quarter turns are exact`() {
    let turns: [(degrees: Double, x: Double, y: Double)] = [
      (0, 3, 5), (90, -5, 3), (180, -3, -5), (270, 5, -3), (-90, 5, -3), (-270, -5, 3), (360, 3, 5),
      (3.6e12 + 90, -5, 3),
    ]
    for (degrees, x, y) in turns {
      #expect(Point(x: 3, y: 5).turned(byDegrees: degrees) == Point(x: x, y: y))
      #expect(Size(width: 3, height: 5).boundingBox(turnedByDegrees: degrees).area == 15)
    }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `an angle that is no number gives no number`(degrees: Double) {
    let turned = Point(x: 3, y: 5).turned(byDegrees: degrees)
    #expect(turned.x.isNaN && turned.y.isNaN)
  }
}

import RectoGeometry
import Testing

@Suite struct DescriptionTests {
  @Test func `values print as a reader writes them`() {
    let rect = Rect(x: 10, y: 20.5, width: 612, height: 792)
    #expect("\(rect.origin)" == "(10.0, 20.5)")
    #expect("\(rect.size)" == "612.0 × 792.0")
    #expect("\(rect)" == "612.0 × 792.0 at (10.0, 20.5)")
    #expect("\(PixelSize(width: 512, height: 256))" == "512 × 256")
    #expect(
      "\(PixelRect(x: 0, y: 1024, width: 512, height: 256))" == "512 × 256 at (0, 1024)"
    )
  }
}

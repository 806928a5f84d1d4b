import DocumentModel
import RectoGeometry
import RectoTiles
import Testing

@testable import RectoServer

@Suite struct TileAddressTests {
  private let key = TileKey(
    raster: PageRaster(
      pageIndex: 14_999,
      scale: 1.501_687_610_838_847_5,
      rotation: .quarter,
      userUnit: 1,
      size: PixelSize(width: 894, height: 1265)
    ),
    tile: TileIndex(column: 1, row: 2),
    side: 512
  )

  @Test func `an address reads back as it was made`() {
    let made = TileAddress(document: "0123", version: "89ab", key: key)
    #expect(TileAddress(made.path) == made)
    #expect(made.path == "/tiles/0123/89ab/15000/1.5016876108388475x/894x1265/90/512/1_2.png")
  }

  @Test(arguments: [
    "/tiles/0123/89ab/0/1.0x/894x1265/90/512/1_2.png",
    "/tiles/0123/89ab/1/-1.0x/894x1265/90/512/1_2.png",
    "/tiles/0123/89ab/1/nanx/894x1265/90/512/1_2.png",
    "/tiles/0123/89ab/1/1.0x/0x1265/90/512/0_2.png",
    "/tiles/0123/89ab/1/1.0x/99999999x1265/90/512/0_2.png",
    "/tiles/0123/89ab/1/1.0x/894x1265/91/512/1_2.png",
    "/tiles/0123/89ab/1/1.0x/894x1265/90/1/1_2.png",
    "/tiles/0123/89ab/1/1.0x/894x1265/90/512/2_2.png",
    "/tiles/0123/89ab/1/1.0x/894x1265/90/512/-1_2.png",
    "/tiles/0123/89ab/1/1x/894x1265/90/512/1_2.png",
    "/tiles/0123/89ab/01/1.0x/894x1265/90/512/1_2.png",
    "/tiles/0123/89ab/1/1.0x/894x1265/450/512/1_2.png",
    "/tiles/0123/89ab/1/infx/894x1265/90/512/1_2.png",
    "/tiles//89ab/1/1.0x/894x1265/90/512/1_2.webp",
  ]) func `what is no address of a tile, or a second one for the same tile, is refused`(
    path: String
  ) {
    #expect(TileAddress(path) == nil)
  }
}

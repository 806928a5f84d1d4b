internal import DocumentModel
internal import RectoGeometry
internal import SystemPackage

/// The files of Deep Zoom: level 0 is one pixel, and each level is twice as large as the previous one.
enum DeepZoom {
  /// The tiles of a page, from the largest level down.
  ///
  /// - Parameters:
  ///   - tileSize: The side of tiles, without their overlap.
  ///   - overlap: Pixels that tiles share with each neighbor.
  static func tiles(of page: PyramidPage, tileSize: Int, overlap: Int) -> [PyramidPlan.PyramidTile]
  {
    let levels = page.size.halvings(to: 1)
    return (0...levels).flatMap { halvings in
      let size = page.size.halved(halvings)
      let rows = spans(size.height, tileSize, overlap)
      let columns = spans(size.width, tileSize, overlap)
      return rows.enumerated().flatMap { row, y in
        columns.enumerated().map { column, x in
          let part = PixelRect(x: x.lowerBound, y: y.lowerBound, width: x.count, height: y.count)
          let name = "\(levels - halvings)/\(column)_\(row).\(page.format.fileExtension)"
          return PyramidPlan.PyramidTile(
            part: ReducedPart(size: size, part: part),
            files: [FilePath(name)]
          )
        }
      }
    }
  }

  /// The columns or rows of pixels of the tiles along a side.
  private static func spans(_ length: Int, _ tileSize: Int, _ overlap: Int) -> [Range<Int>] {
    stride(from: 0, to: length, by: tileSize).map { start in
      max(0, start - overlap)..<min(length, start + tileSize + overlap)
    }
  }

  /// The text of the descriptor.
  ///
  /// - Parameters:
  ///   - tileSize: The side of tiles, without their overlap.
  ///   - overlap: Pixels that tiles share with each neighbor.
  static func descriptor(of page: PyramidPage, tileSize: Int, overlap: Int) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <Image xmlns="http://schemas.microsoft.com/deepzoom/2008"
      Format="\(page.format.fileExtension)"
      Overlap="\(overlap)"
      TileSize="\(tileSize)"
      >
      <Size
        Height="\(page.size.height)"
        Width="\(page.size.width)"
      />
    </Image>

    """
  }
}

/// The JSON of `recto layout` and `recto render`, with the fields that the reference documents.
/// Additional fields are allowed; missing fields and other types are errors.
struct RenderOutput: Decodable {
  struct Document: Decodable {
    var path: String
    var pathBytes: String?
    var pages: Int
    var title: String?
  }

  struct Options: Decodable, Equatable {
    var mode: String
    /// Nil if `spreadColumns` and `startColumn` replace it.
    var spread: String?
    var axis: String
    var rtl: Bool
    var fit: String
    var zoom: Double
    var gap: Double
    var pageGap: Double
    var margin: [Double]
    var align: String
    var rotate: Int
    var sizes: String
  }

  struct Content: Decodable {
    var width: Double
    var height: Double
    var exact: Bool
  }

  struct Anchor: Decodable {
    var page: Int
    var fraction: Double
  }

  struct Extent: Decodable, Equatable {
    var width: Double
    var height: Double
  }

  struct Frame: Decodable, Equatable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    var maxX: Double { x + width }
    var maxY: Double { y + height }
    var area: Double { width * height }

    func common(_ other: Frame) -> Frame? {
      let left = max(x, other.x)
      let top = max(y, other.y)
      let right = min(maxX, other.maxX)
      let bottom = min(maxY, other.maxY)
      guard right > left, bottom > top else { return nil }
      return Frame(x: left, y: top, width: right - left, height: bottom - top)
    }
  }

  struct Pixels: Decodable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
  }

  struct Tile: Decodable {
    var column: Int
    var row: Int
    var frame: Frame
    var pixels: Pixels
    var file: String?
    var bytes: Int
    var source: String
  }

  struct Failure: Decodable, Equatable {
    var code: String
    var message: String
  }

  struct Page: Decodable {
    var index: Int
    var number: Int
    var label: String
    var frame: Frame
    var size: Extent
    var rotation: Int
    var scale: Double
    var exact: Bool
    var visible: Frame
    var fraction: Double
    var place: Pixels?
    var tiles: [Tile]?
    var error: Failure?
  }

  struct Spread: Decodable {
    var index: Int
    var frame: Frame
    var exact: Bool
    var pages: [Page]
  }

  var format: Int
  var document: Document
  var layout: Options
  var content: Content
  var viewport: Frame
  var anchor: Anchor?
  var current: Int?
  var pixelScale: Double?
  var tileSize: Int?
  var spreads: [Spread]

  var pages: [Page] { spreads.flatMap(\.pages) }
  var tiles: [Tile] { pages.flatMap { $0.tiles ?? [] } }
}

/// A line of `recto thumbs`.
struct ThumbnailLine: Decodable {
  struct Thumbnail: Decodable {
    var page: Int
    var lastPage: Int?
    var size: Int?
    var file: String?
    var width: Int?
    var height: Int?
    var bytes: Int?
    var source: String?
    var error: RenderOutput.Failure?
  }

  struct Planned: Decodable {
    var pages: Int
    var file: String?
  }

  var path: String
  var pathBytes: String?
  var pages: Int?
  var error: RenderOutput.Failure?
  var interrupted: Bool?
  var unchanged: Bool?
  var planned: Planned?
  var thumbnails: [Thumbnail]?
}

/// A line of `--errors json`.
struct MessageLine: Decodable {
  var code: String
  var path: String?
  var pathBytes: String?
  var page: Int?
  var message: String
}

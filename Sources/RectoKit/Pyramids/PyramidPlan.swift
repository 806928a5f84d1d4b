internal import DocumentModel
internal import RectoBase
internal import RectoGeometry
internal import SystemPackage

/// The files of a pyramid of one page.
struct PyramidPlan {
  /// A picture and its files.
  struct PyramidTile {
    var part: ReducedPart
    /// Paths below the folder of tiles.
    var files: [FilePath]
  }

  /// The pictures, from the largest size to the smallest.
  private(set) var tiles: [PyramidTile] = []
  /// The text of the descriptor.
  let descriptor: String
  /// The path of the descriptor.
  let descriptorPath: FilePath
  /// The folder of tiles.
  let folder: FilePath

  /// The files of a page.
  ///
  /// - Parameters:
  ///   - page: The page: its size in pixels, its path and the format of its tiles.
  /// - Complexity: O(*n*) in the number of tiles.
  init(_ pyramid: PagePyramid, of page: PyramidPage) {
    switch pyramid.layout {
    case .deepZoom(let overlap):
      let name = page.path.withoutExtension("dzi")
      descriptorPath = name.appendingText(".dzi")
      folder = name.appendingText(PagePyramid.tilesSuffix)
      descriptor = DeepZoom.descriptor(of: page, tileSize: pyramid.tileSize, overlap: overlap)
      tiles = DeepZoom.tiles(of: page, tileSize: pyramid.tileSize, overlap: overlap)
    case .iiif(let base):
      folder = page.path
      descriptorPath = page.path.appending("info.json")
      descriptor = ImageService.descriptor(of: page, base: base, tileSize: pyramid.tileSize)
      tiles = ImageService.tiles(of: page, tileSize: pyramid.tileSize)
    }
  }
}

/// A page with a pyramid.
struct PyramidPage {
  /// The size of its largest level in pixels.
  var size: PixelSize
  /// Where the pyramid goes.
  var path: FilePath
  /// The name of the page for its identifier: ``path`` below the folder of the template.
  var name: [UInt8]
  /// The format of the tiles.
  var format: PictureFormat
}

extension PixelSize {
  /// The size after halving the sides that many times, rounded up.
  func halved(_ times: Int) -> PixelSize {
    func side(_ length: Int) -> Int { max(1, (length + (1 << times) - 1) >> times) }
    return PixelSize(width: side(width), height: side(height))
  }

  /// How often the sides must be halved until neither exceeds a length.
  func halvings(to side: Int) -> Int {
    var times = 0
    while max(halved(times).width, halved(times).height) > side { times += 1 }
    return times
  }
}

extension FilePath {
  /// The path without an extension, in any case; the same path if it has another one.
  fileprivate func withoutExtension(_ name: String) -> FilePath {
    guard self.extension?.lowercased() == name else { return self }
    var path = self
    path.extension = nil
    return path
  }

  /// The path with a text appended to its last component.
  fileprivate func appendingText(_ text: String) -> FilePath {
    FilePath(bytes: bytes + Array(text.utf8))
  }
}

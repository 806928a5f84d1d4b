public import DocumentModel
public import FileSystem
public import Geometry
internal import PageNumbers

/// The name of something in the cache: a digest of everything that it depends on.
///
/// Keys form a ladder, document → drawing → tile, so that whatever changes a document's key changes the keys
/// of all its tiles.
public struct CacheKey: Hashable, Sendable {
  /// 32 lower-case hexadecimal digits.
  public let hexadecimal: String

  /// The first two digits as a number.
  var firstByte: Int {
    hexadecimal.utf8.prefix(2).reduce(0) { value, digit in
      value << 4 | Int(digit <= 0x39 ? digit &- 0x30 : digit &- 0x57)
    }
  }

  /// The key of a document.
  ///
  /// A password takes part as a digest: without it, one does not find what was drawn
  /// with it, and it cannot be read out of a name.
  public static func document(_ file: FileIdentity, password: String?) -> CacheKey {
    var digest = Digest("recto document 2")
    digest.add(file)
    digest.add(password ?? "")
    digest.add(password == nil ? 0 : 1)
    return digest.key()
  }

  /// The key of all that a program draws of a document.
  ///
  /// - Parameters:
  ///   - document: The key of the document.
  ///   - program: The program that draws; nil when the file system does not know it. Another
  ///     program that gives itself the same `engine` draws under keys of its own.
  ///   - engine: The libraries that draw, with their versions.
  /// - Returns: The key.
  public static func drawing(
    of document: CacheKey,
    program: CacheKey?,
    engine: String
  ) -> CacheKey {
    var digest = Digest("recto drawing 1")
    digest.add(document.hexadecimal)
    digest.add(program?.hexadecimal ?? "")
    digest.add(engine)
    return digest.key()
  }

  /// The key of a part of a page.
  ///
  /// - Parameters:
  ///   - drawing: The key of the drawing that it is a part of.
  ///   - raster: The page at its scale.
  ///   - part: The rectangle in pixels from the page's top left.
  ///   - style: The format of the picture, and what is kept of the pixels.
  ///   - isOneOff: Whether the page is drawn directly, without a recording.
  /// - Returns: The key.
  public static func tile(
    of drawing: CacheKey,
    raster: PageRaster,
    part: PixelRect,
    style: PictureStyle = .tile,
    isOneOff: Bool
  ) -> CacheKey {
    var digest = Digest("recto tile 3")
    digest.add(drawing.hexadecimal)
    digest.add(raster.pageIndex.value)
    digest.add(Int(bitPattern: UInt(raster.scale.bitPattern)))
    digest.add(Int(bitPattern: UInt(raster.userUnit.bitPattern)))
    digest.add(raster.rotation.degrees)
    digest.add(raster.size.width)
    digest.add(raster.size.height)
    digest.add(part.x)
    digest.add(part.y)
    digest.add(part.width)
    digest.add(part.height)
    digest.add((isOneOff ? 1 : 0) + (raster.isFitted ? 2 : 0))
    if style != .tile {
      digest.add(style.format.rawValue)
      digest.add(style.quality ?? 0)
      digest.add((style.isGray ? 1 : 0) + (style.isTransparent ? 2 : 0))
    }
    return digest.key()
  }

  /// The key of a worker program.
  public static func program(_ file: FileIdentity) -> CacheKey {
    engine(worker: file, libraries: nil)
  }

  /// The key of the drawing libraries that a worker program loads on this machine: the program and
  /// the linker's list of libraries, both as the file system knows them.
  public static func engine(worker: FileIdentity, libraries: FileIdentity?) -> CacheKey {
    var digest = Digest("recto engine 2")
    for file in [worker, libraries].compactMap(\.self) { digest.add(file) }
    return digest.key()
  }
}

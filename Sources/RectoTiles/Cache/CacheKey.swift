public import DocumentModel
public import RectoBase
public import RectoGeometry

/// The name of a cache entry: a digest of everything that it depends on.
///
/// Keys are derived from each other, document → drawing → tile, so that a change of a document's key changes the keys
/// of all its tiles.
public struct CacheKey: Hashable, Sendable {
  /// The first eight bytes of the digest, big-endian.
  let high: UInt64
  /// The next eight bytes.
  let low: UInt64

  /// A key from its two halves.
  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The key that has a name; nil if the name is not 32 lower-case hexadecimal digits.
  init?(hexadecimal name: some StringProtocol) {
    let digits = Array(name.utf8)
    guard digits.count == 32,
      digits.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    func half(_ digits: ArraySlice<UInt8>) -> UInt64 {
      digits.reduce(0) { $0 << 4 | UInt64($1 <= 0x39 ? $1 - 0x30 : $1 - 0x57) }
    }
    self.init(high: half(digits[..<16]), low: half(digits[16...]))
  }

  /// 32 lower-case hexadecimal digits.
  public var hexadecimal: String {
    String(unsafeUninitializedCapacity: 32) { digits in
      for index in 0..<32 {
        let half = index < 16 ? high : low
        let digit = UInt8(truncatingIfNeeded: half >> UInt64(60 - index % 16 * 4) & 15)
        digits[index] = digit < 10 ? 0x30 + digit : 0x57 + digit
      }
      return 32
    }
  }

  /// The first byte, which chooses the folder.
  var firstByte: Int { Int(high >> 56) }

  /// The key of a document.
  ///
  /// It includes a digest of the password: without the password, pictures drawn with it cannot be
  /// found, and it cannot be read from a name.
  public static func document(_ file: FileIdentity, password: String?) -> CacheKey {
    var digest = Digest("recto document 2")
    digest.add(file)
    return digest.key(with: password)
  }

  /// The key of a document that is identified by its contents.
  public static func document(_ contents: CacheKey, password: String?) -> CacheKey {
    var digest = Digest("recto document of contents 1")
    digest.add(contents)
    return digest.key(with: password)
  }

  /// The key of the document with this key, if other content of its pages is shown than a viewer shows.
  public func showing(_ shown: ShownContent) -> CacheKey {
    guard !shown.isUsual else { return self }
    var digest = Digest("recto shown content 1")
    digest.add(self)
    digest.add(shown.box.rawValue)
    digest.add(shown.annotations.rawValue)
    digest.add(shown.layers.count)
    for layer in shown.layers {
      digest.add(layer.name)
      digest.add(layer.isOn ? 1 : 0)
    }
    return digest.key()
  }

  /// The key of everything that a program draws or reads from a document.
  ///
  /// - Parameters:
  ///   - document: The key of the document.
  ///   - program: The program that draws; nil if the file does not exist. Another program with the
  ///     same `engine` gets other keys.
  ///   - engine: The libraries that draw, with their versions.
  ///   - text: Where glyphs are drawn; nil if it does not matter.
  ///   - rasterizer: The rasterizer; nil if it does not matter.
  /// - Returns: The key.
  public static func drawing(
    of document: CacheKey,
    program: CacheKey?,
    engine: String,
    text: TextPlacement? = nil,
    rasterizer: Rasterizer? = nil
  ) -> CacheKey {
    var digest = Digest("recto drawing 3")
    digest.add(document)
    digest.add(program ?? CacheKey(high: 0, low: 0))
    digest.add(engine)
    digest.add(text?.rawValue ?? "")
    digest.add(rasterizer?.rawValue ?? "")
    return digest.key()
  }

  /// The key of a part of a page.
  ///
  /// - Parameters:
  ///   - drawing: The key of the drawing that it is a part of.
  ///   - raster: The page at its scale.
  ///   - part: The rectangle in pixels from the page's top left.
  /// - Returns: The key.
  public static func tile(
    of drawing: CacheKey,
    raster: PageRaster,
    part: PixelRect
  ) -> CacheKey {
    var digest = Digest("recto tile 4")
    digest.add(drawing)
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
    digest.add(raster.isFitted ? 1 : 0)
    return digest.key()
  }

  /// The key of the table that lists a part of a page. A small page shares its table with 15 others at this scale; a
  /// table of a large page has the parts within 8192 pixels.
  ///
  /// - Parameters:
  ///   - part: The rectangle in pixels from the page's top left.
  static func table(of drawing: CacheKey, raster: PageRaster, part: PixelRect) -> CacheKey {
    var digest = Digest("recto table 1")
    digest.add(drawing)
    digest.add(Int(bitPattern: UInt(raster.scale.bitPattern)))
    digest.add(raster.rotation.degrees)
    if max(raster.size.width, raster.size.height) <= smallPage {
      digest.add(raster.pageIndex.value / pagesOfTable)
    } else {
      digest.add(-1 - raster.pageIndex.value)
      digest.add(part.x / sideOfTable)
      digest.add(part.y / sideOfTable)
    }
    return digest.key()
  }

  /// In pixels.
  private static let smallPage = 1024
  private static let pagesOfTable = 16
  /// In pixels.
  private static let sideOfTable = 8192

  /// The key of a picture: the first half of the SHA-256 of its bytes.
  static func picture(_ bytes: [UInt8]) -> CacheKey {
    var digest = Digest()
    bytes.withUnsafeBytes { digest.update($0) }
    return digest.key()
  }

  /// The key of a worker program.
  public static func program(_ file: FileIdentity) -> CacheKey {
    engine(worker: file, libraries: nil)
  }

  /// The key of the drawing libraries that a worker program loads on this machine: the program and
  /// the linker's list of libraries, both by their file identity.
  public static func engine(worker: FileIdentity, libraries: FileIdentity?) -> CacheKey {
    var digest = Digest("recto engine 2")
    for file in [worker, libraries].compactMap(\.self) { digest.add(file) }
    return digest.key()
  }
}

extension Digest {
  /// The key of the added values and a password.
  fileprivate mutating func key(with password: String?) -> CacheKey {
    add(password ?? "")
    add(password == nil ? 0 : 1)
    return key()
  }
}

public import RectoGeometry

/// The number and generation by which a file names one of its objects.
public struct ObjectNumber: Hashable, Sendable {
  /// The number, from 1.
  public var number: Int
  /// The generation; 0 in nearly all files.
  public var generation: Int

  /// A number with its generation.
  public init(_ number: Int, generation: Int) {
    self.number = number
    self.generation = generation
  }
}

/// A font in the resources of pages.
public struct DocumentFont: Hashable, Sendable {
  /// Its object; nil for a font inside another object.
  public var object: ObjectNumber?
  /// /BaseFont; nil if the font has none.
  public var name: String?
  /// The kind of its program, in the words of pdffonts: `Type 1`, `Type 1C`, `TrueType`, `Type 3`, `CID Type 0C`,
  /// `CID TrueType`, …
  public var kind: String
  /// /Encoding as in the file, `custom` for one that the file defines, nil for that of the font itself.
  public var encoding: String?
  /// Whether the file contains the font's program.
  public var isEmbedded: Bool
  /// Whether the name says that it is a subset.
  public var isSubset: Bool
  /// Whether the file says which characters its glyphs are.
  public var hasUnicode: Bool
  /// The first of the pages on which it was found.
  public var page: PageIndex

  /// A font from its parts.
  public init(
    object: ObjectNumber?,
    name: String?,
    kind: String,
    encoding: String?,
    isEmbedded: Bool,
    isSubset: Bool,
    hasUnicode: Bool,
    page: PageIndex
  ) {
    self.object = object
    self.name = name
    self.kind = kind
    self.encoding = encoding
    self.isEmbedded = isEmbedded
    self.isSubset = isSubset
    self.hasUnicode = hasUnicode
    self.page = page
  }
}

/// An image in the resources of a page.
public struct DocumentImage: Hashable, Sendable {
  /// What an image is for.
  public enum Kind: String, Hashable, Sendable {
    /// A picture.
    case image
    /// One bit a pixel, painted in the current color.
    case stencil
    /// The opacity of another image.
    case softMask
    /// The visible part of another image.
    case mask
  }

  /// The page.
  public var page: PageIndex
  /// Its object; nil for an image inside another object.
  public var object: ObjectNumber?
  /// What it is for.
  public var kind: Kind
  /// Columns of samples.
  public var width: Int
  /// Rows of samples.
  public var height: Int
  /// The family of the color space: `gray`, `rgb`, `cmyk`, `calgray`, `calrgb`, `lab`, `icc`, `indexed`, `separation`,
  /// `devicen`, `pattern`; nil if the image itself states it, and for stencils.
  public var color: String?
  /// Color components of a sample; nil if the image itself states them.
  public var components: Int?
  /// Bits of a component; nil if the image itself states them.
  public var bits: Int?
  /// The last filter: `jpeg`, `jpx`, `ccitt`, `jbig2`, `flate`, `lzw`, `runLength`, `none`; another one by its name.
  public var encoding: String
  /// Whether it asks to be interpolated.
  public var isInterpolated: Bool
  /// Bytes in the file; nil if the file does not say.
  public var bytes: Int?

  /// An image from its parts.
  public init(
    page: PageIndex,
    object: ObjectNumber?,
    kind: Kind,
    width: Int,
    height: Int,
    color: String?,
    components: Int?,
    bits: Int?,
    encoding: String,
    isInterpolated: Bool,
    bytes: Int?
  ) {
    self.page = page
    self.object = object
    self.kind = kind
    self.width = width
    self.height = height
    self.color = color
    self.components = components
    self.bits = bits
    self.encoding = encoding
    self.isInterpolated = isInterpolated
    self.bytes = bytes
  }
}

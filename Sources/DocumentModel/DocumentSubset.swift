public import RectoGeometry

/// A few pages of a document that can be opened without the others.
///
/// The concatenated ``pieces`` are a PDF whose page tree has only ``pages``, in that order. A renderer that walks the
/// page tree from the start then finds page 15,000 as fast as page 1.
public struct DocumentSubset: Hashable, Sendable {
  /// A stretch of a subset's bytes.
  public enum Piece: Hashable, Sendable {
    /// Bytes that are only in the subset.
    case bytes([UInt8])
    /// Bytes of the document's file, by their offsets in it.
    case file(Range<Int>)
    /// The `count` bytes that a zlib stream in the document's file decodes to, by its offsets in it.
    case inflated(Range<Int>, count: Int)

    /// The number of bytes.
    public var count: Int {
      switch self {
      case .bytes(let bytes): bytes.count
      case .file(let range): range.count
      case .inflated(_, let count): count
      }
    }
  }

  /// A page of a subset, as the page tree reader found it. The engine that opens the subset has to find the same
  /// values.
  public struct Page: Hashable, Sendable {
    /// The page of the document.
    public var index: PageIndex
    /// The crop box in user space.
    public var cropBox: Rect
    /// The page's own rotation.
    public var rotation: Rotation
    /// Whether it has content that poppler is known to draw wrong with cairo.
    public var hasCairoFaults: Bool

    /// A page from its parts.
    ///
    /// - Parameters:
    ///   - index: The page of the document.
    ///   - cropBox: The crop box in user space.
    ///   - rotation: The page's own rotation.
    ///   - hasCairoFaults: Whether it has content that poppler is known to draw wrong with cairo.
    public init(
      index: PageIndex,
      cropBox: Rect,
      rotation: Rotation,
      hasCairoFaults: Bool = false
    ) {
      self.index = index
      self.cropBox = cropBox
      self.rotation = rotation
      self.hasCairoFaults = hasCairoFaults
    }

    /// Whether the engine found the same page. An unknown rotation is compared by the size.
    public func agrees(with info: PageInfo) -> Bool {
      info.cropBox == cropBox && info.rotation ?? rotation == rotation
        && info.size == cropBox.size.rotated(by: rotation)
    }
  }

  /// The pages, in the subset's order.
  public var pages: [Page]
  /// The PDF, in order.
  public var pieces: [Piece]

  /// A subset from its parts.
  public init(pages: [Page], pieces: [Piece]) {
    self.pages = pages
    self.pieces = pieces
  }

  /// Whether it holds a page of the document.
  public func contains(_ index: PageIndex) -> Bool { pages.contains { $0.index == index } }
}

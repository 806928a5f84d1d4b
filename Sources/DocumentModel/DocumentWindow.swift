/// A few pages of a document, reached without the others.
///
/// The ``pieces``, one behind the other, are a PDF whose page tree holds only ``pages``, in that
/// order. A renderer that reaches a page through all those before it then reaches page 15,000 as
/// fast as page 1.
public struct DocumentWindow: Hashable, Sendable {
  /// A stretch of a window's bytes.
  public enum Piece: Hashable, Sendable {
    /// Bytes of the window's own.
    case bytes([UInt8])
    /// Bytes of the document's file, by their place in it.
    case file(Range<Int>)
    /// The `count` bytes that a zlib stream in the document's file decodes to, by its place in it.
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

  /// The pages, by their index in the document.
  public var pages: [Int]
  /// The PDF, in order.
  public var pieces: [Piece]

  /// A window from its parts.
  public init(pages: [Int], pieces: [Piece]) {
    self.pages = pages
    self.pieces = pieces
  }
}

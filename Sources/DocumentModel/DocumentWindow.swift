/// A few pages of a document, reached without the others.
///
/// The file's own bytes with ``tail`` behind them are a PDF whose page tree holds only ``pages``, in
/// that order: an incremental update made in memory. A renderer that reaches a page through all those
/// before it then reaches page 15,000 as fast as page 1.
public struct DocumentWindow: Hashable, Sendable {
  /// The pages, by their index in the document.
  public var pages: [Int]
  /// The bytes to put behind the file's own.
  public var tail: [UInt8]

  /// A window from its parts.
  public init(pages: [Int], tail: [UInt8]) {
    self.pages = pages
    self.tail = tail
  }
}

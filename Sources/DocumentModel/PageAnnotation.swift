public import RectoGeometry

/// An annotation of a page that has a text or a file.
public struct PageAnnotation: Hashable, Sendable {
  /// The page.
  public var page: PageIndex
  /// /Subtype with a small first letter: `text`, `highlight`, `freeText`, `strikeOut`, `fileAttachment`, …
  public var kind: String
  /// Where it is, in points from the top left of the page as displayed; nil if the file does not say.
  public var area: Rect?
  /// /Contents; empty if there is none.
  public var text: String
  /// Who has written it; nil if the file does not say.
  public var author: String?
  /// When it was changed last; nil if the file does not say.
  public var modified: DocumentDate?
  /// The file that it contains; nil for other kinds.
  public var file: DocumentAttachment?

  /// An annotation from its parts.
  public init(
    page: PageIndex,
    kind: String,
    area: Rect?,
    text: String,
    author: String?,
    modified: DocumentDate?,
    file: DocumentAttachment?
  ) {
    self.page = page
    self.kind = kind
    self.area = area
    self.text = text
    self.author = author
    self.modified = modified
    self.file = file
  }

  /// About the bytes that it takes in memory.
  package var byteCount: Int {
    256 + text.utf8.count + (author?.utf8.count ?? 0) + (file?.byteCount ?? 0)
  }
}

/// A file inside a document.
public struct DocumentAttachment: Hashable, Sendable {
  /// Its name.
  public var name: String
  /// What the document says about it; nil if it says nothing.
  public var description: String?
  /// Its media type; nil if the document does not say.
  public var mediaType: String?
  /// Its length in bytes, as the document says; nil if it does not.
  public var bytes: Int?
  /// When it was changed last; nil if the document does not say.
  public var modified: DocumentDate?

  /// A file from its parts.
  public init(
    name: String,
    description: String?,
    mediaType: String?,
    bytes: Int?,
    modified: DocumentDate?
  ) {
    self.name = name
    self.description = description
    self.mediaType = mediaType
    self.bytes = bytes
    self.modified = modified
  }

  /// About the bytes that it takes in memory.
  package var byteCount: Int {
    128 + name.utf8.count + (description?.utf8.count ?? 0) + (mediaType?.utf8.count ?? 0)
  }
}

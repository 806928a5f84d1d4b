public import Geometry

/// What a document says of itself as a whole.
public struct DocumentFacts: Hashable, Sendable {
  /// The number of pages the document claims; a claim can be wrong, and pages then be missing.
  public var pageCount: Int
  /// /Title, if there is one that is not empty.
  public var title: String?
  /// Whether /ViewerPreferences asks for right-to-left reading (/Direction /R2L).
  public var isRightToLeft: Bool
  /// The /PageLayout the document wants to be opened with.
  public var pageLayout: PageLayoutHint?

  /// Facts from their parts.
  public init(
    pageCount: Int,
    title: String? = nil,
    isRightToLeft: Bool = false,
    pageLayout: PageLayoutHint? = nil
  ) {
    self.pageCount = pageCount
    self.title = title
    self.isRightToLeft = isRightToLeft
    self.pageLayout = pageLayout
  }
}

/// The values of /PageLayout (ISO 32000-1, table 28).
public enum PageLayoutHint: String, Hashable, Sendable, CaseIterable {
  /// One page at a time.
  case singlePage = "SinglePage"
  /// All pages in one column.
  case oneColumn = "OneColumn"
  /// Two columns, odd pages left.
  case twoColumnLeft = "TwoColumnLeft"
  /// Two columns, odd pages right.
  case twoColumnRight = "TwoColumnRight"
  /// Two pages at a time, odd pages left.
  case twoPageLeft = "TwoPageLeft"
  /// Two pages at a time, odd pages right.
  case twoPageRight = "TwoPageRight"
}

/// What is known of one page once it has been measured.
public struct PageFacts: Hashable, Sendable {
  /// The crop box in user space, before rotation and UserUnit: its lower left corner (y points up
  /// there) and its size. The box poppler draws.
  public var cropBox: Rect
  /// The page's own /Rotate; nil when the reader cannot tell (poppler-glib hides it).
  public var rotation: Rotation?
  /// Points per user-space unit divided by 72; 1 unless /UserUnit says otherwise.
  public var userUnit: Double
  /// The displayed size in points: crop box, after /Rotate, times UserUnit.
  public var size: Size
  /// The page's label (/PageLabels); the page number in decimal when there is none.
  public var label: String?

  /// Facts from their parts.
  public init(cropBox: Rect, rotation: Rotation?, userUnit: Double, size: Size, label: String?) {
    self.cropBox = cropBox
    self.rotation = rotation
    self.userUnit = userUnit
    self.size = size
    self.label = label
  }
}

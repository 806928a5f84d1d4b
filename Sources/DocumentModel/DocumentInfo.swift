public import RectoGeometry

/// Information about a document as a whole.
public struct DocumentInfo: Hashable, Sendable {
  /// The number of pages the document claims to have. If it claims too many, pages are missing.
  public var pageCount: Int
  /// /Title, if there is one that is not empty.
  public var title: String?
  /// Whether /ViewerPreferences asks for right-to-left reading (/Direction /R2L).
  public var isRightToLeft: Bool
  /// The /PageLayout to open the document with.
  public var pageLayout: PageLayoutHint?

  /// The most bytes of a title in UTF-8.
  public static let titleLimit = 1 << 14

  /// Info from its parts; a title that is too long is cut off.
  ///
  /// - Parameters:
  ///   - pageCount: The number of pages that the document claims.
  ///   - title: /Title, if there is one that is not empty.
  ///   - isRightToLeft: Whether /ViewerPreferences asks for right-to-left reading.
  ///   - pageLayout: The /PageLayout that to open the document with.
  public init(
    pageCount: Int,
    title: String? = nil,
    isRightToLeft: Bool = false,
    pageLayout: PageLayoutHint? = nil
  ) {
    self.pageCount = pageCount
    self.title = title?.cut(toBytes: Self.titleLimit)
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

/// Information about a page that has been measured. All numbers are finite and no side is negative,
/// whatever the file says.
public struct PageInfo: Hashable, Sendable {
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

  /// The most bytes of a label in UTF-8.
  public static let labelLimit = 1 << 10

  /// Info from its parts.
  ///
  /// A page whose box or size is infinite, negative or not a number gets an empty box and size. An
  /// invalid user unit becomes 1, and a label that is too long is cut off.
  ///
  /// - Parameters:
  ///   - cropBox: The crop box in user space, before rotation and UserUnit.
  ///   - rotation: The page's own /Rotate; nil when the reader cannot tell.
  ///   - userUnit: Points per user-space unit divided by 72.
  ///   - size: The displayed size in points.
  ///   - label: The page's label.
  public init(cropBox: Rect, rotation: Rotation?, userUnit: Double, size: Size, label: String?) {
    let sides = [cropBox.size.width, cropBox.size.height, size.width, size.height]
    // Written so that NaN is rejected.
    let isProper =
      cropBox.minX.isFinite && cropBox.minY.isFinite && sides.allSatisfy { $0 >= 0 && $0.isFinite }
    self.cropBox = isProper ? cropBox : .zero
    self.rotation = rotation
    self.userUnit = userUnit > 0 && userUnit.isFinite ? userUnit : 1
    self.size = isProper ? size : .zero
    self.label = label?.cut(toBytes: Self.labelLimit)
  }
}

extension String {
  /// The longest prefix of at most `limit` bytes of UTF-8. Does not split characters.
  fileprivate func cut(toBytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var end = utf8.index(startIndex, offsetBy: limit)
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return String(unicodeScalars[..<end])
  }
}

import PageLayout
import RectoGeometry

/// The sizes of a document's pages, from its first.
extension [Size] {
  /// All pages as they are measured.
  var measured: [MeasuredSize] { Range(pageCount: count).map(measured) }

  /// A page, which exists, as it is measured.
  func measured(_ page: PageIndex) -> MeasuredSize {
    MeasuredSize(page: page, size: self[page.value])
  }
}

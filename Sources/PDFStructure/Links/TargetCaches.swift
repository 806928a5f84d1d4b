internal import DocumentModel
internal import RectoGeometry

/// Caches the pages and names of link targets, so that many links to the same targets are cheap.
struct TargetCaches {
  /// A page that a link leads to.
  struct Page {
    var index: PageIndex
    var info: PageInfo
  }

  /// By the reference of a page, or nil for one that the document does not have.
  private var pages: [UInt64: Page?] = [:]
  /// Where the pages of a complete walk stand.
  var walkedPositions = ReferencePositions()
  var names: DestinationNames?
  /// The base of relative addresses, after it was read.
  var base: [UInt8]??

  private static let pageLimit = 1 << 14

  subscript(page: Reference) -> Page?? {
    get { pages[page.packed] }
    set {
      if pages.count >= Self.pageLimit { pages = [:] }
      pages[page.packed] = newValue
    }
  }
}

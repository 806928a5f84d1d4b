import PageLayout
import RectoGeometry

/// A layout of pages of one size, none of which is measured.
///
/// - Parameters:
///   - count: The number of pages.
///   - size: The size of all of them.
///   - viewport: The size of the window.
///   - change: What is not as in a new configuration.
/// - Returns: The layout.
/// - Throws: `LayoutError`.
func layout(
  _ count: Int = 10,
  size: Size = Size(width: 400, height: 500),
  viewport: Size = Size(width: 820, height: 600),
  _ change: (inout LayoutConfiguration) -> Void = { _ in }
) throws -> Layout {
  var configuration = LayoutConfiguration()
  change(&configuration)
  return try Layout(
    configuration,
    pages: PageSequence(pageCount: count),
    sizes: PageSizes(estimate: .fixed(size)),
    viewport: viewport
  )
}

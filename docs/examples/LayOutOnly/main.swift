import PageLayout

// 15,000 pages as the spreads of a book, in a window in the middle. No size is known yet.
var configuration = LayoutConfiguration()
configuration.spread = .book
configuration.fit = .width
var layout = try Layout(
  configuration,
  pages: PageSequence(pageCount: 15_000),
  sizes: PageSizes(),
  viewport: Size(width: 1280, height: 800)
)
let estimated = Viewpoint(layout, at: Point(x: 0, y: layout.contentSize.height / 2))

// A page above the window is longer than was thought. The window moves with what it shows.
layout.measure(9, as: Size(width: 612, height: 1584))
let corrected = estimated.measured(layout)
let change = corrected.invalidation(since: estimated)
print("the window moves by \(change.offsetAdjustment.y)")
for spread in layout.spreads(visibleIn: corrected.window) {
  for page in spread.pages { print("page \(page.page.number): \(page.frame)") }
}

import PageLayout
import RectoGeometry
import TestSupport

extension RandomInput {
  /// A layout of one's own in which the given share of the pages is measured.
  mutating func layout(
    _ arrangement: any PageArranging,
    measuring share: Double
  ) throws -> Layout {
    try layout(measuring: share, estimate: generator.pick([.firstPage, .mostCommon]))
      .rearranged(arrangement)
  }

  /// Some pages, as they are measured.
  mutating func batch() -> [MeasuredSize] {
    (0..<generator.pick([1, 1, 2, 5, 20])).map { _ in
      sizes.measured(PageIndex(Int.random(in: sizes.indices, using: &generator)))
    }
  }
}

/// The spreads whose place, as `places` has it, overlaps a window along the axis.
func spreadsTouching(_ window: Rect, _ places: [Rect], isVertical: Bool) -> [Int] {
  let (lower, upper) = isVertical ? (window.minY, window.maxY) : (window.minX, window.maxX)
  return places.indices.filter { index in
    let (start, end) =
      isVertical
      ? (places[index].minY, places[index].maxY) : (places[index].minX, places[index].maxX)
    return start < upper && end > lower
  }
}

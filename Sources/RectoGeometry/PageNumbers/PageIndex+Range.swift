extension Range<PageIndex> {
  /// All pages of a document.
  ///
  /// - Parameter pageCount: The number of its pages; a negative one counts as 0.
  @inlinable
  public init(pageCount: Int) { self = 0..<PageIndex(Swift.max(0, pageCount)) }

  /// One page; empty for the largest possible index, which no document has.
  @inlinable
  public init(only page: PageIndex) { self = page..<page.advanced(by: 1) }

  /// The pages at consecutive indices.
  @inlinable
  public init(indices: Range<Int>) {
    self = PageIndex(indices.lowerBound)..<PageIndex(indices.upperBound)
  }

  /// The same indices as integers.
  @inlinable public var values: Range<Int> { lowerBound.value..<upperBound.value }
}

extension Range<PageIndex> {
  /// The block with a page, in a document divided into blocks of equal length.
  ///
  /// - Parameters:
  ///   - count: The number of pages in a block, above 0.
  ///   - page: The page, not negative.
  @inlinable
  public init(blockOf count: Int, around page: PageIndex) {
    let first = PageIndex(page.value / count * count)
    self = first..<first.advanced(by: count)
  }
}

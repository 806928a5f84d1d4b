public import RectoGeometry

#if hasFeature(Embedded)

  /// Without existentials there are no custom arrangements.
  enum CustomArrangement: PageArranging {
    func contentSize(of spreads: Spreads) -> Size { switch self {} }
    func place(_ index: Int, of spreads: Spreads, in window: Rect) -> SpreadPlace { switch self {} }
    func spreads(touching window: Rect, of spreads: Spreads) -> Range<Int> { switch self {} }
  }

#else

  typealias CustomArrangement = any PageArranging

  extension Arrangement {
    /// The caller's arrangement, which may be that of a mode.
    init(_ own: any PageArranging) {
      self =
        switch own {
        case let base as StackArrangement: .stack(base)
        case let base as PagedArrangement: .paged(base)
        case let base as GridArrangement: .grid(base)
        case let base as CarouselArrangement: .carousel(base)
        case let base as FlowArrangement: .flow(base)
        default: .custom(own)
        }
    }
  }

  extension Layout {
    /// A custom layout. The configuration's mode is ignored.
    ///
    /// - Parameters:
    ///   - configuration: Fit, zoom, spreads, gaps and other options that the arrangement uses.
    ///   - arrangement: Places the spreads.
    ///   - pages: The pages to show, and their order.
    ///   - sizes: The page sizes known so far.
    ///   - viewport: The size of the window, in layout units.
    /// - Throws: ``LayoutError`` naming the refused field of the configuration or the viewport.
    /// - Complexity: As for the other initializer.
    public init(
      _ configuration: LayoutConfiguration,
      arrangement: any PageArranging,
      pages: PageSequence,
      sizes: PageSizes,
      viewport: Size
    ) throws(LayoutError) {
      try self.init(
        configuration,
        own: Arrangement(arrangement),
        pages: pages,
        sizes: sizes,
        viewport: viewport
      )
    }

    /// The same pages in another arrangement.
    ///
    /// - Parameter arrangement: A custom arrangement; nil for that of the configuration's mode.
    /// - Returns: The layout.
    /// - Throws: ``LayoutError``, as the initializers do.
    public func rearranged(_ arrangement: (any PageArranging)?) throws(LayoutError) -> Layout {
      try Layout(
        configuration,
        own: arrangement.map { Arrangement($0) },
        pages: pages,
        sizes: sizes,
        viewport: viewport
      )
    }
  }

#endif

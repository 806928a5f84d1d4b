import PageLayout

extension NumberWriter {
  /// A viewpoint that the caller holds from now on.
  mutating func add(_ viewpoint: Viewpoint) {
    let layout = viewpoint.layout
    add(HeldViewpoint(viewpoint).address)
    add(viewpoint.offset)
    add(layout.viewport)
    add(layout.contentSize)
    add(layout.spreadCount)
    add(layout.pages.count)
    add(layout.isContentExact)
    add(viewpoint.zoom)
    add(layout.configuration.rotation.degrees)
    add(viewpoint.current.map { Double($0.value) } ?? .nan)
    add(viewpoint.restingSpread.map { Double($0) } ?? .nan)
    add(viewpoint.isAtRest)
    let place = viewpoint.place
    add(place?.anchor)
    add(place?.point)
    add(place.map { Double($0.current.page.value) } ?? .nan)
    add(place.map { Double($0.current.occurrence) } ?? .nan)
    add(place?.progress ?? .nan)
  }

  mutating func add(_ spread: LaidOutSpread) {
    add(spread.index)
    add(spread.frame)
    add(spread.cell)
    add(spread.isExact)
    add(spread.isPinned)
    add(spread.pages) { $0.add($1) }
  }

  mutating func add(_ page: LaidOutPage) {
    add(page.page)
    add(page.position)
    add(page.frame)
    add(page.clip)
    add(page.size)
    add(page.rotation.degrees)
    add(page.scale)
    add(page.isMeasured)
    add(page.isExact)
  }

  mutating func add(_ invalidation: Invalidation) {
    add(invalidation.changed) { $0.add($1) }
    add(invalidation.displaced) {
      $0.add($1.spreads)
      $0.add($1.distance)
    }
    add(invalidation.contentSizeAdjustment)
    add(invalidation.offsetAdjustment)
  }

  mutating func add(_ changes: PageChanges) {
    add(changes.inserted) { $0.add($1) }
    add(changes.removed) { $0.add($1) }
    add(changes.kept) {
      $0.add($1.old)
      $0.add($1.new)
    }
  }

  mutating func add(_ ranges: [Range<PageIndex>]) { add(ranges) { $0.add($1.values) } }

  mutating func add(_ motions: [PageMotion]) {
    add(motions) {
      $0.add($1.page)
      $0.add($1.oldPosition.map { Double($0) } ?? .nan)
      $0.add($1.newPosition.map { Double($0) } ?? .nan)
      $0.add($1.start)
      $0.add($1.end)
    }
  }

  private mutating func add(_ end: PageMotion.End) {
    add(end.frame)
    add(end.clip)
    add(end.opacity)
  }

  mutating func add(_ page: MovingPage) {
    add(page.page)
    add(page.position)
    add(page.frame)
    add(page.size)
    add(page.angle)
    add(page.clip)
    add(page.opacity)
  }
}

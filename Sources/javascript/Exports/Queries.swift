import PageLayout

@_expose(wasm)
@_cdecl("spreads")
func spreads(_ address: UnsafeRawPointer, _ numbers: Numbers, _ count: Int32) -> Reply {
  reply(numbers, count) { (reader, writer) throws(LayoutError) in
    let viewpoint = HeldViewpoint.at(address)
    let window = reader.rect() ?? viewpoint.window
    try viewpoint.layout.limit(window)
    writer.add(viewpoint.layout.spreads(visibleIn: window)) { $0.add($1) }
  }
}

@_expose(wasm)
@_cdecl("spread")
func spread(_ address: UnsafeRawPointer, _ numbers: Numbers, _ count: Int32) -> Reply {
  reply(numbers, count) { reader, writer in
    let viewpoint = HeldViewpoint.at(address)
    let index = reader.integer() ?? -1
    let found = viewpoint.layout.spread(index, in: reader.rect() ?? viewpoint.window)
    if let found { writer.add(found) }
  }
}

@_expose(wasm)
@_cdecl("spread_of_page")
func spread(ofPage address: UnsafeRawPointer, _ numbers: Numbers, _ count: Int32) -> Reply {
  reply(numbers, count) { reader, writer in
    let found = HeldViewpoint.at(address).layout.spread(containingPage: reader.page())
    if let found { writer.add(found) }
  }
}

/// The page at a point of the content, and the point on it.
@_expose(wasm)
@_cdecl("page_at")
func page(at address: UnsafeRawPointer, _ numbers: Numbers, _ count: Int32) -> Reply {
  reply(numbers, count) { (reader, writer) throws(LayoutError) in
    let viewpoint = HeldViewpoint.at(address)
    let (given, window) = (reader.point(), reader.rect() ?? viewpoint.window)
    try viewpoint.layout.limit(window)
    guard let point = given, let page = viewpoint.layout.page(at: point, in: window) else {
      return
    }
    writer.add(page)
    writer.add(page.pagePoint(point))
  }
}

@_expose(wasm)
@_cdecl("anchor")
func anchor(_ address: UnsafeRawPointer, _ numbers: Numbers, _ count: Int32) -> Reply {
  reply(numbers, count) { reader, writer in
    let viewpoint = HeldViewpoint.at(address)
    let (offset, point) = (reader.point() ?? viewpoint.offset, reader.point())
    let found = viewpoint.layout.anchor(at: offset, point: point)
    if let found { writer.add(found) }
  }
}

@_expose(wasm)
@_cdecl("offset_of_anchor")
func offset(ofAnchor address: UnsafeRawPointer, _ numbers: Numbers, _ count: Int32) -> Reply {
  reply(numbers, count) { reader, writer in
    guard let anchor = reader.anchor() else { return }
    let found = HeldViewpoint.at(address).layout.offset(of: anchor, point: reader.point())
    if let found { writer.add(found) }
  }
}

@_expose(wasm)
@_cdecl("offset_of_page")
func offset(ofPage address: UnsafeRawPointer, _ numbers: Numbers, _ count: Int32) -> Reply {
  reply(numbers, count) { reader, writer in
    let (page, fraction) = (reader.page(), reader.number())
    let layout = HeldViewpoint.at(address).layout
    let found = layout.offset(showing: page, fraction: fraction.isNaN ? 0 : fraction)
    if let found { writer.add(found) }
  }
}

/// The next offset for a key that advances by a spread or by a screen.
@_expose(wasm)
@_cdecl("stop")
func stop(_ address: UnsafeRawPointer, _ numbers: Numbers, _ count: Int32) -> Reply {
  reply(numbers, count) { (reader, writer) throws(LayoutError) in
    let viewpoint = HeldViewpoint.at(address)
    let (layout, offset) = (viewpoint.layout, viewpoint.offset)
    let direction: ReadingDirection = reader.number() < 0 ? .backward : .forward
    let (isScreen, overlap) = (reader.number() == 1, reader.number())
    if isScreen { try layout.limit(viewpoint.window) }
    let found =
      isScreen
      ? layout.screenStop(direction, from: offset, overlap: overlap.isNaN ? 0 : overlap)
      : layout.stop(direction, from: offset)
    if let found { writer.add(found) }
  }
}

/// The unmeasured pages that decide the frames in a window.
@_expose(wasm)
@_cdecl("unmeasured_pages")
func unmeasuredPages(_ address: UnsafeRawPointer, _ numbers: Numbers, _ count: Int32) -> Reply {
  reply(numbers, count) { reader, writer in
    let viewpoint = HeldViewpoint.at(address)
    let isInside = reader.number() == 1
    let window = reader.rect() ?? viewpoint.window
    writer.add(
      isInside
        ? viewpoint.layout.unmeasuredPages(inside: window)
        : viewpoint.layout.unmeasuredPages(neededFor: window)
    )
  }
}

@_expose(wasm)
@_cdecl("invalidation")
func invalidation(_ address: UnsafeRawPointer, _ old: UnsafeRawPointer) -> Reply {
  reply(nil, 0) { _, writer in
    writer.add(HeldViewpoint.at(address).invalidation(since: HeldViewpoint.at(old)))
  }
}

@_expose(wasm)
@_cdecl("transition")
func transition(_ start: UnsafeRawPointer, _ end: UnsafeRawPointer) -> Reply {
  reply(nil, 0) { (_, writer) throws(LayoutError) in
    let (start, end) = (HeldViewpoint.at(start), HeldViewpoint.at(end))
    for viewpoint in [start, end] { try viewpoint.layout.limit(viewpoint.window) }
    let transition = Transition(from: start, to: end)
    writer.add(HeldTransition(transition).address)
    writer.add(transition.pivot.start)
    writer.add(transition.pivot.end)
    writer.add(transition.angle.start)
    writer.add(transition.angle.end)
    writer.add(transition.motions)
  }
}

@_expose(wasm)
@_cdecl("pages_in_transition")
func pages(inTransition address: UnsafeRawPointer, at progress: Double) -> Reply {
  reply(nil, 0) { _, writer in
    let transition = HeldTransition.at(address)
    writer.add(transition.viewport(at: progress))
    writer.add(transition.pages(at: progress)) { $0.add($1) }
  }
}

extension Layout {
  /// Refuses a window that shows more pages than one can draw.
  fileprivate func limit(_ window: Rect) throws(LayoutError) {
    let (count, limit) = (positions(touching: window).count, 1 << 14)
    guard count <= limit else {
      throw LayoutError(field: "window", reason: "shows \(count) pages; the limit is \(limit)")
    }
  }
}

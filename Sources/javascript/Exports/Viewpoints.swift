import PageLayout

// Each function takes the numbers of a request, and gives those of a reply: see `pagelayout.js`, which is their only
// caller. A viewpoint is a value: what changes it, makes another one.

@_expose(wasm)
@_cdecl("viewpoint")
func viewpoint(_ numbers: Numbers, _ count: Int32) -> Reply {
  reply(numbers, count) { (reader, writer) throws(LayoutError) in
    let viewport = reader.size()
    let sizes = PageSizes(estimate: reader.estimate())
    let pages = PageSequence(reader.list { $0.run() } ?? [])
    let measured = reader.measuredSizes()
    var configuration = LayoutConfiguration()
    try reader.change(&configuration)
    var layout = try Layout(configuration, pages: pages, sizes: sizes, viewport: viewport)
    layout.measure(measured)
    writer.add(Viewpoint(layout))
  }
}

@_expose(wasm)
@_cdecl("moved")
func moved(_ address: UnsafeRawPointer, _ numbers: Numbers, _ count: Int32) -> Reply {
  reply(numbers, count) { reader, writer in
    writer.add(HeldViewpoint.at(address).moved(to: Point(x: reader.number(), y: reader.number())))
  }
}

@_expose(wasm)
@_cdecl("scrolled")
func scrolled(_ address: UnsafeRawPointer, _ numbers: Numbers, _ count: Int32) -> Reply {
  reply(numbers, count) { reader, writer in
    writer.add(HeldViewpoint.at(address).scrolled(by: reader.point() ?? .zero))
  }
}

@_expose(wasm)
@_cdecl("settled")
func settled(_ address: UnsafeRawPointer, _ numbers: Numbers, _ count: Int32) -> Reply {
  reply(numbers, count) { _, writer in writer.add(HeldViewpoint.at(address).settled) }
}

@_expose(wasm)
@_cdecl("zoomed")
func zoomed(_ address: UnsafeRawPointer, _ numbers: Numbers, _ count: Int32) -> Reply {
  reply(numbers, count) { (reader, writer) throws(LayoutError) in
    let start = HeldViewpoint.at(address)
    let (isFactor, zoom, point) = (reader.number() == 1, reader.number(), reader.point())
    writer.add(
      isFactor
        ? try start.zoomed(by: zoom, about: point) : try start.zoomed(to: zoom, about: point)
    )
  }
}

@_expose(wasm)
@_cdecl("showing_page")
func showingPage(_ address: UnsafeRawPointer, _ numbers: Numbers, _ count: Int32) -> Reply {
  reply(numbers, count) { reader, writer in
    let (page, occurrence, fraction) = (reader.page(), reader.integer() ?? 0, reader.number())
    let across = reader.number()
    let found = HeldViewpoint.at(address).showing(
      page: page,
      occurrence: occurrence,
      fraction: fraction.isNaN ? 0 : fraction,
      across: across.isNaN ? nil : across
    )
    if let found { writer.add(found) }
  }
}

@_expose(wasm)
@_cdecl("showing_anchor")
func showingAnchor(_ address: UnsafeRawPointer, _ numbers: Numbers, _ count: Int32) -> Reply {
  reply(numbers, count) { reader, writer in
    guard let anchor = reader.anchor() else { return }
    let found = HeldViewpoint.at(address).showing(anchor, at: reader.point())
    if let found { writer.add(found) }
  }
}

@_expose(wasm)
@_cdecl("showing_place")
func showingPlace(_ address: UnsafeRawPointer, _ numbers: Numbers, _ count: Int32) -> Reply {
  reply(numbers, count) { reader, writer in
    let found = reader.place().flatMap { HeldViewpoint.at(address).showing($0) }
    if let found { writer.add(found) }
  }
}

@_expose(wasm)
@_cdecl("resized")
func resized(_ address: UnsafeRawPointer, _ numbers: Numbers, _ count: Int32) -> Reply {
  reply(numbers, count) { (reader, writer) throws(LayoutError) in
    writer.add(try HeldViewpoint.at(address).resized(to: reader.size()))
  }
}

@_expose(wasm)
@_cdecl("reconfigured")
func reconfigured(_ address: UnsafeRawPointer, _ numbers: Numbers, _ count: Int32) -> Reply {
  reply(numbers, count) { (reader, writer) throws(LayoutError) in
    let start = HeldViewpoint.at(address)
    var configuration = start.layout.configuration
    try reader.change(&configuration)
    writer.add(try start.reconfigured(configuration))
  }
}

@_expose(wasm)
@_cdecl("measured")
func measured(_ address: UnsafeRawPointer, _ numbers: Numbers, _ count: Int32) -> Reply {
  reply(numbers, count) { reader, writer in
    let start = HeldViewpoint.at(address)
    var layout = start.layout
    var invalidation = layout.measure(reader.measuredSizes())
    for pages in reader.list({ $0.range { PageIndex($0) } }) ?? [] { layout.markMissing(pages) }
    let found = start.measured(layout)
    invalidation.adjustOffset(from: start.offset, to: found.offset)
    writer.add(found)
    writer.add(invalidation)
  }
}

@_expose(wasm)
@_cdecl("edited")
func edited(_ address: UnsafeRawPointer, _ numbers: Numbers, _ count: Int32) -> Reply {
  reply(numbers, count) { reader, writer in
    let start = HeldViewpoint.at(address)
    let (found, changes) = start.edited { edit in
      _ = reader.list { $0.step(of: &edit) }
    }
    writer.add(found)
    writer.add(changes)
    writer.add(found.invalidation(since: start, changes: changes))
  }
}

extension NumberReader {
  fileprivate mutating func estimate() -> SizeEstimate {
    let (kind, size) = (integer() ?? 0, size())
    return switch kind {
    case 1: .mostCommon
    case 2: .fixed(size)
    default: .firstPage
    }
  }

  fileprivate mutating func run() -> PageSequence.Run {
    let (kind, places) = (integer() ?? 0, range { $0 })
    return switch kind {
    case 1: .backwards(Range(indices: places))
    case 2: .blanks(min(places.count, 1 << 16))  // each costs time
    default: .pages(Range(indices: places))
    }
  }

  /// Ranges of pages with their sizes: the first page, their number, and two numbers for each.
  fileprivate mutating func measuredSizes() -> [MeasuredSize] {
    var sizes: [MeasuredSize] = []
    _ = list { reader in
      let first = reader.page()
      let own = reader.list { $0.size() } ?? []
      for (index, size) in own.enumerated() {
        sizes.append(MeasuredSize(page: first.advanced(by: index), size: size))
      }
    }
    return sizes
  }

  fileprivate mutating func step(of edit: inout PageEdit) {
    let (kind, positions, target) = (integer() ?? -1, range { $0 }, integer() ?? 0)
    let runs = list { $0.run() } ?? []
    switch kind {
    case 0: edit.insert(runs, at: target)
    case 1: edit.remove(positions)
    case 2: edit.move(positions, to: target)
    case 3: edit.duplicate(positions)
    default: break
    }
  }
}

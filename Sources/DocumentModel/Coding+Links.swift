package import RectoBase
internal import RectoGeometry

extension TextLimit {
  /// The target of a link: an address, a name or a path.
  package static let target = 1 << 14
  /// The title of an outline item.
  package static let outlineTitle = 1 << 14
  /// The most links on a page; poppler refuses pages with more annotations.
  package static let links = 10_000
  /// The most rectangles of the links of a page.
  package static let linkAreas = 100_000
  /// Levels of an outline.
  package static let outlineDepth = 64
  /// Items of an outline.
  package static let outlineItems = 100_000
  /// Bytes of the titles and targets of an outline.
  package static let outlineTexts = 8 << 20

  /// The most bytes that the links of a page take.
  package static let pageLinks = 8 << 20
  /// The most bytes that an outline takes.
  package static let outline = outlineTexts + outlineItems * 128 + detail
  /// The most bytes that a destination takes.
  package static let destination = 128 + target
}

extension LinkTarget {
  /// Bytes of UTF-8 of its texts.
  package var byteCount: Int {
    switch self {
    case .destination(let place): place.name?.utf8.count ?? 0
    case .missing(let name): name?.utf8.count ?? 0
    case .file(let file, _, let name): file.utf8.count + (name?.utf8.count ?? 0)
    case .uri(let text), .launch(let text), .named(let text), .other(let text): text.utf8.count
    }
  }
}

extension OutlineItem {
  /// Bytes of UTF-8 of its texts, without its children.
  package var byteCount: Int { title.utf8.count + (target?.byteCount ?? 0) }
}

extension DocumentOutline {
  /// Why the items beyond the limit are missing.
  package static let tooLong =
    "more than \(TextLimit.outlineItems) items or \(TextLimit.outlineTexts >> 20) MB of text"
  /// Why the items below the limit are missing.
  package static let tooDeep = "more than \(TextLimit.outlineDepth) levels"
}

extension ByteWriter {
  /// Writes a link.
  package mutating func write(_ link: PageLink) {
    write(link.areas.count)
    for area in link.areas { write(area) }
    write(link.target)
  }

  /// Writes an outline: its items in order, each with its level.
  package mutating func write(_ outline: DocumentOutline) {
    write(outline.incomplete) { $0.write($1, atMost: TextLimit.detail) }
    write(outline.items, level: 0)
    write(UInt8.max)
  }

  private mutating func write(_ items: [OutlineItem], level: UInt8) {
    for item in items {
      write(level)
      write(item.title, atMost: TextLimit.outlineTitle)
      write(item.isOpen)
      write(item.target) { $0.write($1) }
      write(item.children, level: level + 1)
    }
  }

  private mutating func write(_ target: LinkTarget) {
    func text(_ kind: UInt8, _ text: String) {
      write(kind)
      write(text, atMost: TextLimit.target)
    }
    switch target {
    case .destination(let place):
      write(UInt8(0))
      write(place)
    case .missing(let name):
      write(UInt8(1))
      write(name) { $0.write($1, atMost: TextLimit.target) }
    case .file(let file, let page, let name):
      text(2, file)
      write(page) { $0.write($1) }
      write(name) { $0.write($1, atMost: TextLimit.target) }
    case .uri(let uri): text(3, uri)
    case .launch(let file): text(4, file)
    case .named(let name): text(5, name)
    case .other(let name): text(6, name)
    }
  }

  /// Writes a destination.
  package mutating func write(_ place: LinkDestination) {
    write(place.page)
    write(place.name) { $0.write($1, atMost: TextLimit.target) }
    switch place.fit {
    case .point(let x, let y, let zoom): write(0, [x, y, zoom])
    case .page: write(1, [])
    case .width(let y): write(2, [y])
    case .height(let x): write(3, [x])
    case .area(let area):
      write(UInt8(4))
      write(area)
    case .content: write(5, [])
    case .contentWidth(let y): write(6, [y])
    case .contentHeight(let x): write(7, [x])
    }
  }

  private mutating func write(_ kind: UInt8, _ numbers: [Double?]) {
    write(kind)
    for number in numbers { write(number) { $0.write($1) } }
  }

  private mutating func write(_ area: Rect) {
    write(area.minX)
    write(area.minY)
    write(area.width)
    write(area.height)
  }
}

extension ByteReader {
  /// Reads a link.
  ///
  /// - Throws: `ByteCodingError` for an invalid link.
  package mutating func readPageLink() throws(ByteCodingError) -> PageLink {
    let count = try readCount(ofSize: 32)
    guard count <= TextLimit.linkAreas else { throw ByteCodingError.tooLong }
    var areas: [Rect] = []
    areas.reserveCapacity(count)
    for _ in 0..<count { areas.append(try readArea()) }
    return PageLink(areas: areas, target: try readTarget())
  }

  /// Reads an outline.
  ///
  /// - Throws: `ByteCodingError`; `unknown` for invalid levels, `tooLong` for too many items.
  package mutating func readOutline() throws(ByteCodingError) -> DocumentOutline {
    let incomplete = try readOptional { reader throws(ByteCodingError) in
      try reader.readString(atMost: TextLimit.detail)
    }
    var rows: [[OutlineItem]] = [[]]
    var count = 0
    func close(to level: Int, _ rows: inout [[OutlineItem]]) {
      while rows.count > level + 1, let row = rows.popLast() {
        let parent = rows[rows.count - 1].count - 1
        rows[rows.count - 1][parent].children = row
      }
    }
    while true {
      let level = Int(try readByte())
      if level == UInt8.max { break }
      count += 1
      guard count <= TextLimit.outlineItems else { throw ByteCodingError.tooLong }
      guard level < min(rows.count + 1, TextLimit.outlineDepth) else { throw .unknown }
      close(to: level, &rows)
      if level == rows.count {
        guard rows[level - 1].last != nil else { throw .unknown }
        rows.append([])
      }
      rows[level].append(try readOutlineItem())
    }
    close(to: 0, &rows)
    return DocumentOutline(items: rows[0], incomplete: incomplete)
  }

  private mutating func readOutlineItem() throws(ByteCodingError) -> OutlineItem {
    let title = try readString(atMost: TextLimit.outlineTitle)
    let isOpen = try readBool()
    let target = try readOptional { reader throws(ByteCodingError) in try reader.readTarget() }
    return OutlineItem(title: title, target: target, isOpen: isOpen, children: [])
  }

  private mutating func readTarget() throws(ByteCodingError) -> LinkTarget {
    switch try readByte() {
    case 0: return .destination(try readDestination())
    case 1: return .missing(name: try readOptionalTarget())
    case 2:
      let file = try readString(atMost: TextLimit.target)
      let page = try readOptional { reader throws(ByteCodingError) in try reader.readInt() }
      guard page.map({ $0 >= 1 && $0 <= Int(Int32.max) + 1 }) ?? true else { throw .unknown }
      return .file(file, page: page, name: try readOptionalTarget())
    case 3: return .uri(try readString(atMost: TextLimit.target))
    case 4: return .launch(try readString(atMost: TextLimit.target))
    case 5: return .named(try readString(atMost: TextLimit.target))
    case 6: return .other(try readString(atMost: TextLimit.target))
    default: throw .unknown
    }
  }

  /// Reads a destination.
  ///
  /// - Throws: `ByteCodingError`; `unknown` for an invalid page or number.
  package mutating func readDestination() throws(ByteCodingError) -> LinkDestination {
    let page = try readPageIndex()
    guard page >= 0, page.value < Int(Int32.max) else { throw .unknown }
    let name = try readOptionalTarget()
    let fit: LinkDestination.Fit
    switch try readByte() {
    case 0: fit = .point(x: try readNumber(), y: try readNumber(), zoom: try readNumber())
    case 1: fit = .page
    case 2: fit = .width(y: try readNumber())
    case 3: fit = .height(x: try readNumber())
    case 4: fit = .area(try readArea())
    case 5: fit = .content
    case 6: fit = .contentWidth(y: try readNumber())
    case 7: fit = .contentHeight(x: try readNumber())
    default: throw .unknown
    }
    return LinkDestination(page: page, fit: fit, name: name)
  }

  private mutating func readOptionalTarget() throws(ByteCodingError) -> String? {
    try readOptional { reader throws(ByteCodingError) in
      try reader.readString(atMost: TextLimit.target)
    }
  }

  private mutating func readNumber() throws(ByteCodingError) -> Double? {
    let number = try readOptional { reader throws(ByteCodingError) in try reader.readDouble() }
    guard number.map(\.isFinite) ?? true else { throw .unknown }
    return number
  }

  private mutating func readArea() throws(ByteCodingError) -> Rect {
    let area = Rect(
      x: try readDouble(),
      y: try readDouble(),
      width: try readDouble(),
      height: try readDouble()
    )
    guard [area.minX, area.minY, area.maxX, area.maxY].allSatisfy(\.isFinite), area.width >= 0,
      area.height >= 0
    else { throw .unknown }
    return area
  }
}

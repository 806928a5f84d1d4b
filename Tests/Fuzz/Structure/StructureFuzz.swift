// A libFuzzer target over PDFStructure: page tree, subsets, links and the outline.

import DocumentModel
import PDFStructure
import RectoGeometry

/// Small limits, so that a hostile input is at its end in milliseconds.
private let limits: ReaderLimits = {
  var limits = ReaderLimits()
  limits.work = 8 << 20
  limits.objectBytes = 1 << 20
  limits.streamBytes = 2 << 20
  limits.objectStreamCache = 1 << 20
  limits.depth = 2000
  limits.extraVisits = 2000
  limits.kids = 20_000
  limits.smallDocument = 4
  limits.labelRanges = 1000
  limits.manyObjects = 0
  limits.rebuiltObjects = 20_000
  limits.manyFields = 0
  limits.outlineItems = 500
  limits.keptNames = 500
  return limits
}()

/// One input: everything the reader can be asked, by the file's cross-reference and by one of its own, and a subset of two pages read
/// back.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzStructure(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  if let reader = try? PageTreeReader(bytes: MemoryBytes(bytes), limits: limits) {
    ask(reader, of: bytes)
  }
  if let reader = try? PageTreeReader(rebuilding: MemoryBytes(bytes), limits: limits) {
    ask(reader, of: bytes)
  }
  return 0
}

private func ask(_ reader: PageTreeReader, of bytes: [UInt8]) {
  _ = reader.documentInfo()
  let last = reader.pageCount - 1
  for index in [0, last / 2, last].map(PageIndex.init(_:)) {
    _ = try? reader.page(at: index)
    _ = try? reader.label(of: index)
  }
  _ = try? reader.pages(in: 1..<PageIndex(min(max(2, last), 20)))
  let end = PageIndex(last)
  if let page = try? reader.page(at: end), let pieces = try? reader.subset(of: [end, 0]) {
    check(pieces, over: bytes, hold: page)
  }
  askForLinks(reader)
  _ = try? reader.pages(in: Range(pageCount: min(reader.pageCount, 500)))
}

/// Links lead to pages that the document has, and names to the same place as links with them.
private func askForLinks(_ reader: PageTreeReader) {
  func check(_ target: LinkTarget?) {
    guard case .destination(let place)? = target else { return }
    precondition(Range(pageCount: reader.pageCount).contains(place.page), "a page beyond the last")
    precondition((try? reader.page(at: place.page)) != .some(nil), "a page that is missing")
    guard let name = place.name else { return }
    _ = try? reader.destination(named: name)
  }
  func check(_ items: [OutlineItem], level: Int) {
    precondition(level <= limits.outlineDepth, "too deep")
    for item in items {
      check(item.target)
      check(item.children, level: level + 1)
    }
  }
  for index in [0, reader.pageCount - 1].map(PageIndex.init(_:)) {
    for link in (try? reader.links(of: index)) ?? [] { check(link.target) }
  }
  if let outline = try? reader.outline() { check(outline.items, level: 0) }
  _ = try? reader.destination(named: "a")
}

/// A subset that was made must hold the page, wherever a reader of ordinary limits can open it.
private func check(_ pieces: [DocumentSubset.Piece], over file: [UInt8], hold page: PageNode) {
  let bytes = pieces.flatMap { piece -> [UInt8] in
    switch piece {
    case .bytes(let own): own
    case .file(let range): [UInt8](file[range])
    // What is in the streams of a page makes no difference to its tree.
    case .inflated(_, let count): [UInt8](repeating: 0, count: count)
    }
  }
  guard let subset = try? PageTreeReader(bytes: MemoryBytes(bytes)) else { return }
  precondition(subset.pageCount == 2, "a subset of \(subset.pageCount) pages")
  guard let seen = try? subset.page(at: 0) else { return }
  precondition(seen.info == page.info && seen.cropBox == page.cropBox, "another page")
}

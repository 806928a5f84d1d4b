// A libFuzzer target over PageTree; scripts/fuzz-pagetree builds and runs it.

import DocumentModel
import PageTree

/// Small budgets, so that a hostile input is at its end in milliseconds.
private let budgets: Budgets = {
  var budgets = Budgets()
  budgets.work = 8 << 20
  budgets.objectBytes = 1 << 20
  budgets.streamBytes = 2 << 20
  budgets.objectStreamCache = 1 << 20
  budgets.depth = 2000
  budgets.extraVisits = 2000
  budgets.kids = 20_000
  budgets.smallDocument = 4
  budgets.labelRanges = 1000
  budgets.manyObjects = 0
  budgets.manyFields = 0
  return budgets
}()

/// One input: everything the reader can be asked, and a window of two pages read back.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPageTree(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  guard let reader = try? PageTreeReader(bytes: MemoryBytes(bytes), budgets: budgets) else {
    return 0
  }
  _ = reader.documentFacts()
  let last = reader.pageCount - 1
  for index in [0, last / 2, last] {
    _ = try? reader.page(at: index)
    _ = try? reader.label(of: index)
  }
  _ = try? reader.pages(in: 1..<min(max(2, last), 20))
  if let page = try? reader.page(at: last), let pieces = try? reader.window(of: [last, 0]) {
    check(pieces, over: bytes, hold: page)
  }
  _ = try? reader.pages(in: 0..<min(reader.pageCount, 500))
  return 0
}

/// A window that was made must hold the page, wherever a reader of ordinary budgets can open it.
private func check(_ pieces: [DocumentWindow.Piece], over file: [UInt8], hold page: PageNode) {
  let bytes = pieces.flatMap { piece -> [UInt8] in
    switch piece {
    case .bytes(let own): own
    case .file(let range): [UInt8](file[range])
    // What is in the streams of a page makes no difference to its tree.
    case .inflated(_, let count): [UInt8](repeating: 0, count: count)
    }
  }
  guard let window = try? PageTreeReader(bytes: MemoryBytes(bytes)) else { return }
  precondition(window.pageCount == 2, "a window of \(window.pageCount) pages")
  guard let seen = try? window.page(at: 0) else { return }
  precondition(seen.facts == page.facts && seen.cropBox == page.cropBox, "another page")
}

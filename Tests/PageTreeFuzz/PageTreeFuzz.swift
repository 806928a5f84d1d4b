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
  if let page = try? reader.page(at: last), let tail = try? reader.windowTail(for: [last, 0]) {
    // A window that was made must hold the page, wherever a reader of small budgets can open it.
    guard let window = try? PageTreeReader(bytes: MemoryBytes(bytes + tail)) else { return 0 }
    precondition(window.pageCount == 2, "a window of \(window.pageCount) pages")
    if let seen = try? window.page(at: 0) { precondition(seen == page, "another page") }
  }
  _ = try? reader.pages(in: 0..<min(reader.pageCount, 500))
  return 0
}

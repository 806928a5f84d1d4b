import DocumentModel
import Foundation
import RectoGeometry
import TestSupport
import Testing

@testable import PDFStructure

@Suite(.timeLimit(.minutes(30))) struct CorpusTests {
  /// Files that poppler opens without a warning although they are damaged: it scans them for
  /// objects in silence, and the reader says `needsRepair`.
  private static let repairedInSilence: Set<String> = [
    "crlf_mangled.pdf", "damaged-xref.pdf", "junk_suffix_1MB.pdf", "startxref_huge.pdf",
    "startxref_neg.pdf",
    "xref_off_by_10.pdf", "pdf.js__GHOSTSCRIPT-698804-1-fuzzed.pdf",
  ]

  @Test func `every page is poppler's, or the document is not ours`() throws {
    var undamaged = 0
    var refused: [(name: String, reason: StructureError)] = []
    var compared = 0
    for file in Corpus.files {
      let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
      defer { close(descriptor) }
      let name = file.lastPathComponent
      guard let poppler = try PopplerPages(file) else {
        // Poppler fails or hangs: any answer will do as long as there is one.
        _ = try? PageTreeReader(descriptor: descriptor).pages(in: 0..<100)
        continue
      }
      let counts =
        poppler.isUndamaged && !poppler.isEncrypted && !Self.repairedInSilence.contains(name)
      if counts { undamaged += 1 }
      switch Self.read(descriptor) {
      case .success(let pages):
        #expect(pages.count == poppler.count, "\(name)")
        compared += compare(pages, poppler, name)
      case .failure(let reason): if counts { refused.append((name, reason)) }
      }
    }
    let list = refused.map { "  \($0.name): \($0.reason)" }.joined(separator: "\n")
    print("\(compared) pages are poppler's; not ours, of \(undamaged) undamaged files:\n\(list)")
    #expect(compared > Corpus.atLeast(named: 1000, fixtures: 100))
    #expect(Double(refused.count) <= 0.03 * Double(undamaged), "\(list)")
  }

  /// Cases of `Tests/Fuzz/fuzz-readers` in which the two readers once differed, made smaller by
  /// `--reduce`. `Tests/Fuzz/fuzz-readers --pixels --check Fixtures/readers/*.pdf` compares labels
  /// too, and what subsets show: that is all that files named `window-…` are for. (Some of them are
  /// rebuilt by poppler when it looks deeper than for pages, and `pdfinfo` looks for scripts.)
  private static let reduced = Corpus.files(
    below: TestPaths.fixtures.appending(path: "readers")
  ).filter { !$0.lastPathComponent.hasPrefix("window-") }

  @Test func `reduced cases of the fuzzer read as poppler reads them, or are not ours`() throws {
    #expect(Self.reduced.count >= 30)
    for file in Self.reduced {
      let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
      defer { close(descriptor) }
      let name = file.lastPathComponent
      guard case .success(let pages) = Self.read(descriptor) else { continue }
      let poppler = try #require(try PopplerPages(file), "\(name)")
      #expect(pages.count == poppler.count, "\(name)")
      _ = compare(pages, poppler, name)
    }
  }

  private static func read(_ descriptor: Int32) -> Result<[PageNode?], StructureError> {
    Result { () throws(StructureError) in
      let reader = try PageTreeReader(descriptor: descriptor)
      return try reader.pages(in: Range(pageCount: reader.pageCount))
    }
  }

  /// How many pages are the same, up to the first that is not.
  private func compare(_ pages: [PageNode?], _ poppler: PopplerPages, _ name: String) -> Int {
    for (index, page) in zip(Range(pageCount: pages.count), pages) {
      let difference = difference(page, poppler.pages[index])
      #expect(difference == nil, "\(name), page \(index.number)")
      if difference != nil { return index.value }
    }
    return pages.count
  }

  /// What is different; nil when nothing is, as far as `pdfinfo` tells: it prints boxes with two
  /// decimals and sizes with six digits, and nothing but a size of 0 × 0 for a missing page.
  private func difference(_ page: PageNode?, _ poppler: PopplerPages.Page?) -> String? {
    // What was repaired is poppler's in a subset only.
    if page?.repairs.isEmpty == false { return nil }
    guard let page, let poppler, let media = poppler.media, let crop = poppler.crop else {
      return page == nil && poppler?.media == nil ? nil : "one has it, one has not"
    }
    let ours = [page.mediaBox, page.cropBox].flatMap { [$0.x1, $0.y1, $0.x2, $0.y2] }
    for (own, other) in zip(ours, media + crop) where own != other {
      guard abs(own - other) <= 0.005001 + abs(other) * 1e-12 else {
        return "boxes \(ours), not \(media + crop)"
      }
    }
    let size = [page.cropBox.width, page.cropBox.height]
    for (own, other) in zip(size, [poppler.size.width, poppler.size.height]) where own != other {
      guard abs(own - other) <= abs(other) * 5.001e-6 || own.isNaN && other.isNaN else {
        return "size \(size), not \(poppler.size)"
      }
    }
    return page.rotation == poppler.rotation
      ? nil : "rotation \(page.rotation), not \(poppler.rotation)"
  }

  /// Files whose counts add up although a kid is no page or holds none: poppler misses the pages
  /// behind it or moves them up, and only a complete walk can tell. Being small, they get one from
  /// the product.
  private static let onlyAWalkCanTell: Set<String> = [
    "kid_direct_middle.pdf", "kid_not_ref_middle.pdf", "kid_wrong_type_middle.pdf",
    "tree_parent_loop.pdf",
  ]

  @Test func `a page asked for alone is the page of a complete walk`() throws {
    for file in Corpus.files where !Self.onlyAWalkCanTell.contains(file.lastPathComponent) {
      let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
      defer { close(descriptor) }
      var limits = ReaderLimits()
      // Nothing is small: every page is found by counts.
      limits.smallDocument = 0
      guard let whole = try? PageTreeReader(descriptor: descriptor),
        let alone = try? PageTreeReader(descriptor: descriptor, limits: limits),
        whole.pageCount > 1, let pages = try? whole.pages(in: Range(pageCount: whole.pageCount))
      else { continue }
      for index in Set([0, 1, pages.count / 2, pages.count - 2, pages.count - 1]).sorted() {
        #expect(
          try alone.page(at: PageIndex(index)) == pages[index],
          "\(file.lastPathComponent) \(index)"
        )
      }
    }
  }
}

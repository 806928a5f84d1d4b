import DocumentModel
import Foundation
import RectoGeometry
import RenderWorkers
import TestSupport
import Testing

extension PopplerTests {
  @Test func `page sizes of the corpus are what pdfinfo prints`() async throws {
    let results = try await twoAtATime(Corpus.files) { try await Self.compareSizes($0) }
      .compactMap { $0 }
    for result in results {
      #expect(result.differences.isEmpty, "\(result.name)")
    }
    let pages = results.map(\.pages).reduce(0, +)
    print("\(pages) page sizes of \(results.count) files are pdfinfo's")
    #expect(results.count > Corpus.atLeast(named: 200, fixtures: 25))
    #expect(pages > Corpus.atLeast(named: 10_000, fixtures: 100))
  }

  /// Nil for a document that `pdfinfo` does not open without a password.
  private static func compareSizes(
    _ file: URL
  ) async throws -> (name: String, pages: Int, differences: [String])? {
    let name = file.lastPathComponent
    guard let expected = try await Peer.pages(of: file) else { return nil }
    return try await withPool(file) { pool in
      let count = try await pool.open().info.pageCount
      guard count == expected.count else {
        return (name, 0, ["\(count) pages, not \(expected.count)"])
      }
      let indices = Range(pageCount: count)
      let pages = try await pool.measure(indices)
      let differences = zip(indices, pages).compactMap { index, page in
        difference(page, expected.pages[index]).map { "page \(index.number): \($0)" }
      }
      return (name, count, Array(differences.prefix(5)))
    }
  }

  /// What is different; nil when nothing is, as far as `pdfinfo` tells: it prints boxes with two
  /// decimals and sizes with six digits, and a page that is missing as 0 × 0 without a box.
  private static func difference(
    _ page: Result<PageInfo, DocumentError>,
    _ expected: PopplerPages.Page?
  ) -> String? {
    guard case .success(let info) = page, let expected, let crop = expected.crop else {
      if case .failure(let error) = page, error.code == .pageMissing, expected?.crop == nil {
        return nil
      }
      return "\(page), not \(String(describing: expected))"
    }
    var size = expected.size
    var box = (width: crop[2] - crop[0], height: crop[3] - crop[1])
    // What is no quarter turn is drawn upright.
    if expected.rotation % 180 == 90 {
      swap(&size.width, &size.height)
      swap(&box.width, &box.height)
    }
    let unit = info.userUnit
    for (own, printed, boxed) in [
      (info.size.width / unit, size.width, box.width),
      (info.size.height / unit, size.height, box.height),
    ] where own != printed {
      guard abs(own - printed) <= max(0.0001, abs(printed) * 5.001e-6) || own.isNaN && printed.isNaN
      else { return "\(info.size), pdfinfo says \(size)" }
      guard abs(own - boxed) <= 0.010001 + abs(own) * 1e-12 || !boxed.isFinite else {
        return "\(info.size), pdfinfo's crop box is \(box)"
      }
    }
    return nil
  }
}

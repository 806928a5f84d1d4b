import DocumentModel
import Foundation
import RectoGeometry
import TestSupport
import Testing

@testable import PDFStructure

/// A page seen through a subset has poppler's own pixels.
///
/// First, middle and last page of each document are compared, unless they are repaired. Of a corpus that is a sample, unless
/// `RECTO_CORPUS_FULL` is set.
@Suite(.timeLimit(.minutes(60))) struct SubsetRenderingTests {
  /// Every subset is a document of its own, where that can be, and leaves out the fields of other
  /// pages, as only those of large files do otherwise.
  private var limits: ReaderLimits {
    var limits = ReaderLimits()
    limits.manyObjects = 0
    limits.manyFields = 0
    return limits
  }

  /// Whether all documents are drawn, and not only a sample.
  private let isThorough =
    Corpus.named == nil || ProcessInfo.processInfo.environment["RECTO_CORPUS_FULL"] != nil

  /// Pages that poppler does not finish in reasonable time, with or without a subset.
  private static let endless: Set<String> = [
    "content_100k_seg_fill_selfx.pdf", "content_200k_seg_stroke.pdf", "endless-forms.pdf",
    "endless-shading.pdf", "form_billion_laughs.pdf",
    "form_fields_deep_5000.pdf", "qpdf__shared-unnamed-field.pdf",
  ]

  @Test func `a page through a subset is drawn pixel for pixel`() throws {
    var drawn = 0
    var seen = 0
    for file in Corpus.files where !Self.endless.contains(file.lastPathComponent) {
      let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
      defer { close(descriptor) }
      guard let reader = try? PageTreeReader(descriptor: descriptor, limits: limits) else {
        continue
      }
      let last = reader.pageCount - 1
      seen += last > 0 ? 1 : 0
      guard isThorough || last > 0 && seen.isMultiple(of: 6) else { continue }
      for index in Set([0, last / 2, last]).sorted().map(PageIndex.init(_:)) {
        guard let page = try? reader.page(at: index), page.cropBox.width * page.cropBox.height < 4e7
        else { continue }
        let pieces = try reader.subset(of: [index])
        guard reader.repairs[index] == nil else { continue }
        if let same = try isSame(file, index, pieces) {
          #expect(same, "\(file.lastPathComponent), page \(index.number)")
          drawn += 1
        }
      }
    }
    print("\(drawn) pages drawn through a subset")
    #expect(drawn >= Corpus.atLeast(named: isThorough ? 300 : 20, fixtures: 30))
  }

  @Test func `several pages in one subset are drawn in its order`() throws {
    var drawn = 0
    for file in Corpus.files where !Self.endless.contains(file.lastPathComponent) {
      let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
      defer { close(descriptor) }
      guard let reader = try? PageTreeReader(descriptor: descriptor, limits: limits),
        reader.pageCount > 2,
        isThorough || drawn < 12
      else { continue }
      let indices = [reader.pageCount - 1, 0, reader.pageCount / 2].map(PageIndex.init(_:))
      guard let pieces = try? reader.subset(of: indices), reader.repairs.isEmpty else { continue }
      for (place, index) in zip(Range(pageCount: indices.count), indices) {
        if let same = try isSame(file, index, pieces, place: place) {
          #expect(same, "\(file.lastPathComponent), page \(index.number)")
          drawn += 1
        }
      }
    }
    #expect(drawn > 10)
  }

  /// Whether a page looks the same in the file and, at a place, in its subset; nil when poppler
  /// draws it in neither or takes too long.
  private func isSame(
    _ file: URL,
    _ index: PageIndex,
    _ pieces: [DocumentSubset.Piece],
    place: PageIndex = 0
  ) throws -> Bool? {
    let subset = FileManager.default.temporaryDirectory
      .appending(path: "recto-subset-\(UUID().uuidString).pdf")
    defer { try? FileManager.default.removeItem(at: subset) }
    try Data(pieces.bytes(over: Array(Data(contentsOf: file)))).write(to: subset)
    guard let whole = try draw(file, index), let part = try draw(subset, place) else { return nil }
    return whole.isEmpty && part.isEmpty ? nil : whole == part
  }

  /// The page's picture, empty when poppler draws none; nil when it takes too long.
  private func draw(_ file: URL, _ index: PageIndex) throws -> Data? {
    let page = "\(index.number)"
    let arguments = ["-png", "-singlefile", "-r", "50", "-f", page, "-l", page, file.path, "-"]
    let answer = try Program.runInPath("pdftocairo", arguments, seconds: 30)
    return answer.code == 137 ? nil : answer.output
  }
}

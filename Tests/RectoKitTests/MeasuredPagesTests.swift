import DocumentModel
import Foundation
import RectoGeometry
import SystemPackage
import TestSupport
import Testing

@testable import RectoKit

@Suite struct MeasuredPagesTests {
  private func info(_ width: Double, label: String?) -> PageInfo {
    PageInfo(
      cropBox: Rect(x: 0, y: 0, width: width, height: 10),
      rotation: .quarter,
      userUnit: 1,
      size: Size(width: 10, height: width),
      label: label
    )
  }

  @Test func `they answer like a dictionary whatever is learned`() {
    let errors = [DocumentError.missingPage, DocumentError(.crash, during: "measure", "signal 11")]
    for _ in 0..<60 {
      var pages = MeasuredPages()
      var model: [PageIndex: Result<PageInfo, DocumentError>] = [:]
      for _ in 0..<120 {
        let page = PageIndex(Int.random(in: 0..<700))
        if Int.random(in: 0..<3) == 0 {
          let failing = page..<min(700, page.advanced(by: [1, 1, 5, 300].randomElement()!))
          let error = errors.randomElement()!
          pages.fail(failing, with: error)
          for page in failing { model[page] = .failure(error) }
        } else {
          let width = [7.0, 8, Double(page.value)].randomElement()!
          let info = info(width, label: [nil, "", "x", String(page.number)].randomElement()!)
          pages.take(info, at: page)
          model[page] = .success(info)
        }
      }
      for page in Range(pageCount: 710) {
        #expect(pages[page] == model[page])
        #expect(pages.isKnown(page) == (model[page] != nil))
        #expect(pages.info(of: page) == (try? model[page]?.get()))
      }
      let failing = pages.failing(in: [0..<300, 310..<700])
      #expect(
        failing.flatMap { row in row.pages.map { [$0: row.error] } }
          == [PageIndex(0)..<300, 310..<700].joined().compactMap { page in
            if case .failure(let error) = model[page] { [page: error] } else { nil }
          }
      )
      for (row, next) in zip(pages.failing, pages.failing.dropFirst()) {
        #expect(row.pages.upperBound <= next.pages.lowerBound)
        #expect(row.pages.upperBound < next.pages.lowerBound || row.error != next.error)
      }
    }
  }

  @Test func `a block takes any number of different info for its pages`() {
    var pages = MeasuredPages()
    for round in 0..<10 {
      for page in Range(pageCount: 256) {
        pages.take(info(Double(round * 256 + page.value), label: "a"), at: page)
      }
    }
    for page in Range(pageCount: 256) {
      #expect(pages[page] == .success(info(Double(9 * 256 + page.value), label: "a")))
    }
  }

  @Test(arguments: [PageReader.tree, .poppler])
  func `pages behind the last one are known to be missing at once`(
    reader: PageReader
  ) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("claim.pdf")
    try ClaimedPages.pdf(1_000_000).write(to: URL(filePath: path))
    let settings = DocumentSettings(
      cache: nil,
      pageReader: reader,
      workerProgram: FilePath(TestPaths.worker.path)
    )
    let document = try Document(FilePath(path), settings: settings)
    #expect(try await document.info().pageCount == 1_000_000)
    let known = try await document.measure([0..<1_000_000])
    #expect(known.info(of: 0)?.size.height == 300)
    #expect(
      known.failing == [MeasuredPages.Failing(pages: 1..<1_000_000, error: .missingPage)]
    )
    // Any of them tells the same.
    let other = try Document(FilePath(path), settings: settings)
    _ = try await other.info()
    #expect(try await other.measure([999_000..<999_100])[999_050] == .failure(.missingPage))
  }
}

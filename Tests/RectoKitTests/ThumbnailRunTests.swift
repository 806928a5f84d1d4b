import DocumentModel
import Foundation
import PNGCoding
import RectoBase
import RectoGeometry
import RectoKit
import RectoTiles
import SystemPackage
import TestSupport
import Testing

/// Thumbnails of libraries, as a program makes them.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ThumbnailRunTests {
  private let folder: TemporaryFolder
  private let settings: DocumentSettings

  init() throws {
    folder = try TemporaryFolder()
    settings = DocumentSettings(
      cache: nil,
      workers: 2,
      workerProgram: FilePath(TestPaths.worker.path)
    )
  }

  private func copy(_ fixture: String, to name: String) throws {
    let target = folder.url.appending(path: name)
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try FileManager.default.copyItem(at: TestPaths.fixture(fixture), to: target)
  }

  private func library(
    _ names: [String],
    pages: ThumbnailPages = .first
  ) -> DocumentLibrary {
    DocumentLibrary(names.map { FilePath(folder.path($0)) }, pages: pages)
  }

  private func run(_ pages: ThumbnailPages = .first) -> ThumbnailRun {
    ThumbnailRun(into: FilePath(folder.path("out")), size: 50, pages: pages, settings: settings)
  }

  @Test func `documents of a library have different names`() throws {
    for name in ["a/x.pdf", "b/x.PDF", "b/deep/x.pdf", "x~2.pdf", "b/notes.txt", "x-1.pdf"] {
      try copy("title-utf16", to: name)
    }
    let paths = ["a/x.pdf", "b", "x~2.pdf", "b/x.PDF", "x-1.pdf", "missing.pdf"]
    let first = library(paths)
    #expect(
      first.items.map(\.name.string) == ["x", "deep/x", "x~2", "x~2~2", "x~3", "x-1", "missing"]
    )
    // Page 1 of `x` has the name that one of the documents would have.
    let all = library(paths, pages: .all)
    #expect(all.items.map(\.name.string).contains("x-1~2"))
    for library in [first, all] {
      #expect(Set(library.items.map(\.name)).count == library.items.count)
    }
  }

  @Test func `each page of each document is a picture of its size, or an error`() async throws {
    try copy("rotate", to: "in/a.pdf")
    try copy("page-empty", to: "in/b.pdf")
    try copy("not-a-pdf", to: "in/c.pdf")
    var found: [String: DocumentThumbnails] = [:]
    await run(.all).thumbnails(of: library(["in"], pages: .all)) { document in
      found[document.item.name.string] = document
    }
    #expect(found.count == 3)
    #expect(found["a"]?.pageCount == 4)
    let sizes = try #require(found["a"]).pages.map { try $0.result.get().size }
    #expect(sizes.map { max($0.width, $0.height) } == [50, 50, 50, 50])
    #expect(sizes.map { $0.width > $0.height } == [false, true, false, true])
    for document in found.values {
      for case .success(let thumbnail) in document.pages.map(\.result) {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: thumbnail.file.string)))
        let picture = try PNGDecoder.decode(bytes.span.bytes, maxPixels: 1 << 20)
        #expect(picture.size == thumbnail.size)
        #expect(bytes.count == thumbnail.byteCount)
      }
    }
    let errors = try #require(found["b"]).pages.map { page -> DocumentError.Code? in
      if case .failure(let error) = page.result { error.code } else { nil }
    }
    #expect(errors == [nil, .pageSize, nil, .pageSize, nil])
    guard case .document(let error) = found["c"]?.failure else {
      Issue.record("no failure")
      return
    }
    #expect(error.code == .notPDF)
    #expect(
      folder.files.filter { $0.hasPrefix("out/") }
        == (1...4).map { "out/a-\($0).png" } + [1, 3, 5].map { "out/b-\($0).png" }
    )
  }

  @Test func `missing pages are one result, however many a file claims`() async throws {
    try ClaimedPages.pdf(1_000_000).write(to: folder.url.appending(path: "claim.pdf"))
    var pages: [ExportedPage] = []
    await run(.all).thumbnails(of: library(["claim.pdf"], pages: .all)) { pages = $0.pages }
    #expect(pages.map(\.pages) == [0..<1, 1..<1_000_000])
    guard case .failure(.missingPage) = pages.last?.result else {
      Issue.record("\(pages)")
      return
    }
  }

  @Test func `a list without a page of the document is an error that names the first`() async throws
  {
    try copy("rotate", to: "a.pdf")
    let list = ThumbnailPages.list(try #require(PageList("9,7-8")))
    var failure: ThumbnailError?
    await run(list).thumbnails(of: library(["a.pdf"], pages: list)) { failure = $0.failure }
    #expect(failure == .pages(.missing(8, pageCount: 4)))
    #expect(folder.files == ["a.pdf"])
  }

  @Test func `pages of a list that exist are made`() async throws {
    try copy("rotate", to: "a.pdf")
    let list = ThumbnailPages.list(try #require(PageList("z-3,9,3-7")))
    var pages: [ExportedPage] = []
    await run(list).thumbnails(of: library(["a.pdf"], pages: list)) { pages = $0.pages }
    #expect(pages.map(\.pages) == [3..<4, 2..<3, 8..<9, 2..<3, 3..<4])
    #expect(pages.map { (try? $0.result.get()) != nil } == [true, true, false, true, true])
  }

  private struct Stop: Error {}

  @Test func `an error of the caller ends the run`() async throws {
    for index in 0..<12 { try copy("title-utf16", to: "in/\(index).pdf") }
    let library = library(["in"])
    var calls = 0
    await #expect(throws: Stop.self) {
      try await run().thumbnails(of: library) { _ in
        calls += 1
        if calls == 2 { throw Stop() }
      }
    }
    #expect(calls == 2)
    // One document was done, one is the caller's last, and of the others as many had begun as are worked
    // on at a time: two for each of the three processes that two workers stand for.
    #expect(folder.files.filter { $0.hasPrefix("out/") }.count <= 2 + 6)
  }

  @Test func `a document is not overwritten by a thumbnail`() async throws {
    try copy("title-utf16", to: "out/x.png")
    try copy("title-utf16", to: "x.pdf")
    var failures: [String: ThumbnailError] = [:]
    await run().thumbnails(of: library(["x.pdf", "out/x.png"])) { document in
      failures[document.item.path.lastComponent?.string ?? ""] = document.failure
    }
    guard case .output(let error) = failures["x.pdf"] else {
      Issue.record("\(failures)")
      return
    }
    #expect(error.refusal == .isInput)
    #expect(failures.count == 1)
  }
}

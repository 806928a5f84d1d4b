import DocumentModel
import Foundation
import Glibc
import RectoBase
import RectoGeometry
import RectoKit
import RenderWorkers
import SystemPackage
import TestSupport
import Testing

/// Files that change while they are open.
@Suite struct ChangedFileTests {
  private let folder: TemporaryFolder
  private let path: FilePath

  init() throws {
    folder = try TemporaryFolder()
    path = FilePath(folder.path("book.pdf"))
    try FileManager.default.copyItem(at: TestPaths.fixture("book"), to: URL(filePath: path.string))
  }

  private func document() throws -> Document {
    try Document(
      path,
      settings: DocumentSettings(cache: nil, workerProgram: FilePath(TestPaths.worker.path))
    )
  }

  /// Draws the first page.
  private func draw(_ document: Document) async throws {
    let info = try await document.page(at: 0)
    let raster = try PageRaster(page: 0, info: info, scale: 1, rotation: .none)
    let part = PixelRect(x: 0, y: 0, width: raster.size.width, height: raster.size.height)
    _ = try await document.draw(PageDrawing(raster, .parts([part]), purpose: .tiles))
  }

  /// Writes a byte of the file anew, and puts its time of modification back.
  private func edit() throws {
    let file = try FileDescriptor.open(path, .readWrite)
    defer { try? file.close() }
    let status = try file.stat().rawValue
    // Until a write has another time than the one before.
    repeat {
      try file.writeAll(toAbsoluteOffset: 0, [UInt8(ascii: "%")])
    } while try FileIdentity(file.stat()).changedNanoseconds == status.st_ctim.tv_nsec
    var times = [status.st_atim, status.st_mtim]
    try #require(futimens(file.rawValue, &times) == 0)
  }

  @Test func `a file that was edited under its old time is not drawn any more`() async throws {
    let document = try document()
    try await draw(document)
    try edit()
    await #expect { try await draw(document) } throws: {
      ($0 as? DocumentError)?.code == .changed
    }
    await document.close()
  }

  @Test func `a file that has got another name, mode or owner is drawn, until it is edited`()
    async throws
  {
    let file = path.string
    var changes: [() -> Int32] = [
      { link(file, "\(file).link") }, { chmod(file, 0o640) }, { rename(file, "\(file).old") },
      { rename("\(file).old", file) }, { unlink("\(file).link") },
    ]
    if geteuid() == 0 { changes.append { chown(file, 1, 1) } }
    let document = try document()
    for change in changes {
      try await draw(document)
      try #require(change() == 0)
      try await draw(document)
    }
    try edit()
    await #expect { try await draw(document) } throws: {
      ($0 as? DocumentError)?.code == .changed
    }
    await document.close()
  }
}

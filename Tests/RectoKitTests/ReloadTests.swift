import DocumentModel
import Foundation
import PageLayout
import RectoBase
import RectoGeometry
import RectoKit
import SystemPackage
import TestSupport
import Testing

/// Files that are written to or replaced, and opened again.
@Suite(.timeLimit(.minutes(10))) struct ReloadTests {
  private let folder: TemporaryFolder
  private let path: FilePath

  init() throws {
    folder = try TemporaryFolder()
    path = FilePath(folder.path("a.pdf"))
    try Self.bytes("book").write(to: URL(filePath: path.string))
  }

  private static func bytes(_ fixture: String) throws -> Data {
    try Data(contentsOf: TestPaths.fixture(fixture))
  }

  private func document() throws -> Document {
    try Document(
      path,
      settings: DocumentSettings(cache: nil, workerProgram: FilePath(TestPaths.worker.path))
    )
  }

  /// Ways in which programs save a file.
  enum Saving: CaseIterable {
    case renamed, written, deletedFirst
  }

  private func save(_ data: Data, _ saving: Saving) throws {
    let target = URL(filePath: path.string)
    switch saving {
    case .renamed: try data.write(to: target, options: .atomic)
    case .written:
      let file = try FileDescriptor.open(path, .writeOnly, options: .truncate)
      defer { try? file.close() }
      try file.writeAll(data)
    case .deletedFirst:
      try FileManager.default.removeItem(at: target)
      try data.write(to: target)
    }
  }

  @Test(arguments: Saving.allCases)
  func `a file that is saved is told of, and opened again`(saving: Saving) async throws {
    let document = try document()
    let size = PictureGeometry(size: .longestSide(40))
    let before = try await document.picture(of: 0, geometry: size)
    async let change = document.changes.first { _ in true }
    try save(Self.bytes("labels"), saving)
    let found = try #require(await change)
    #expect(!found.holdsBytes(of: document.identity))
    if saving != .written {
      #expect(try await document.picture(of: 0, geometry: size).bytes == before.bytes)
    }
    let other = try document.reloaded()
    #expect(other.identity == found)
    #expect(try await other.picture(of: 0, geometry: size).bytes != before.bytes)
  }

  @Test func `a file that was changed before anybody asked is told of at once`() async throws {
    let document = try document()
    try save(Self.bytes("labels"), .renamed)
    #expect(await document.changes.first { _ in true } != nil)
  }

  @Test func `a file that is broken is opened again once it is whole`() async throws {
    let document = try document()
    _ = try await document.info()
    try save(Data("broken".utf8), .renamed)
    let broken = try document.reloaded()
    await #expect(throws: DocumentError.self) { try await broken.info() }
    #expect(try await document.info().pageCount > 1)
    async let change = broken.changes.first { _ in true }
    try save(Self.bytes("labels"), .renamed)
    #expect(await change != nil)
    #expect(try await broken.reloaded().info().pageCount > 0)
  }

  @Test func `a file that is gone, or that was a stream, cannot be opened again`() throws {
    let document = try document()
    let copy = try Document(Files.openFile(path), path: "-")
    #expect(throws: DocumentError.self) { try copy.reloaded() }
    try FileManager.default.removeItem(atPath: path.string)
    #expect { try document.reloaded() } throws: { ($0 as? DocumentError)?.code == .unreadable }
  }

  @Test(arguments: LayoutConfiguration.Mode.allCases)
  func `a viewer is carried to the file at the same place`(
    mode: LayoutConfiguration.Mode
  ) async throws {
    var configuration = LayoutConfiguration()
    configuration.mode = mode
    let viewer = try await OpenedFixture.viewer(document(), configuration: configuration)
    var move = ViewerMove()
    move.place = .page(3, fraction: 0)
    let before = try await viewer.show(move)
    try save(Self.bytes("book") + Data("\n".utf8), .renamed)
    let after = try await viewer.carried(to: viewer.document.reloaded()).scene
    #expect(after.viewpoint.place?.anchor.page == before.viewpoint.place?.anchor.page)
    #expect(after.viewpoint.window == before.viewpoint.window)
    #expect(after.geometry > before.geometry)
    try save(Self.bytes("rotate"), .renamed)
    let short = try await viewer.carried(to: viewer.document.reloaded())
    let last = try await short.document.info().pageCount - 1
    #expect(await short.scene.viewpoint.place?.anchor.page.value ?? 0 <= last)
  }
}

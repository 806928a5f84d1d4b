import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite struct FilesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> FilePath { FilePath(folder.path(name)) }

  @Test func `a file is written whole and nothing is left beside it`() throws {
    try Files.write([1, 2, 3], to: path("a"))
    try Files.write([4], to: path("a"))
    #expect(try Files.contents(of: path("a"), limit: 10) == [4])
    #expect(folder.files == ["a"])
  }

  @Test func `a write that fails leaves what was there before`() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("taken"),
      withIntermediateDirectories: false
    )
    #expect(throws: FileError.self) { try Files.write([1], to: path("taken")) }
    #expect(throws: FileError.self) { try Files.write([1], to: path("nowhere/a")) }
    #expect(folder.files.isEmpty)
  }

  @Test func `a file longer than the limit is refused`() throws {
    try Files.write([1, 2, 3], to: path("a"))
    #expect(try Files.contents(of: path("a"), limit: 3).count == 3)
    let error = #expect(throws: FileError.self) { try Files.contents(of: path("a"), limit: 2) }
    #expect(error?.errno == .fileTooLarge)
  }

  @Test func `a directory that is there is fine and a file in its place is not`() throws {
    try Files.createDirectory(path("a/b/c"))
    try Files.createDirectory(path("a/b/c"))
    try Files.write([1], to: path("file"))
    #expect(throws: FileError.self) { try Files.createDirectory(path("file")) }
    #expect(throws: FileError.self) { try Files.createDirectory(path("file/below")) }
  }

  @Test func `names are bytes and come sorted by them`() throws {
    let names: [[CChar]] = [[98, 0], [97, 10, 99, 0], [97, -1, 0]]
    for name in names {
      let component = try #require(FilePath.Component(platformString: name))
      try Files.write([1], to: path("").appending(component))
    }
    let found = try Files.entries(of: path("")).map { entry in
      entry.name.withPlatformString { Array(UnsafeBufferPointer(start: $0, count: 3)) }
    }
    #expect(found.map(\.[1]) == [10, -1, 0])
    #expect(try Files.entries(of: path("missing")).isEmpty)
  }

  @Test func `a tree is removed without following links out of it`() throws {
    try Files.createDirectory(path("tree/inner"))
    try Files.createDirectory(path("outside"))
    try Files.write([1], to: path("outside/kept"))
    try Files.write([1], to: path("tree/inner/gone"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("tree/link"),
      withDestinationPath: folder.path("outside")
    )
    try Files.removeTree(path("tree"))
    #expect(folder.files == ["outside/kept"])
    try Files.removeTree(path("tree"))
    try Files.remove(path("tree"))
  }

  @Test func `lines may hold anything but a newline`() throws {
    try Files.write([255, 10, 10, 97, 13, 10, 98], to: path("list"))
    #expect(try Files.lines(of: path("list")) == [[255], [97, 13], [98]])
  }
}

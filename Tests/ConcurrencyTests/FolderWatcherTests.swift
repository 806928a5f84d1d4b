import Foundation
import RectoBase
import SystemPackage
import TestSupport
import Testing

/// Changes below folders.
@Suite(.timeLimit(.minutes(2))) struct FolderWatcherTests {
  private func changes(below folder: TemporaryFolder) -> AsyncStream<Void> {
    FolderWatcher.changes(below: [FilePath(folder.url.path)]) { $0.suffix(4) == Array(".pdf".utf8) }
  }

  private func write(_ name: String, in folder: TemporaryFolder) throws {
    let file = folder.url.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data([1]).write(to: file)
  }

  @Test func `one loop receives changes in folders that appear while it runs`() async throws {
    let folder = try TemporaryFolder()
    var names = ["a/1.pdf", "a/b/c/2.pdf", "a/b/c/3.pdf", "4.pdf", "d/5.pdf"][...]
    try write("a/0.pdf", in: folder)
    let changes = changes(below: folder)
    try write(names.removeFirst(), in: folder)
    for await _ in changes {
      guard let name = names.popFirst() else { break }
      try write(name, in: folder)
    }
    #expect(names.isEmpty)
  }

  @Test func `a folder that was renamed is watched under its new name`() async throws {
    let folder = try TemporaryFolder()
    try write("a/b/1.pdf", in: folder)
    var iterator = changes(below: folder).makeAsyncIterator()
    let files = FileManager.default
    try files.moveItem(
      at: folder.url.appending(path: "a"),
      to: folder.url.appending(path: "z")
    )
    await iterator.next()
    // A link to a file counts when it is made, which only its path shows.
    try files.createSymbolicLink(
      at: folder.url.appending(path: "z/b/2.pdf"),
      withDestinationURL: folder.url.appending(path: "z/b/1.pdf")
    )
    await iterator.next()
  }

  @Test func `watching ends when the loop is cancelled`() async throws {
    let folder = try TemporaryFolder()
    let changes = changes(below: folder)
    let watching = try descriptors(of: folder)
    #expect(watching == 1)
    let task = Task { for await _ in changes {} }
    task.cancel()
    await task.value
    let isClosed = poll { (try? descriptors(of: folder)) == 0 }
    #expect(isClosed)
  }

  /// The number of descriptors of inotify(7) with a watch of the folder.
  private func descriptors(of folder: TemporaryFolder) throws -> Int {
    let inode = try #require(
      try FileManager.default.attributesOfItem(atPath: folder.url.path)[.systemFileNumber] as? Int
    )
    let mark = "ino:\(String(inode, radix: 16)) "
    let infos = "/proc/self/fdinfo"
    return try FileManager.default.contentsOfDirectory(atPath: infos).count { name in
      // Descriptors of other tests come and go.
      let text = try? String(contentsOfFile: "\(infos)/\(name)", encoding: .utf8)
      return text.map { $0.contains("inotify ") && $0.contains(mark) } ?? false
    }
  }
}

import Foundation
import Glibc
import RectoBase
import Synchronization
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
    try FileManager.default.createSymbolicLink(
      atPath: path("link").string,
      withDestinationPath: "0"
    )
    let error = #expect(throws: FileError.self) { try Files.createDirectory(path("link")) }
    #expect(error?.errno == .fileExists)
    #expect(throws: FileError.self) { try Files.createDirectory(path("file/below")) }
  }

  @Test func `names are bytes and come sorted by them`() throws {
    let names: [[CChar]] = [[98, 0], [97, 10, 99, 0], [97, -1, 0]]
    for name in names {
      let component = try #require(FilePath.Component(platformString: name))
      try Files.write([1], to: path("").appending(component))
    }
    let found = try Files.entries(of: path("")).map { entry in
      entry.name.withPlatformString { Array(UnsafeBufferPointer(start: $0, count: strlen($0))) }
    }
    #expect(found == [[97, 10, 99], [97, -1], [98]])
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

  @Test func `lines may hold anything but their end, and a carriage return belongs to it`() throws {
    try Files.write([255, 10, 10, 97, 13, 13, 10, 13, 10, 98, 0], to: path("list"))
    #expect(try Files.lines(of: path("list")) == [[255], [97, 13], [98, 0]])
    #expect(
      try Files.lines(of: path("list"), endingWith: 0) == [
        [255, 10, 10, 97, 13, 13, 10, 13, 10, 98]
      ]
    )
  }

  @Test func `a temporary name that is taken is not an error`() throws {
    try Files.write([1], to: path("a"))
    try Files.write([9], to: path("taken"))
    var names = ["taken", "taken", "free"]
    try Files.write([2], to: path("a"), permissions: Files.privateFile) {
      FilePath.Component(names.removeFirst()) ?? "none"
    }
    #expect(names.isEmpty)
    #expect(try Files.contents(of: path("a"), limit: 10) == [2])
    #expect(try Files.contents(of: path("taken"), limit: 10) == [9])
    #expect(folder.files == ["a", "taken"])
    // A source of names that has but one is given up.
    let error = #expect(throws: FileError.self) {
      try Files.write([2], to: path("a"), permissions: Files.privateFile) { "taken" }
    }
    #expect(error?.errno == .fileExists)
  }

  @Test func `a file is replaced while other processes look for leftovers`() throws {
    try Files.write([0], to: path("a"))
    let writes = DispatchGroup()
    let stop = Mutex(false)
    writes.enter()
    // As another process looks that has just begun to write: it removes what it can lock.
    Thread {
      while !stop.withLock({ $0 }) {
        for entry in (try? Files.entries(of: path(""))) ?? [] where entry.name != "a" {
          let file = open(path("").appending(entry.name).string, O_RDWR)
          if file >= 0, flock(file, LOCK_EX | LOCK_NB) == 0 {
            unlink(path("").appending(entry.name).string)
          }
          close(file)
        }
      }
      writes.leave()
    }
    .start()
    defer {
      stop.withLock { $0 = true }
      writes.wait()
    }
    for byte in 0..<5000 { try Files.write([UInt8(byte % 256)], to: path("a")) }
  }

  @Test func `names of two writes are never the same`() {
    #expect(Set((0..<1000).map { _ in Files.randomName() }).count == 1000)
  }

  @Test func `what a killed process left goes, and what is locked goes after an hour`() throws {
    let old = Date(timeIntervalSinceNow: -4000)
    for (name, date) in [
      (".recto-tmp-17-1", old), (".recto-tmp-old", old), (".recto-tmp-left", Date.now),
      (".recto-tmp-new", Date.now), (".other", old), ("b", old),
    ] {
      try Files.write([1], to: path(name))
      try FileManager.default.setAttributes(
        [.modificationDate: date],
        ofItemAtPath: folder.path(name)
      )
    }
    // What is being written is locked; an old one is not believed to be.
    let locked = try [".recto-tmp-new", ".recto-tmp-old"].map {
      try FileDescriptor.open(path($0), .readWrite)
    }
    defer { for file in locked { try? file.close() } }
    for file in locked { #expect(flock(file.rawValue, LOCK_EX | LOCK_NB) == 0) }
    // A new name needs no temporary one: nothing is searched.
    try Files.write([1], to: path("a"))
    #expect(folder.files.count == 7)
    try Files.write([2], to: path("a"))
    #expect(folder.files == [".other", ".recto-tmp-new", "a", "b"])
  }

  @Test func `the first line is taken from a stream and the rest left in it`() throws {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data("first\r\nsecond".utf8))
    try pipe.fileHandleForWriting.close()
    let stream = FilePath("/proc/self/fd/\(pipe.fileHandleForReading.fileDescriptor)")
    #expect(try Files.firstLine(of: stream, limit: 10) == Array("first\r".utf8))
    let error = #expect(throws: FileError.self) { try Files.firstLine(of: stream, limit: 3) }
    #expect(error?.errno == .fileTooLarge)
    try Files.write([], to: path("empty"))
    #expect(try Files.firstLine(of: path("empty"), limit: 3) == [])
  }

  @Test func `a tree is removed while others write into it`() throws {
    let tree = path("tree")
    let writers = DispatchGroup()
    let stop = DispatchSemaphore(value: 0)
    let started = DispatchSemaphore(value: 0)
    for writer in 0..<2 {
      DispatchQueue.global().async(group: writers) {
        var number = 0
        while number < 500, stop.wait(timeout: .now()) == .timedOut {
          try? Files.createDirectory(tree.appending("d\(number % 7)"))
          try? Files.write([1], to: tree.appending("d\(number % 7)/\(writer)-\(number)"))
          if number == 20 { started.signal() }
          number += 1
        }
      }
    }
    for _ in 0..<2 { started.wait() }
    let aside = path("aside")
    try Files.rename(tree, to: aside)
    try Files.removeTree(aside)
    #expect(!FileManager.default.fileExists(atPath: aside.string))
    for _ in 0..<2 { stop.signal() }
    writers.wait()
  }

  @Test func `a directory of one's own is closed to other users`() throws {
    try Files.createDirectory(path("own"), permissions: Files.privateDirectory)
    #expect(try Files.isOwnDirectory(path("own")))
    #expect(try !Files.isOwnDirectory(path("missing")))
    try Files.write([1], to: path("file"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"),
      withDestinationPath: "own"
    )
    func refusal(_ name: String, followingLink: Bool = false) -> FileError.Refusal? {
      do throws(FileError) {
        _ = try Files.isOwnDirectory(path(name), followingLink: followingLink)
        return nil
      } catch {
        return error.refusal
      }
    }
    #expect(refusal("file") == .noDirectory)
    #expect(refusal("link") == .noDirectory)
    #expect(refusal("link", followingLink: true) == nil)
    for mode: mode_t in [0o720, 0o702, 0o1777] {
      #expect(chmod(folder.path("own"), mode) == 0)
      #expect(refusal("own") == .writableByOthers)
      #expect(refusal("link", followingLink: true) == .writableByOthers)
    }
    if geteuid() == 0 {
      #expect(chmod(folder.path("own"), 0o700) == 0)
      #expect(chown(folder.path("own"), 12_345, 0) == 0)
      #expect(refusal("own") == .otherOwner)
    }
  }
}

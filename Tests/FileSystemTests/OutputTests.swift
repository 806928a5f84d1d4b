import Foundation
import Glibc
import RectoBase
import SystemPackage
import TestSupport
import Testing

/// Where output goes that a user has named.
@Suite(.timeLimit(.minutes(10))) struct OutputTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> FilePath { FilePath(folder.path(name)) }

  private func contents(_ name: String) throws -> [UInt8] {
    try Files.contents(of: path(name), limit: 100)
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(name),
      withDestinationPath: target
    )
  }

  @Test func `a regular file is replaced and a missing one made`() throws {
    try Files.writeOutput([1], to: path("a"))
    let first = Files.node(of: path("a"))
    try Files.writeOutput([2, 3], to: path("a"))
    #expect(try contents("a") == [2, 3])
    #expect(Files.node(of: path("a")) != first, "replaced, not written into")
    #expect(folder.files == ["a"])
  }

  @Test func `a link is followed and stays, whether or not it leads to something`() throws {
    try Files.createDirectory(path("below"))
    try link("first", to: "below/second")
    try link("below/second", to: "../below/file")
    for bytes: [UInt8] in [[1], [2, 3]] {
      try Files.writeOutput(bytes, to: path("first"))
      #expect(try contents("below/file") == bytes)
    }
    for name in ["first", "below/second"] {
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path(name)) != "")
    }
    #expect(folder.files.filter { !$0.contains("first") } == ["below/file"])
  }

  @Test func `links in a circle are an error`() throws {
    try link("a", to: "b")
    try link("b", to: "a")
    let error = #expect(throws: FileError.self) { try Files.writeOutput([1], to: path("a")) }
    #expect(error?.errno == .tooManySymbolicLinkLevels)
  }

  @Test func `a fifo is written to and stays`() throws {
    let fifo = path("fifo")
    #expect(fifo.withPlatformString { mkfifo($0, 0o600) } == 0)
    // The reader is a process of its own: opening either end waits for the other.
    let answer = try Pipes()
    let reader = try ChildProcess(
      URL(filePath: "/bin/sh"),
      ["-c", "wc -c < \"$0\"", fifo.string],
      output: .descriptor(answer.writing.descriptor)
    )
    try Files.writeOutput([UInt8](repeating: 7, count: 200_000), to: fifo)
    let count = String(decoding: try answer.reading.read(), as: UTF8.self)
    #expect(reader.wait() == 0)
    #expect(count == "200000\n")
    #expect(try Files.status(of: fifo).type == .fifo)
  }

  @Test(.enabled(if: geteuid() == 0, "only root makes devices"))
  func `a device is written to and stays`() throws {
    // Nodes of the test's own, in its own folder: those of the machine are never named.
    for (name, minor, code) in [("null", 3, nil), ("full", 7, Errno.noSpace)] {
      // Major number 1: the memory devices.
      let device = dev_t(1 << 8 | minor)
      try #require(path(name).withPlatformString { mknod($0, S_IFCHR | 0o600, device) } == 0)
      if let code {
        let error = #expect(throws: FileError.self) { try Files.writeOutput([1], to: path(name)) }
        #expect(error?.errno == code)
      } else {
        try Files.writeOutput([1], to: path(name))
      }
      #expect(try Files.status(of: path(name)).type == .characterSpecial)
    }
  }

  @Test func `an input is not written over, by whatever name`() throws {
    try Files.write([1], to: path("input"))
    try link("link", to: "input")
    try FileManager.default.linkItem(atPath: folder.path("input"), toPath: folder.path("hard"))
    let inputs = Set([Files.node(of: path("input"))].compactMap(\.self))
    for name in ["input", "link", "hard"] {
      let error = #expect(throws: FileError.self) {
        try Files.writeOutput([2], to: path(name), sparing: inputs)
      }
      #expect(error?.refusal == .isInput)
    }
    #expect(try contents("input") == [1])
  }

  @Test func `what a descriptor alone still holds is written into`() throws {
    let file = try FileDescriptor.open(
      path("gone"),
      .readWrite,
      options: [.create],
      permissions: [.ownerReadWrite]
    )
    defer { try? file.close() }
    try Files.remove(path("gone"))
    try Files.writeOutput([1, 2], to: FilePath("/proc/self/fd/\(file.rawValue)"))
    #expect(try file.stat().size == 2)
    #expect(folder.files.isEmpty)
  }
}

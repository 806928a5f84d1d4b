import Foundation
import Glibc
import RectoBase
import SystemPackage
import TestSupport
import Testing

/// Files of lines.
@Suite struct LineFileTests {
  @Test func `streams and devices, which may have no end, are not read as files of lines`() throws {
    let folder = try TemporaryFolder()
    let fifo = FilePath(folder.path("fifo"))
    #expect(fifo.withPlatformString { mkfifo($0, 0o600) } == 0)
    let link = folder.path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/dev/zero")
    for path in [fifo, FilePath(link), "/dev/null", FilePath(folder.path(""))] {
      let error = #expect(throws: FileError.self) { try LineFile.forEachLine(of: path) { _, _ in } }
      #expect(error?.refusal == .noRegularFile, "\(path)")
    }
  }

  @Test func `a link to a file of lines is followed`() throws {
    let folder = try TemporaryFolder()
    try Files.write(Array("a\nb\n".utf8), to: FilePath(folder.path("file")))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"),
      withDestinationPath: "file"
    )
    var lines: [String] = []
    try LineFile.forEachLine(of: FilePath(folder.path("link"))) { _, line in
      lines.append(String(decoding: line, as: UTF8.self))
    }
    #expect(lines == ["a", "b"])
  }
}

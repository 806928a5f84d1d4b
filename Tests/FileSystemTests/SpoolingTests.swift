import Foundation
import Glibc
import RectoBase
import SystemPackage
import TestSupport
import Testing

/// Streams as files.
@Suite struct SpoolingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Copies bytes that come through a pipe.
  private func spool(_ bytes: Data, limit: Int) throws -> InputFile {
    let pipe = try Pipes()
    try pipe.writing.write(bytes)
    pipe.writing.close()
    return try withExtendedLifetime(pipe) {
      let stream = FileDescriptor(rawValue: pipe.reading.descriptor)
      return try Files.spool(stream, named: "-", limit: limit)
    }
  }

  @Test("A copy has the bytes of the stream, no name, and cannot be written")
  func copy() throws {
    let bytes = Data((0..<30_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
    let file = try spool(bytes, limit: bytes.count)
    defer { withExtendedLifetime(file) {} }
    let copy = file.descriptor
    let status = try copy.stat()
    #expect(Int(status.size) == bytes.count)
    #expect(status.rawValue.st_nlink == 0)
    #expect(fcntl(copy.rawValue, F_GETFL) & O_ACCMODE == O_RDONLY)
    #expect(fcntl(copy.rawValue, F_GETFD) & FD_CLOEXEC != 0)
    var read = [UInt8](repeating: 0, count: bytes.count)
    #expect(
      try read.withUnsafeMutableBytes { try copy.read(fromAbsoluteOffset: 0, into: $0) }
        == bytes.count
    )
    #expect(read == Array(bytes))
  }

  @Test("A stream of more bytes than the limit is refused")
  func limit() throws {
    #expect(throws: SpoolingError.tooLarge(limit: 9)) { try spool(Data(count: 10), limit: 9) }
    for count in [9, 0] {
      let copy = try spool(Data(count: count), limit: count)
      #expect(try withExtendedLifetime(copy) { try Int(copy.descriptor.stat().size) } == count)
    }
  }

  @Test("What can be read only in order is a stream")
  func streams() throws {
    let fifo = FilePath(folder.path("fifo"))
    try #require(mkfifo(fifo.string, 0o600) == 0)
    let file = FilePath(folder.path("file"))
    try Files.write([1, 2, 3], to: file)
    #expect(Files.isStream(fifo))
    #expect(!Files.isStream("/dev/null"))
    #expect(!Files.isStream(file))
    #expect(!Files.isStream(FilePath(folder.url.path)))
    #expect(!Files.isStream(FilePath(folder.path("missing"))))
    let input = try Files.openFile(file)
    defer { withExtendedLifetime(input) {} }
    let opened = input.descriptor
    #expect(try !Files.isStream(opened, named: file))
    // The rest of a file that has been read in part is a stream.
    _ = try opened.seek(offset: 1, from: .start)
    #expect(try Files.isStream(opened, named: file))
    let rest = try Files.spool(opened, named: file, limit: 9)
    #expect(try withExtendedLifetime(rest) { try rest.descriptor.stat().size } == 2)
  }

  @Test("A second descriptor for a file cannot be written with")
  func duplicates() throws {
    let path = FilePath(folder.path("file"))
    try Files.write([1, 2, 3], to: path)
    for mode in [FileDescriptor.AccessMode.readOnly, .readWrite] {
      let first = try FileDescriptor.open(path, mode)
      defer { try? first.close() }
      let second = try #require(try Files.duplicate(first, named: path))
      defer { withExtendedLifetime(second) {} }
      #expect(fcntl(second.descriptor.rawValue, F_GETFL) & O_ACCMODE == O_RDONLY)
      #expect(fcntl(second.descriptor.rawValue, F_GETFD) & FD_CLOEXEC != 0)
      var byte: UInt8 = 0
      let count = try withUnsafeMutableBytes(of: &byte) {
        try second.descriptor.read(fromAbsoluteOffset: 2, into: $0)
      }
      #expect(count == 1 && byte == 3)
    }
    let written = try FileDescriptor.open(path, .writeOnly)
    defer { try? written.close() }
    #expect(throws: FileError("open", path, .badFileDescriptor)) {
      try Files.duplicate(written, named: path)
    }
  }

  @Test("A path that cannot be opened is the input's error")
  func missing() {
    let path = FilePath(folder.path("missing"))
    #expect(throws: SpoolingError.input(FileError("open", path, .noSuchFileOrDirectory))) {
      try Files.spool(path, limit: 1)
    }
  }
}

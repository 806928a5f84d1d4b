internal import DocumentModel
internal import Glibc

/// Bytes with random access.
///
/// The reader never asks for a byte outside `0..<count`.
package protocol ByteSource {
  /// The number of bytes, which does not change.
  var count: Int { get }
  /// Fills all of `buffer` with the bytes from `offset` on.
  ///
  /// - Throws: ``StructureError`` with `unreadable` or `changed`.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(StructureError)
  /// Whether each read that is not expected takes long, as over a network.
  var isDistant: Bool { get }
  /// Announces ranges that are going to be read, so that a distant source can fetch them at once.
  ///
  /// - Throws: ``StructureError`` with `unreadable` or `changed`.
  func expect(_ ranges: [Range<Int>]) throws(StructureError)
}

extension ByteSource {
  /// False: most sources are near.
  package var isDistant: Bool { false }
  /// Does nothing.
  package func expect(_ ranges: [Range<Int>]) throws(StructureError) {}
}

/// A file's bytes, read with `pread`, so that truncating the file causes an error instead of a
/// signal.
package struct FileBytes: ByteSource {
  private let descriptor: Int32
  /// The file's size when it was opened.
  package let count: Int

  /// The bytes of an open file. The caller owns the descriptor, which must outlive the value.
  ///
  /// - Throws: ``StructureError`` with `unreadable` for anything but a regular file.
  package init(descriptor: Int32) throws(StructureError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw StructureError(.unreadable, String(cString: strerror(errno)))
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw StructureError(.unreadable, "not a regular file")
    }
    self.descriptor = descriptor
    count = Int(status.st_size)
  }

  /// Fills `buffer` from `offset` on; continues after signals.
  ///
  /// - Throws: ``StructureError``; `changed` when the file has become shorter, `unreadable` for an
  ///   error of the system.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int)
    throws(StructureError)
  {
    guard let address = buffer.baseAddress else { return }
    var done = 0
    while done < buffer.count {
      let got = pread(descriptor, address + done, buffer.count - done, off_t(offset + done))
      if got > 0 {
        done += got
      } else if got == 0 {
        throw StructureError(.changed, "the file is shorter than when it was opened")
      } else if errno != EINTR {
        throw StructureError(.unreadable, String(cString: strerror(errno)))
      }
    }
  }
}

/// Bytes in memory.
package struct MemoryBytes: ByteSource {
  private let bytes: [UInt8]

  /// A source of the given bytes.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The number of bytes.
  package var count: Int { bytes.count }

  /// Copies the bytes from `offset` on.
  ///
  /// - Throws: ``StructureError`` with `changed` for bytes outside the source.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int)
    throws(StructureError)
  {
    guard offset >= 0, buffer.count <= bytes.count, offset <= bytes.count - buffer.count else {
      throw StructureError(.changed, "bytes outside the source")
    }
    buffer.copyBytes(from: bytes[offset..<offset + buffer.count])
  }
}

extension MemoryBytes: BriefValue {
  /// The number of bytes.
  package var description: String { "\(count) bytes" }
}

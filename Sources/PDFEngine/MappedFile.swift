internal import DocumentModel
internal import Glibc

/// A file's bytes in memory, without a copy.
///
/// The mapping is private to the process. If somebody cuts the file short, touching what is gone
/// raises SIGBUS: map untrusted files in a worker process only.
struct MappedFile: ~Copyable {
  let base: UnsafeMutableRawPointer
  let length: Int

  /// Maps all of an open file.
  ///
  /// - Parameters:
  ///   - descriptor: open for reading; it may be closed afterwards.
  ///   - tail: bytes to put behind the file's own, such as an incremental update.
  init(descriptor: Int32, tail: [UInt8] = []) throws(DocumentError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Self.failure(.unreadable, "fstat") }
    let size = Int(status.st_size)
    guard size > 0 else { throw DocumentError(.notPDF, during: "open", "the file is empty") }
    let (total, overflow) = size.addingReportingOverflow(tail.count)
    guard !overflow else { throw DocumentError(.damaged, during: "open", "the file is too large") }
    // Room for both, then the file over its beginning. The rest of the file's last memory page is
    // private to us, so the tail can start right behind the last byte.
    let room = mmap(
      nil,
      total,
      PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
      -1,
      0
    )
    guard let room, room != MAP_FAILED else { throw Self.failure(.memoryLimit, "mmap") }
    let file = mmap(room, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, descriptor, 0)
    guard file != MAP_FAILED else {
      let error = Self.failure(.unreadable, "mmap")
      munmap(room, total)
      throw error
    }
    tail.withUnsafeBytes { bytes in
      if let start = bytes.baseAddress { memcpy(room + size, start, bytes.count) }
    }
    base = room
    length = total
  }

  /// Gives the mapping to somebody who will unmap it.
  consuming func release() -> (UnsafeMutableRawPointer, Int) {
    let parts = (base, length)
    discard self
    return parts
  }

  deinit { munmap(base, length) }

  private static func failure(_ code: DocumentError.Code, _ call: String) -> DocumentError {
    DocumentError(code, during: "open", "\(call): \(String(cString: strerror(errno)))")
  }
}

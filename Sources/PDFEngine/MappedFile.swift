// SPDX-License-Identifier: GPL-2.0-or-later

internal import DocumentModel
internal import Glibc
internal import RectoBase

/// A file's bytes in memory, or a PDF made of ranges of them.
///
/// Maps instead of copying where possible. Mappings are private to the process. If the file is
/// truncated, accessing the missing part raises SIGBUS: map untrusted files only in a worker
/// process.
struct MappedFile: ~Copyable {
  let base: UnsafeMutableRawPointer
  let length: Int

  /// Shorter ranges are read, because a mapping costs more than copying a few memory pages.
  private static let leastMapped = 1 << 15

  /// Maps an open file, or builds a PDF of parts of it.
  ///
  /// - Parameters:
  ///   - descriptor: Open for reading; it may be closed afterwards.
  ///   - pieces: The parts in order; nil for the unchanged file.
  /// - Throws: `DocumentError`; `notPDF` for an empty file, `unreadable` or `memoryLimit` when it
  ///   cannot be mapped, `changed` or `damaged` for pieces that do not fit the file.
  init(descriptor: Int32, pieces: [DocumentSubset.Piece]? = nil) throws(DocumentError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Self.failure(.unreadable, "fstat") }
    let size = Int(status.st_size)
    guard size > 0 else { throw DocumentError(.notPDF, during: "open", "the file is empty") }
    let pieces = pieces ?? [.file(0..<size)]
    let total = try Self.byteCount(of: pieces, fileSize: size)
    // Reserves memory for all pieces, then maps each over its part.
    let protection = PROT_READ | PROT_WRITE
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
    let room = mmap(nil, total, protection, flags, -1, 0)
    guard let room, room != MAP_FAILED else { throw Self.failure(.memoryLimit, "mmap") }
    do throws(DocumentError) {
      try Self.fill(room, from: descriptor, pieces)
    } catch {
      munmap(room, total)
      throw error
    }
    base = room
    length = total
  }

  /// Releases the mapping to the caller, who unmaps it.
  consuming func release() -> (UnsafeMutableRawPointer, Int) {
    let parts = (base, length)
    discard self
    return parts
  }

  deinit { munmap(base, length) }

  /// The number of bytes of all pieces, whose ranges must be inside the file.
  private static func byteCount(
    of pieces: [DocumentSubset.Piece],
    fileSize: Int
  ) throws(DocumentError) -> Int {
    var total = 0
    for piece in pieces {
      switch piece {
      case .file(let range), .inflated(let range, _):
        guard range.upperBound <= fileSize else { throw cutShort }
      case .bytes: break
      }
      let (sum, overflow) = total.addingReportingOverflow(piece.count)
      guard !overflow else { throw DocumentError(.damaged, during: "open", "it is too large") }
      total = sum
    }
    guard total > 0 else { throw DocumentError(.damaged, during: "open", "it has no bytes") }
    return total
  }

  /// Writes pieces to an address, one after the other.
  private static func fill(
    _ room: UnsafeMutableRawPointer,
    from descriptor: Int32,
    _ pieces: [DocumentSubset.Piece]
  ) throws(DocumentError) {
    var address = room
    for piece in pieces {
      switch piece {
      case .bytes(let bytes):
        bytes.withUnsafeBytes {
          if let start = $0.baseAddress { memcpy(address, start, $0.count) }
        }
      case .file(let range): try fill(address, from: descriptor, range)
      case .inflated(let range, let count):
        try inflate(into: address, count: count, from: descriptor, range)
      }
      address += piece.count
    }
  }

  /// Puts a range of the file at an address: maps whole memory pages if both are aligned alike, and reads the rest.
  private static func fill(
    _ address: UnsafeMutableRawPointer,
    from descriptor: Int32,
    _ range: Range<Int>
  ) throws(DocumentError) {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let head = (page - range.lowerBound % page) % page
    let mapped = (range.count - head) / page * page
    guard mapped >= leastMapped, (Int(bitPattern: address) + head) % page == 0 else {
      return try read(into: address, from: descriptor, range)
    }
    let start = range.lowerBound + head
    let protection = PROT_READ | PROT_WRITE
    let flags = MAP_PRIVATE | MAP_FIXED
    guard mmap(address + head, mapped, protection, flags, descriptor, off_t(start)) != MAP_FAILED
    else { throw failure(.unreadable, "mmap") }
    try read(into: address, from: descriptor, range.lowerBound..<start)
    try read(into: address + head + mapped, from: descriptor, (start + mapped)..<range.upperBound)
  }

  /// Decodes a zlib stream in the file to an address. libdeflate is about ten times as fast as poppler, which would
  /// decode it again for each page that uses a font.
  private static func inflate(
    into address: UnsafeMutableRawPointer,
    count: Int,
    from descriptor: Int32,
    _ range: Range<Int>
  ) throws(DocumentError) {
    let stream = UnsafeMutableRawBufferPointer.allocate(byteCount: range.count, alignment: 16)
    defer { stream.deallocate() }
    guard let start = stream.baseAddress, var inflater = Inflater() else {
      throw DocumentError(.memoryLimit, during: "open", "no memory to decode a stream")
    }
    try read(into: start, from: descriptor, range)
    // Skips the two bytes of the zlib header. Like poppler, does not check the checksum.
    let output = UnsafeMutableRawBufferPointer(start: address, count: count)
    do throws(Inflater.StreamError) {
      guard range.count > 2 else { throw .damaged }
      try inflater.decompress(
        UnsafeRawBufferPointer(rebasing: stream[2...]),
        .deflate,
        filling: output
      )
    } catch {
      throw DocumentError(.changed, during: "open", "the file was changed meanwhile")
    }
  }

  private static func read(
    into address: UnsafeMutableRawPointer,
    from descriptor: Int32,
    _ range: Range<Int>
  ) throws(DocumentError) {
    var done = 0
    while done < range.count {
      let offset = off_t(range.lowerBound + done)
      let count = pread(descriptor, address + done, range.count - done, offset)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(.unreadable, "pread") }
      guard count > 0 else { throw cutShort }
      done += count
    }
  }

  private static var cutShort: DocumentError {
    DocumentError(.changed, during: "open", "the file was cut short meanwhile")
  }

  private static func failure(_ code: DocumentError.Code, _ call: String) -> DocumentError {
    DocumentError(code, during: "open", "\(call): \(String(cString: strerror(errno)))")
  }
}

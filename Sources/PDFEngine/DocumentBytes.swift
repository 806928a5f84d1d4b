// SPDX-License-Identifier: GPL-2.0-or-later

internal import CPoppler
internal import DocumentModel
internal import Glibc

/// The bytes of a document in memory, shared by its readers and freed with the last one.
final class DocumentBytes {
  /// As GLib knows them.
  let raw: OpaquePointer

  /// Takes over a mapping.
  ///
  /// - Throws: `memoryLimit` when there is no memory.
  init(_ file: consuming MappedFile) throws(DocumentError) {
    let (base, length) = file.release()
    let mapping = UnsafeMutablePointer<Mapping>.allocate(capacity: 1)
    mapping.initialize(to: Mapping(base: base, length: length))
    let bytes = g_bytes_new_with_free_func(
      base,
      gsize(length),
      { data in
        guard let mapping = data?.assumingMemoryBound(to: Mapping.self) else { return }
        munmap(mapping.pointee.base, mapping.pointee.length)
        mapping.deallocate()
      },
      mapping
    )
    guard let bytes else { throw DocumentError(.memoryLimit, during: "open", "no memory") }
    raw = bytes
  }

  deinit { g_bytes_unref(raw) }

  /// Lends the bytes.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    var count: gsize = 0
    let start = g_bytes_get_data(raw, &count)
    return body(UnsafeRawBufferPointer(start: start, count: Int(count)))
  }

  private struct Mapping {
    let base: UnsafeMutableRawPointer
    let length: Int
  }
}

internal import DocumentModel
internal import PDFStructure
internal import SystemPackage

/// The bytes of a document on a server, which are fetched before they are read.
struct RemoteBytes: ByteSource {
  private let remote: RemoteFile
  private let bytes: FileBytes

  /// The bytes of an open document, which must outlive the value.
  ///
  /// - Throws: `StructureError` as for any file.
  init(_ remote: RemoteFile) throws(StructureError) {
    self.remote = remote
    bytes = try FileBytes(descriptor: remote.reading.descriptor.rawValue)
  }

  var count: Int { bytes.count }

  var isDistant: Bool { true }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(StructureError) {
    guard !buffer.isEmpty else { return }
    try fetch([offset..<offset + buffer.count], isNext: true)
    try bytes.read(into: buffer, at: offset)
  }

  func expect(_ ranges: [Range<Int>]) throws(StructureError) {
    // What is read alone is often followed by what is behind it.
    try fetch(ranges, isNext: ranges.count == 1)
  }

  private func fetch(_ ranges: [Range<Int>], isNext: Bool) throws(StructureError) {
    do throws(DocumentError) {
      try remote.fetch(ranges, isNext: isNext)
    } catch {
      throw StructureError(error.code == .changed ? .changed : .unreadable, "\(error)")
    }
  }
}

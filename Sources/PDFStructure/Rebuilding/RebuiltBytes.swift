/// A file followed by a rebuilt cross-reference.
struct RebuiltBytes: ByteSource {
  /// The file.
  let file: any ByteSource
  /// The bytes after it.
  let tail: [UInt8]

  var count: Int { file.count + tail.count }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(StructureError) {
    let fromFile = min(buffer.count, max(0, file.count - offset))
    if fromFile > 0 {
      let front = UnsafeMutableRawBufferPointer(rebasing: buffer[..<fromFile])
      try file.read(into: front, at: offset)
    }
    guard fromFile < buffer.count else { return }
    let start = offset + fromFile - file.count
    let end = start + buffer.count - fromFile
    guard start >= 0, end <= tail.count else {
      throw StructureError(.changed, "bytes outside the source")
    }
    UnsafeMutableRawBufferPointer(rebasing: buffer[fromFile...]).copyBytes(from: tail[start..<end])
  }
}

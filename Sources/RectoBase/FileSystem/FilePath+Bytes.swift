package import SystemPackage

extension FilePath {
  /// A path from its bytes. It ends before the first zero, if there is one.
  package init(bytes: some Sequence<UInt8>) {
    let text = bytes.map { CChar(bitPattern: $0) } + [0]
    self = text.withUnsafeBufferPointer { buffer in
      // The buffer holds at least the final zero.
      buffer.baseAddress.map { FilePath(platformString: $0) } ?? FilePath()
    }
  }

  /// The bytes of the path.
  package var bytes: [UInt8] {
    withPlatformString { Array(UnsafeRawBufferPointer(start: $0, count: length)) }
  }

  /// The path with a suffix appended to its last component.
  package func appendingToName(_ suffix: String) -> FilePath {
    FilePath(bytes: bytes + Array(suffix.utf8))
  }
}

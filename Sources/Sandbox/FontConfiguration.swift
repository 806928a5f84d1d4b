internal import CLinux
internal import Glibc

/// Files of fontconfig's configuration, searched for the places that they name.
enum FontConfiguration {
  /// Longer files are taken to name any place.
  private static let most = 1 << 18

  /// Whether a directory contains a cache of fontconfig.
  static func hasCache(in folder: String) -> Bool {
    names(in: folder).contains { $0.contains(".cache-") }
  }

  /// The files of a directory of configurations.
  ///
  /// - Parameter folder: The directory; nil for none.
  /// - Returns: The paths of files whose names end in `.conf`; nothing for a directory that cannot be read.
  static func files(in folder: String?) -> [String] {
    guard let folder else { return [] }
    return names(in: folder).filter { $0.hasSuffix(".conf") }.map { "\(folder)/\($0)" }
  }

  private static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      names.append(name)
    }
    return names
  }

  /// What stands in the elements `dir`, `cachedir` and `include` of a file.
  ///
  /// - Parameter file: The path of the file.
  /// - Returns: The texts; nothing for a file that cannot be read, `/` for one that is too long or has an entity in
  ///   such an element.
  static func places(in file: String) -> [String] {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    return withUnsafeTemporaryAllocation(byteCount: most, alignment: 1) { buffer in
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      guard count > 0 else { return [] }
      guard count < buffer.count else { return ["/"] }
      return ["<dir", "<cachedir", "<include"].flatMap { elements($0, in: buffer[..<count]) }
    }
  }

  /// The texts of elements that begin with `start`.
  private static func elements(
    _ start: String,
    in bytes: Slice<UnsafeMutableRawBufferPointer>
  ) -> [String] {
    var rest = UnsafeRawBufferPointer(rebasing: bytes)
    var texts: [String] = []
    while let base = rest.baseAddress,
      let found = memmem(base, rest.count, start, start.utf8.count)
    {
      let end = UnsafeRawPointer(found) - base + start.utf8.count
      rest = UnsafeRawBufferPointer(rebasing: rest[end...])
      guard let open = rest.firstIndex(of: UInt8(ascii: ">")) else { break }
      // An attribute `prefix` other than `xdg` or `default` has another place come before the text.
      let attributes = String(decoding: rest[..<open], as: UTF8.self)
      let text = rest[(open + 1)...].prefix { $0 != UInt8(ascii: "<") }
      let isSimple = !text.contains(UInt8(ascii: "&")) && !attributes.contains("relative")
      texts.append(isSimple ? String(decoding: text, as: UTF8.self) : "/")
    }
    return texts
  }
}

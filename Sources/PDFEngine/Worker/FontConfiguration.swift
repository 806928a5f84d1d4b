// SPDX-License-Identifier: GPL-2.0-or-later

internal import CLinux
internal import Glibc

/// Searches fontconfig's configuration files for the directories that they name.
///
/// Workers that are not started by a template do this first, so it has to be fast: it works on bytes and creates no
/// strings.
struct FontConfiguration {
  /// Longer files are taken to name any place.
  private static let most = 1 << 18
  /// Directories that may be named.
  private let usual: [String]
  private let buffer: UnsafeMutableRawBufferPointer

  /// Whether files name only the usual directories.
  ///
  /// - Parameters:
  ///   - files: The paths of files; unreadable ones are ignored.
  ///   - folders: The paths of directories whose `.conf` files are searched; unreadable ones are ignored.
  ///   - usual: Directories that may be named, and whose contents may be.
  /// - Returns: False if another directory is named or might be: by an element with an entity, or in a file that is too
  ///   long.
  static func isUsual(files: [String], folders: [String], within usual: [String]) -> Bool {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: most, alignment: 16)
    defer { buffer.deallocate() }
    let search = FontConfiguration(usual: usual, buffer: buffer)
    return files.allSatisfy { search.isUsual(AT_FDCWD, $0) }
      && folders.allSatisfy { search.isUsual(folder: $0) }
  }

  /// Whether a directory contains a cache of fontconfig.
  static func hasCache(in folder: String) -> Bool {
    var isFound = false
    eachName(in: folder) { _, name, _ in isFound = isFound || strstr(name, ".cache-") != nil }
    return isFound
  }

  private func isUsual(folder: String) -> Bool {
    var isUsual = true
    Self.eachName(in: folder) { descriptor, name, length in
      guard isUsual, length > 5, strcmp(name + (length - 5), ".conf") == 0 else { return }
      isUsual = self.isUsual(descriptor, name)
    }
    return isUsual
  }

  private func isUsual(_ folder: Int32, _ name: UnsafePointer<CChar>) -> Bool {
    let file = openat(folder, name, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return true }
    defer { close(file) }
    let count = read(file, buffer.baseAddress, buffer.count)
    guard count > 0 else { return true }
    guard count < buffer.count else { return false }
    let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
    return isUsual(bytes, "<dir") && isUsual(bytes, "<cachedir") && isUsual(bytes, "<include")
  }

  /// Whether all elements that begin with `start` name usual directories.
  private func isUsual(_ bytes: UnsafeRawBufferPointer, _ start: StaticString) -> Bool {
    var rest = bytes
    let length = start.utf8CodeUnitCount
    while let base = rest.baseAddress,
      let found = memmem(base, rest.count, start.utf8Start, length)
    {
      rest = UnsafeRawBufferPointer(rebasing: rest[(UnsafeRawPointer(found) - base + length)...])
      guard let open = rest.firstIndex(of: UInt8(ascii: ">")) else { break }
      let end = rest[open...].firstIndex(of: UInt8(ascii: "<")) ?? rest.endIndex
      // An attribute `prefix` other than `xdg` or `default` puts another directory before the text.
      let attributes = UnsafeRawBufferPointer(rebasing: rest[..<open])
      guard !Self.contains(attributes, "relative") else { return false }
      guard isUsual(UnsafeRawBufferPointer(rebasing: rest[(open + 1)..<end])) else { return false }
    }
    return true
  }

  /// Whether the text of an element is a usual directory. Text with an entity is not.
  private func isUsual(_ place: UnsafeRawBufferPointer) -> Bool {
    guard !place.contains(UInt8(ascii: "&")) else { return false }
    // In the user's home, or not absolute.
    guard place.first == UInt8(ascii: "/") else {
      return place.first != UInt8(ascii: "~") || Self.begins(place, with: "~/.font")
    }
    return usual.contains { usual in
      Self.begins(place, with: usual)
        && (place.count == usual.utf8.count || place[usual.utf8.count] == UInt8(ascii: "/"))
    }
  }

  private static func begins(_ bytes: UnsafeRawBufferPointer, with text: String) -> Bool {
    var text = text
    return text.withUTF8 { text in
      guard let start = text.baseAddress, let bytes = bytes.baseAddress.map({ ($0, bytes.count) })
      else { return text.isEmpty }
      return bytes.1 >= text.count && memcmp(bytes.0, start, text.count) == 0
    }
  }

  private static func contains(_ bytes: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
    guard let start = bytes.baseAddress else { return false }
    return memmem(start, bytes.count, text.utf8Start, text.utf8CodeUnitCount) != nil
  }

  /// Calls a function with each name in a directory, its length, and the directory's descriptor.
  private static func eachName(
    in folder: String,
    _ body: (_ folder: Int32, _ name: UnsafePointer<CChar>, _ length: Int) -> Void
  ) {
    guard let stream = opendir(folder) else { return }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      withUnsafePointer(to: &entry.pointee.d_name) { name in
        let name = UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self)
        body(dirfd(stream), name, strlen(name))
      }
    }
  }
}

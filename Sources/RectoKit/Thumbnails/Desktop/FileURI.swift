internal import Glibc
internal import RectoBase
internal import SystemPackage

/// Names of files as URIs, as GLib writes them, because thumbnails are found by a digest of the URI.
package enum FileURI {
  /// The URI of a file, in which each byte is escaped that GLib's `g_filename_to_uri` escapes.
  ///
  /// - Parameter path: An absolute path; see ``absolute(_:)``.
  /// - Returns: `file://` and the path.
  static func uri(_ path: FilePath) -> String {
    var text = "file://"
    for byte in path.bytes {
      if isPlain(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "%" + hexadecimal(byte)
      }
    }
    return text
  }

  /// The path of the file that a URI of this machine names, such as `file:///a%20b` and `file:/a`; nil for anything
  /// else.
  ///
  /// - Parameter uri: Its bytes.
  package static func path(_ uri: [UInt8]) -> [UInt8]? {
    guard uri.starts(with: Array("file:/".utf8)) else { return nil }
    var rest = uri.dropFirst(5)
    if rest.starts(with: Array("//".utf8)) {
      rest = rest.dropFirst(2)
      if rest.starts(with: Array("localhost/".utf8)) { rest = rest.dropFirst(9) }
      guard rest.first == UInt8(ascii: "/") else { return nil }
    }
    guard let path = rest.percentDecoded, !path.contains(0) else { return nil }
    return path
  }

  /// The absolute path of a file, without `.`, `..` and empty components. As in GLib, symbolic links are
  /// not followed, and `PWD` names the current directory if it leads there.
  ///
  /// - Throws: `FileError` if the current directory cannot be told.
  static func absolute(_ path: FilePath) throws(FileError) -> FilePath {
    if path.isAbsolute { return path.lexicallyNormalized() }
    return try currentDirectory().appending(path.components).lexicallyNormalized()
  }

  private static func currentDirectory() throws(FileError) -> FilePath {
    if let variable = getenv("PWD") {
      let path = FilePath(platformString: variable)
      if path.isAbsolute, let node = Files.node(of: path), node == Files.node(of: ".") {
        return path
      }
    }
    guard let buffer = getcwd(nil, 0) else { throw FileError("find", ".", Errno(rawValue: errno)) }
    defer { free(buffer) }
    return FilePath(platformString: buffer)
  }

  /// The bytes of a path that GLib does not escape.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: marks.contains(byte)
    }
  }

  private static let marks = Set("!$&'()*+,-./:=@_~".utf8)

  /// Two digits, in capitals.
  private static func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return digits.count < 2 ? "0" + digits : digits
  }
}

internal import RectoBase
internal import RectoGeometry
internal import SystemPackage

/// The paths of the files for pages of one document.
///
/// A label comes from the document. It becomes part of one file name: slashes, control characters and a leading dot are
/// replaced by `_`. An empty label is replaced by the page number, a long one is shortened to what file systems allow.
struct PagePaths: Sendable {
  private let parts: [FileTemplate.Part]
  private let stem: [UInt8]
  private let folder: [UInt8]
  private let hash: String
  private let fileExtension: String
  private let digits: Int
  /// The number of bytes of the folder common to all paths.
  private let folderLength: Int
  /// The most bytes of a name with a label.
  private let longestName: Int

  /// The most bytes of a name in the file systems of Linux.
  static let longestName = 255

  /// The paths of a template.
  ///
  /// - Parameters:
  ///   - room: Bytes that may be added to a name.
  init(
    _ template: FileTemplate,
    document: FilePath,
    fileExtension: String,
    pageCount: Int,
    room: Int = 0
  ) {
    longestName = Self.longestName - room
    parts = template.parts
    stem =
      FilePath(root: nil, [document.lastComponent].compactMap(\.self)).withoutPDFExtension.bytes
    folder = []
    hash = ""
    self.fileExtension = fileExtension
    digits = String(pageCount).count
    folderLength = template.folderLength
  }

  /// The paths of the pictures of one of many documents.
  init(
    _ template: FileTemplate,
    item: DocumentLibrary.Item,
    fileExtension: String,
    pageCount: Int
  ) {
    let name = item.name
    hash = item.hash
    longestName = Self.longestName
    parts = template.parts
    stem = name.lastComponent.map { FilePath(root: nil, [$0]).bytes } ?? []
    folder = name.removingLastComponent().bytes
    self.fileExtension = fileExtension
    digits = String(pageCount).count
    folderLength = 0
  }

  /// The path of the file for a page below the folder that the template names without placeholders.
  ///
  /// - Returns: The bytes of the path.
  func name(of page: PageIndex, label: String?) -> [UInt8] {
    Array(bytes(of: page, label: label).dropFirst(folderLength))
  }

  /// The path of the file for a page.
  ///
  /// - Parameters:
  ///   - size: The length of the longer side in pixels, for thumbnails.
  func path(of page: PageIndex, label: String?, size: Int = 0) -> FilePath {
    FilePath(bytes: bytes(of: page, label: label, size: size))
  }

  private func bytes(of page: PageIndex, label: String?, size: Int = 0) -> [UInt8] {
    guard parts.contains(.label) else { return bytes(of: page, name: "", size: size) }
    let name = Self.name(from: label ?? "", of: page)
    // Two labels that differ by a byte show how often the label occurs in each name of the path.
    let lengths = ["a", "aa"].map { name in
      bytes(of: page, name: name, size: size)
        .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(\.count)
    }
    let rooms = zip(lengths[0], lengths[1]).filter { $0 < $1 }.map { one, two in
      max(0, longestName - one) / (two - one) + 1
    }
    let short = name.prefix(bytes: rooms.min() ?? 0)
    return bytes(of: page, name: short.isEmpty ? String(page.number) : String(short), size: size)
  }

  /// The bytes of a path.
  ///
  /// - Parameters:
  ///   - name: The label as used in a name.
  ///   - size: The length of the longer side in pixels, for thumbnails.
  private func bytes(of page: PageIndex, name: String, size: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    let slash = UInt8(ascii: "/")
    // Without a directory, the slash after it is removed, too: `{dir}/a` must not be at the root.
    var leavesOutSlash = false
    for part in parts {
      switch part {
      case .text(let text):
        bytes += leavesOutSlash && text.first == slash ? text.dropFirst() : text[...]
      case .stem: bytes += stem
      case .page(let digits): bytes += page.number(digits: digits ?? self.digits).utf8
      case .label: bytes += name.utf8
      case .fileExtension: bytes += fileExtension.utf8
      case .folder: bytes += folder
      case .hash: bytes += hash.utf8
      case .size: bytes += String(size).utf8
      }
      leavesOutSlash = part == .folder && folder.isEmpty && (bytes.last ?? slash) == slash
    }
    return bytes
  }

  /// A label as part of a file name.
  private static func name(from label: String, of page: PageIndex) -> String {
    guard !label.isEmpty else { return String(page.number) }
    var name = ""
    for scalar in label.unicodeScalars {
      name.unicodeScalars.append(isUnsafe(scalar, isFirst: name.isEmpty) ? "_" : scalar)
    }
    return name
  }

  private static func isUnsafe(_ scalar: Unicode.Scalar, isFirst: Bool) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: scalar == "/" || scalar.properties.isBidiControl || (isFirst && scalar == ".")
    }
  }
}

extension String {
  /// The longest prefix of at most that many bytes.
  fileprivate func prefix(bytes: Int) -> Substring {
    var room = bytes
    return prefix { character in
      room -= character.utf8.count
      return room >= 0
    }
  }
}

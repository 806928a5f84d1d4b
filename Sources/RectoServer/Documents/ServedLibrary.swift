internal import Glibc
internal import HTTPTypes
internal import RectoBase
internal import RectoCommand
internal import RectoGeometry
internal import RectoKit
internal import SystemPackage

/// The served documents, by names that do not reveal their paths.
struct ServedLibrary: Sendable {
  /// A document.
  struct Entry: Sendable {
    /// Its name in addresses.
    var id: String
    /// The file, or the document on a server.
    var item: DocumentLibrary.Item
    /// The name of the file.
    var name: String
    /// The folder relative to the given one; empty for that one.
    var folder: String
    /// The folder that links must not lead out of, resolved; nil if links are followed, and for a given file.
    var root: FilePath?

    /// Whether the file is below ``root``. It can be replaced by a link at any time.
    var isInside: Bool {
      guard let root else { return true }
      return item.path.resolved?.starts(with: root) ?? false
    }
  }

  /// The documents, in the order in which they were found.
  let entries: [Entry]
  /// The positions of the documents, by their names in addresses.
  private let positions: [String: Int]

  /// The documents of a library.
  ///
  /// - Parameters:
  ///   - roots: The folders that links must not lead out of, one for each path of the library; nil if links may lead
  ///     anywhere.
  ///   - warn: Called for folders that cannot be read, and for items in folders that are not
  ///     served.
  init(_ library: DocumentLibrary, in roots: [FilePath]?, warn: (FilePath, String) -> Void) {
    for folder in library.unreadable { warn(folder.error.path, "\(folder.error)") }
    let roots = roots?.map(\.resolved)
    var entries: [Entry] = []
    var positions: [String: Int] = [:]
    for item in library.items where positions[item.identifier] == nil {
      let isFound = !item.pathInFolder.isEmpty && item.remote == nil
      let entry = Entry(
        id: item.identifier,
        item: item,
        name: item.path.lastComponent?.string ?? "",
        folder: item.pathInFolder.removingLastComponent().string,
        root: isFound ? roots?[item.source] : nil
      )
      if isFound, let reason = entry.obstacle {
        warn(item.path, reason)
        continue
      }
      positions[item.identifier] = entries.count
      entries.append(entry)
    }
    self.entries = entries
    self.positions = positions
  }

  /// The document with a name; nil if there is none.
  subscript(id: String) -> Entry? { positions[id].map { entries[$0] } }

  /// The document and the page that an identifier of IIIF names: `document;page`.
  ///
  /// - Throws: A problem if there is no such document, or the number is invalid.
  func page(named name: Substring) throws(Problem) -> (Entry, PageIndex) {
    let parts = name.split(separator: ";", omittingEmptySubsequences: false)
    guard parts.count == 2, let entry = self[String(parts[0])],
      let number = Int(parts[1]), String(number) == parts[1], let page = PageIndex(number: number)
    else { throw Problem(.notFound, "there is no such page") }
    return (entry, page)
  }
}

extension ServedLibrary.Entry {
  /// The reason why an item of a folder is not served; nil if it is.
  fileprivate var obstacle: String? {
    guard let status = try? Stat(item.path, followTargetSymlink: false) else { return nil }
    switch status.type {
    case .regular: return nil
    case .symbolicLink:
      guard (try? Files.status(of: item.path))?.type == .regular else { return "is no file" }
      return isInside ? nil : "leads out of the folder; --follow-links serves it"
    default: return "is no file"
    }
  }
}

extension FilePath {
  /// The resolved path; nil if there is no file.
  fileprivate var resolved: FilePath? {
    withPlatformString { realpath($0, nil) }.map { text in
      defer { free(text) }
      return FilePath(platformString: text)
    }
  }
}

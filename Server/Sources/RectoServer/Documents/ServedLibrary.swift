internal import FileSystem
internal import HTTPTypes
internal import PageNumbers
internal import RectoCommand
internal import RectoKit
internal import SystemPackage

/// The documents that are served, by names that say nothing of their paths.
struct ServedLibrary: Sendable {
  /// A document.
  struct Entry: Sendable {
    /// What addresses call it.
    var id: String
    /// The file.
    var path: FilePath
    /// The name of the file.
    var name: String
    /// The folders below the one that was given; empty for none.
    var folder: String
  }

  /// The documents, in the order in which they were found.
  let entries: [Entry]
  /// The positions of the documents, by what addresses call them.
  private let positions: [String: Int]

  /// The documents that paths lead to, as in `recto thumbs`.
  ///
  /// - Parameters:
  ///   - paths: Files and folders.
  ///   - warn: Told about folders that cannot be read.
  init(_ paths: [FilePath], warn: (FilePath, String) -> Void) {
    let library = DocumentLibrary(paths)
    for folder in library.unreadable { warn(folder.error.path, "\(folder.error)") }
    var entries: [Entry] = []
    var positions: [String: Int] = [:]
    for item in library.items where positions[item.identifier] == nil {
      positions[item.identifier] = entries.count
      entries.append(
        Entry(
          id: item.identifier,
          path: item.path,
          name: item.path.lastComponent?.string ?? "",
          folder: item.pathInFolder.removingLastComponent().string
        )
      )
    }
    self.entries = entries
    self.positions = positions
  }

  /// The document with a name; nil if there is none.
  subscript(id: String) -> Entry? { positions[id].map { entries[$0] } }

  /// The document and the page that an identifier of IIIF names: `document;page`.
  ///
  /// - Throws: A problem if there is no such document, or the number is none.
  func page(named name: Substring) throws(Problem) -> (Entry, PageIndex) {
    let parts = name.split(separator: ";", omittingEmptySubsequences: false)
    guard parts.count == 2, let entry = self[String(parts[0])],
      let number = Int(parts[1]), String(number) == parts[1], let page = PageIndex(number: number)
    else { throw Problem(.notFound, "there is no such page") }
    return (entry, page)
  }
}

public import RectoBase
internal import RectoGeometry
public import SystemPackage

/// The documents of a library, each with a unique name for its output.
public struct DocumentLibrary: Hashable, Sendable {
  /// A document of a library.
  public struct Item: Hashable, Sendable {
    /// The path of the file.
    public var path: FilePath
    /// The name of its output: relative to an output folder, without extension.
    public var name: FilePath
    /// The index of the given path that led to it.
    public var source: Int
    /// Its path below the given folder; empty for a file that was given itself.
    public var pathInFolder: FilePath
    /// Where the document is, if it is on a server.
    package var remote: RemoteDocument?
    /// Sixteen hexadecimal digits made from the path, below ``DocumentLibrary/base`` if there is one, and from the
    /// number in the name.
    package var hash = ""

    /// Sixteen hexadecimal digits made from ``name``: the same in every process that is given the same
    /// library.
    public var identifier: String { DocumentLibrary.digits(StableDigest(name)) }
  }

  /// A folder that cannot be read.
  public struct UnreadableFolder: Error, Hashable, Sendable {
    /// The error; it names the folder.
    public var error: FileError
    /// The index of the given path that led to it.
    public var source: Int
    /// Its path below the given folder; empty for that folder.
    public var pathInFolder: FilePath
  }

  /// The documents, in the order in which they were found.
  public private(set) var items: [Item] = []
  /// The folders that cannot be read; their documents are not in ``items``.
  public private(set) var unreadable: [UnreadableFolder] = []
  /// The indices of given paths that are folders without documents.
  public private(set) var emptyFolders: [Int] = []
  /// The directory below which documents keep their path in their name; nil for the given directories. Normalized.
  private let base: FilePath?
  /// The number of paths that have been added.
  public private(set) var pathCount = 0
  /// The pages that get a thumbnail.
  private let pages: ThumbnailPages
  /// Whether names that begin with a dot are searched too.
  private let includesHidden: Bool
  /// Names the files; nil for the path of the document.
  private let template: FileTemplate?
  /// Digests of used names, so that millions of them need little memory. On a collision a name only gets an unnecessary
  /// number.
  private var names: Set<StableDigest> = []

  /// A library without documents.
  ///
  /// - Parameters:
  ///   - pages: The pages that get a thumbnail. With more than the first, names are kept apart from
  ///     those of single pages: `a-01` is page 1 of `a`.
  ///   - includesHidden: Whether names that begin with a dot are searched too.
  ///   - template: Names the thumbnails, and decides which documents would have the same ones; nil names
  ///     them by the path of the document.
  public init(
    pages: ThumbnailPages = .first,
    includesHidden: Bool = false,
    template: FileTemplate? = nil
  ) {
    self.init(pages: pages, includesHidden: includesHidden, template: template, base: nil)
  }

  /// An empty library whose names can be relative to a directory.
  ///
  /// - Parameter base: The directory below which documents keep their path in their name; nil for the given
  ///   directories.
  package init(
    pages: ThumbnailPages = .first,
    includesHidden: Bool = false,
    template: FileTemplate? = nil,
    base: FilePath?
  ) {
    self.pages = pages
    self.includesHidden = includesHidden
    self.template = template
    self.base = base?.lexicallyNormalized()
  }

  /// Finds documents: given files, and `*.pdf` in given folders.
  ///
  /// Documents in a folder keep their path relative to it as a name. Documents that would get the
  /// same name get `~2`, `~3`, …, in the order in which they are found. Symbolic links to folders are not followed.
  /// Files and folders that begin with a dot are skipped.
  ///
  /// - Parameters:
  ///   - paths: Files and folders. A file need not exist: opening it fails later.
  ///   - pages: The pages that get a thumbnail. With more than the first, names are kept apart from
  ///     those of single pages: `a-01` is page 1 of `a`.
  ///   - includesHidden: Whether names that begin with a dot are searched too.
  ///   - template: Names the thumbnails; nil names them by the path of the document.
  /// - Complexity: O(*n* log *n*) in the number of files found.
  public init(
    _ paths: [FilePath],
    pages: ThumbnailPages = .first,
    includesHidden: Bool = false,
    template: FileTemplate? = nil
  ) {
    self.init(pages: pages, includesHidden: includesHidden, template: template)
    for path in paths { add(path) }
  }

  /// Whether a file in a folder is a document, by its name: whether it ends in `.pdf`, in any case.
  public static func isDocument(named name: [UInt8]) -> Bool {
    FilePath(bytes: name).hasPDFExtension
  }

  /// Adds the documents at a path: the file itself, or those in a folder.
  ///
  /// - Complexity: O(*n* log *n*) in the number of files found.
  public mutating func add(_ path: FilePath) {
    let source = pathCount
    pathCount += 1
    if (try? Files.status(of: path))?.type == .directory {
      let before = items.count + unreadable.count
      find(Search(source: source, pages: pages, includesHidden: includesHidden), in: path)
      if items.count + unreadable.count == before { emptyFolders.append(source) }
    } else {
      addFile(path, source)
    }
  }

  /// Adds a document whose contents are known already; its path is only a name.
  package mutating func add(contentsNamed path: FilePath) {
    pathCount += 1
    addFile(path, pathCount - 1)
  }

  /// Adds a document on a server.
  package mutating func add(_ document: RemoteDocument) {
    pathCount += 1
    addFile(document.address.path, pathCount - 1, document)
  }

  /// Adds the documents among objects of a store.
  ///
  /// - Parameters:
  ///   - objects: Objects below the prefix.
  ///   - prefix: The prefix.
  ///   - source: The index of the path that it is.
  /// - Returns: The addresses of documents that cannot be fetched: their keys have control characters, or parts that are
  ///   `.` or `..`.
  package mutating func add(
    _ objects: [ListedObject],
    below prefix: RemoteDocument,
    _ source: Int
  ) -> [[UInt8]] {
    var refused: [[UInt8]] = []
    let key = prefix.address.object?.key ?? ""
    let bucket = prefix.address.object?.bucket ?? ""
    for object in objects where object.isDocument {
      guard let document = prefix.object(object) else {
        refused.append(Array("s3://\(bucket)/\(object.key)".utf8))
        continue
      }
      // The names of files are made of it.
      let name = String(decoding: object.key.utf8.dropFirst(key.utf8.count), as: UTF8.self)
      let path = FilePath(root: nil, FilePath("/\(name)").components)
      guard path.components.allSatisfy({ $0.kind == .regular }) else {
        refused.append(Array(document.address.shown.utf8))
        continue
      }
      guard path.hasPDFExtension,
        includesHidden || !path.components.contains(where: { $0.string.hasPrefix(".") })
      else { continue }
      add(
        Item(
          path: document.address.path,
          name: path,
          source: source,
          pathInFolder: path,
          remote: document
        ),
        pages
      )
    }
    return refused
  }

  /// Counts a path without adding documents.
  package mutating func skip() { pathCount += 1 }

  private mutating func addFile(
    _ path: FilePath,
    _ source: Int,
    _ remote: RemoteDocument? = nil
  ) {
    var name = FilePath(root: nil, [path.lastComponent].compactMap(\.self))
    if remote != nil, path.lastComponent?.kind != .regular { name = "document" }
    add(
      Item(path: path, name: name, source: source, pathInFolder: FilePath(), remote: remote),
      pages
    )
  }

  /// Whether a path is below the directory that names are relative to.
  package func isBelowBase(_ path: FilePath) -> Bool {
    guard let base else { return true }
    return relative(path, to: base) != nil
  }

  /// The path below a directory; nil if it is not below it.
  private func relative(_ path: FilePath, to base: FilePath) -> FilePath? {
    var path = path.lexicallyNormalized()
    guard !base.isEmpty, base != "." else {
      return path.isAbsolute || path.components.first?.kind == .parentDirectory ? nil : path
    }
    return path.removePrefix(base) ? path : nil
  }

  /// Sixteen hexadecimal digits.
  private static func digits(_ digest: StableDigest) -> String {
    let digits = String(digest.value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Removes the documents and folders found so far. Their names stay reserved, so that later documents get others.
  public mutating func removeFound() {
    items.removeAll(keepingCapacity: true)
    unreadable.removeAll()
    emptyFolders.removeAll()
  }

  /// The kinds of files to find below a folder.
  private struct Search {
    /// The index of the given folder among the paths.
    var source: Int
    var pages: ThumbnailPages
    var includesHidden: Bool
  }

  /// Finds the documents below a folder.
  ///
  /// - Parameters:
  ///   - below: The path of the folder relative to the given folder.
  private mutating func find(
    _ search: Search,
    in folder: FilePath,
    below: FilePath = FilePath()
  ) {
    let entries: [Files.Entry]
    do {
      entries = try Files.entries(of: folder)
    } catch {
      unreadable.append(
        UnreadableFolder(error: error, source: search.source, pathInFolder: below)
      )
      return
    }
    for entry in entries where search.includesHidden || !entry.isHidden {
      let path = folder.appending(entry.name)
      let relative = below.appending(entry.name)
      if entry.isDirectory {
        find(search, in: path, below: relative)
      } else if relative.hasPDFExtension {
        let item = Item(path: path, name: relative, source: search.source, pathInFolder: relative)
        add(item, search.pages)
      }
    }
  }

  /// Adds a document under its name without extension, or under the first numbered one that is free.
  private mutating func add(_ item: Item, _ pages: ThumbnailPages) {
    let below = base.flatMap { relative(item.path, to: $0) }
    let wanted = (below ?? item.name).withoutPDFExtension
    let path = (below ?? item.path).bytes
    var item = item
    item.name = wanted
    item.hash = Self.digits(StableDigest(path))
    var number = 1
    while !names.insert(digest(of: item)).inserted
      || (pages != .first && isNameOfPage(item.name))
    {
      number += 1
      item.name = wanted.appendingToName("~\(number)")
      item.hash = Self.digits(StableDigest(path + "~\(number)".utf8))
    }
    items.append(item)
  }

  /// The digest that must be unique: of the name, or of the template's path for page 1.
  private func digest(of item: Item) -> StableDigest {
    guard let template else { return StableDigest(item.name) }
    let paths = PagePaths(template, item: item, fileExtension: "", pageCount: 1)
    return StableDigest(paths.path(of: 0, label: nil).lexicallyNormalized())
  }

  /// Whether a name may be that of a page of another document, like `a-01` of `a`.
  private func isNameOfPage(_ name: FilePath) -> Bool {
    guard template == nil else { return false }
    let text = name.string
    let digits = text.reversed().prefix(while: \.isASCIIDigit)
    guard !digits.isEmpty, text.dropLast(digits.count).last == "-" else { return false }
    return names.contains(StableDigest(FilePath(String(text.dropLast(digits.count + 1)))))
  }
}

extension FilePath {
  /// Whether the name ends in `.pdf`, in any case.
  fileprivate var hasPDFExtension: Bool { self.extension?.lowercased() == "pdf" }

  /// The path without `.pdf`, in any case, at its end.
  var withoutPDFExtension: FilePath {
    guard hasPDFExtension else { return self }
    var path = self
    path.extension = nil
    return path
  }
}

public import FileSystem
public import SystemPackage

/// The documents of a library, each with a name of its own for what is made from it.
public struct DocumentLibrary: Hashable, Sendable {
  /// A document of a library.
  public struct Item: Hashable, Sendable {
    /// The path of the file.
    public var path: FilePath
    /// The name of what is made from it: relative to an output folder, without extension.
    public var name: FilePath
  }

  /// The documents, in the order in which they were found.
  public private(set) var items: [Item] = []
  /// The names of ``items``.
  private var names: Set<FilePath> = []

  /// Finds documents: files as they are given, folders searched for `*.pdf`.
  ///
  /// Documents in a folder keep their path relative to it as a name. Documents that would get the
  /// same name get `~2`, `~3`, …, in the order in which they are found. Symbolic links to folders
  /// are not followed.
  ///
  /// - Parameters:
  ///   - paths: Files and folders. A file need not exist: opening it fails later.
  ///   - pages: The pages that get a thumbnail. With more than the first, names are kept apart from
  ///     those of single pages: `a-01` is page 1 of `a`.
  /// - Throws: The error of a folder that cannot be read.
  /// - Complexity: O(*n* log *n*) in the number of files found.
  public init(_ paths: [FilePath], pages: ThumbnailPages = .first) throws(FileError) {
    for path in paths {
      if (try? Files.status(of: path))?.type == .directory {
        try search(path, below: FilePath(), pages)
      } else {
        add(path, FilePath(root: nil, [path.lastComponent].compactMap(\.self)), pages)
      }
    }
  }

  /// Finds the documents below a folder.
  ///
  /// - Parameters:
  ///   - folder: The folder to read.
  ///   - below: The path of the folder relative to the folder that was given.
  ///   - pages: The pages that get a thumbnail.
  /// - Throws: The error of a folder that cannot be read.
  private mutating func search(
    _ folder: FilePath,
    below: FilePath,
    _ pages: ThumbnailPages
  ) throws(FileError) {
    for entry in try Files.entries(of: folder) {
      let path = folder.appending(entry.name)
      let relative = below.appending(entry.name)
      if entry.isDirectory {
        try search(path, below: relative, pages)
      } else if relative.hasPDFExtension {
        add(path, relative, pages)
      }
    }
  }

  /// Adds a document under its relative path, or under the first numbered name that is free.
  private mutating func add(_ path: FilePath, _ relative: FilePath, _ pages: ThumbnailPages) {
    let wanted = relative.withoutPDFExtension
    var name = wanted
    var number = 1
    while !names.insert(name).inserted || (pages != .first && isNameOfPage(name)) {
      number += 1
      name = wanted.appendingToName("~\(number)")
    }
    items.append(Item(path: path, name: name))
  }

  /// Whether a name may be that of a page of another document, as `a-01` of `a`.
  private func isNameOfPage(_ name: FilePath) -> Bool {
    let text = name.string
    let digits = text.reversed().prefix(while: \.isASCIIDigit)
    guard !digits.isEmpty, text.dropLast(digits.count).last == "-" else { return false }
    return names.contains(FilePath(String(text.dropLast(digits.count + 1))))
  }
}

extension FilePath {
  /// Whether the name ends in `.pdf`, in any case.
  fileprivate var hasPDFExtension: Bool { self.extension?.lowercased() == "pdf" }

  fileprivate var withoutPDFExtension: FilePath {
    guard hasPDFExtension else { return self }
    var path = self
    path.extension = nil
    return path
  }
}

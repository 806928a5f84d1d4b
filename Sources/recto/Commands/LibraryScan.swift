internal import FileSystem
internal import SystemPackage

/// Finds the documents of a library and gives each a name of its own.
struct LibraryScan {
  /// How many thumbnails a document gets; decides which names could meet.
  enum Naming {
    case one
    case many
  }

  /// A document, and the name (relative to the output folder, without ending) of what is made
  /// from it.
  struct Item: Sendable {
    var path: FilePath
    var stem: FilePath
  }

  let naming: Naming

  init(naming: Naming) {
    self.naming = naming
  }

  /// The documents under `paths`: files as they are given, folders searched for *.pdf.
  ///
  /// Documents in a folder keep their relative path. Two documents that would get the same name
  /// get `~2`, `~3`, …, in the order in which they are found.
  ///
  /// - Throws: A failure with exit code 66 for a folder that cannot be read.
  func items(_ paths: [FilePath]) throws(Failure) -> [Item] {
    var items: [Item] = []
    var taken: Set<FilePath> = []
    func add(_ path: FilePath, _ stem: FilePath) {
      var name = stem
      var number = 1
      while !taken.insert(name).inserted || (naming == .many && meets(name, taken)) {
        number += 1
        name = stem.appendingToName("~\(number)")
      }
      items.append(Item(path: path, stem: name))
    }
    for path in paths {
      if (try? Files.status(of: path))?.type == .directory {
        do {
          try search(path, below: FilePath(), add)
        } catch {
          throw Failure(
            exitCode: .noInput,
            code: "unreadable",
            path: error.path,
            page: nil,
            message: "\(error)"
          )
        }
      } else {
        add(path, FilePath(root: nil, [path.lastComponent].compactMap(\.self)).withoutPDFEnding)
      }
    }
    return items
  }

  /// Finds the documents below a folder.
  ///
  /// - Parameters:
  ///   - folder: The folder to read.
  ///   - below: The path of the folder relative to the folder that was given.
  ///   - add: Called with the path of each document and its relative path without ending.
  /// - Throws: The error of a folder that cannot be read.
  private func search(
    _ folder: FilePath,
    below: FilePath,
    _ add: (FilePath, FilePath) -> Void
  ) throws(FileError) {
    for entry in try Files.entries(of: folder) {
      let path = folder.appending(entry.name)
      let relative = below.appending(entry.name)
      if entry.isDirectory {
        try search(path, below: relative, add)
      } else if relative.hasPDFEnding {
        add(path, relative.withoutPDFEnding)
      }
    }
  }

  /// Whether `a-01` as a document's name meets page 1 of the document `a`.
  private func meets(_ name: FilePath, _ taken: Set<FilePath>) -> Bool {
    let text = name.string
    let digits = text.reversed().prefix { $0.isASCIIDigit }
    guard !digits.isEmpty, text.dropLast(digits.count).last == "-" else { return false }
    return taken.contains(FilePath(String(text.dropLast(digits.count + 1))))
  }
}

extension FilePath {
  /// Whether the name ends in `.pdf`, in any case.
  fileprivate var hasPDFEnding: Bool { self.extension?.lowercased() == "pdf" }

  fileprivate var withoutPDFEnding: FilePath {
    guard hasPDFEnding else { return self }
    var path = self
    path.extension = nil
    return path
  }

  /// The path with `suffix` appended to its last component.
  func appendingToName(_ suffix: String) -> FilePath {
    FilePath(bytes: bytes + Array(suffix.utf8))
  }

  /// A path from its bytes, of which none is zero: it would end there.
  init(bytes: some Sequence<UInt8>) {
    let text = bytes.map { CChar(bitPattern: $0) } + [0]
    self = text.withUnsafeBufferPointer { buffer in
      // The buffer holds at least the final zero.
      buffer.baseAddress.map { FilePath(platformString: $0) } ?? FilePath()
    }
  }
}

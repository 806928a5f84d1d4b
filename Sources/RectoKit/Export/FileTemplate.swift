internal import FileSystem
public import PageNumbers
public import SystemPackage

/// Where the files for pages of a document go, with placeholders for what tells them apart:
/// `out/{stem}-{page}.{ext}`.
///
/// | placeholder | text |
/// |---|---|
/// | `{stem}` | the name of the document without `.pdf` |
/// | `{page}` | the page number, padded with zeros to the digits of the page count |
/// | `{page:3}`, `{page:03}` | the page number, padded with zeros to three digits |
/// | `{label}` | the label of the page, see `PagePaths` |
/// | `{ext}` | the extension of the format, such as `png` |
/// | `{{`, `}}` | a brace |
public struct FileTemplate: Hashable, Sendable {
  /// A piece of a template.
  enum Part: Hashable, Sendable {
    case text([UInt8])
    case stem
    /// Padded to so many digits; nil for the digits of the page count.
    case page(digits: Int?)
    case label
    case fileExtension
  }

  let parts: [Part]

  /// Files in a directory under their default names: `{stem}-{page}.{ext}`.
  ///
  /// - Parameters:
  ///   - folder: The directory; empty for the current one.
  ///   - hasExtension: Whether the names end in `.{ext}`.
  public init(in folder: FilePath = FilePath(), hasExtension: Bool = true) {
    let start = folder.isEmpty ? [] : folder.bytes + [UInt8(ascii: "/")]
    parts =
      [.text(start), .stem, .text(Array("-".utf8)), .page(digits: nil)]
      + (hasExtension ? [.text(Array(".".utf8)), .fileExtension] : [])
  }

  /// A template from a path with placeholders.
  ///
  /// - Throws: An error that names what is not a placeholder.
  public init(_ path: FilePath) throws(FileTemplateError) {
    var parts: [Part] = []
    for piece in try PathPlaceholders.parts(of: path, { FileTemplateError.singleBrace($0) }) {
      switch piece {
      case .text(let text): parts.append(.text(text))
      case .placeholder(let name):
        guard let part = Part(name) else { throw .unknownPlaceholder(name) }
        parts.append(part)
      }
    }
    self.parts = parts
  }

  /// Whether the files of different pages have different paths, whatever their labels are.
  var separatesPages: Bool { hasPage && !hasLabel }

  /// Whether paths depend on the page number.
  var hasPage: Bool { parts.contains { if case .page = $0 { true } else { false } } }

  /// The number of bytes of the directory that all files are below: up to the last slash in front of the
  /// first placeholder.
  var folderLength: Int {
    guard case .text(let text) = parts.first else { return 0 }
    return text.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
  }

  /// Whether paths depend on the label of the page.
  var hasLabel: Bool { parts.contains(.label) }
}

extension FileTemplate.Part {
  /// The placeholder with a name; nil if there is none.
  fileprivate init?(_ name: String) {
    switch name {
    case "stem": self = .stem
    case "label": self = .label
    case "ext": self = .fileExtension
    default:
      guard let digits = PathPlaceholders.digits(name, of: "page") else { return nil }
      self = .page(digits: digits)
    }
  }
}

/// Why a template is not one, or cannot name the files of some pages.
public enum FileTemplateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A placeholder that there is not.
  case unknownPlaceholder(String)
  /// `{` without `}`, or the other way around.
  case singleBrace(String)
  /// The files of all pages would have the same path; the number of pages.
  case onePath(pageCount: Int)
  /// The files of two pages would have the same path.
  case samePath(FilePath, PageIndex, PageIndex)

  /// One line.
  public var description: String {
    switch self {
    case .unknownPlaceholder(let name):
      "unknown placeholder {\(name)}; there are {stem}, {page}, {page:03}, {label} and {ext}"
    case .singleBrace(let brace): "single \(brace); write \(brace)\(brace) for a brace"
    case .onePath(let pageCount):
      "\(pageCount) pages would be written to one file; add {page} or {label}, or / at the end for a directory"
    case .samePath(let path, let first, let second):
      "pages \(first.number) and \(second.number) would both be written to \(path); add {page}"
    }
  }
}

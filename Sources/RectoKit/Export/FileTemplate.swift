internal import RectoBase
public import RectoGeometry
public import SystemPackage

/// The paths of the files for pages of a document, with placeholders: `out/{stem}-{page}.{ext}`.
///
/// | placeholder | text |
/// |---|---|
/// | `{stem}` | the name of the document without `.pdf` |
/// | `{page}` | the page number, padded with zeros to the digits of the page count |
/// | `{page:3}`, `{page:03}` | the page number, padded with zeros to three digits |
/// | `{label}` | the label of the page, see `PagePaths` |
/// | `{ext}` | the extension of the format, such as `png` |
/// | `{dir}` | thumbnails only: the directory of the document below the given directory; empty for a document that was
/// given itself |
/// | `{hash}` | thumbnails only: sixteen digits made from the path of the document |
/// | `{size}` | thumbnails only: the length of the longer side in pixels |
/// | `{{`, `}}` | a brace |
public struct FileTemplate: Hashable, Sendable {
  /// A piece of a template.
  enum Part: Hashable, Sendable {
    case text([UInt8])
    case stem
    /// Padded to a number of digits; nil for the digits of the page count.
    case page(digits: Int?)
    case label
    case fileExtension
    case folder
    case hash
    case size
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

  /// The paths of thumbnails below their directory without a template: `{dir}/{stem}.{ext}`, with the page number if
  /// documents have more than one picture, and in a directory for each size if there are several.
  ///
  /// - Parameters:
  ///   - hasNumber: Whether the page number follows the name.
  ///   - hasSize: Whether there is a directory for each size.
  init(thumbnailsWithNumber hasNumber: Bool, hasSize: Bool) {
    let slash = Part.text([UInt8(ascii: "/")])
    let number: [Part] = [.text(Array("-".utf8)), .page(digits: nil)]
    parts =
      (hasSize ? [.size, slash] : []) + [.folder, slash, .stem] + (hasNumber ? number : [])
      + [.text([UInt8(ascii: ".")]), .fileExtension]
  }

  /// Pictures of many documents below a directory: `{dir}/{stem}-{page}.{ext}`.
  ///
  /// - Parameter folder: The directory; empty for the current one.
  package init(below folder: FilePath) {
    let slash = UInt8(ascii: "/")
    let start = folder.isEmpty ? [] : folder.bytes + [slash]
    parts =
      [.text(start), .folder, .text([slash]), .stem, .text(Array("-".utf8)), .page(digits: nil)]
      + [.text([UInt8(ascii: ".")]), .fileExtension]
  }

  /// A template from a path with placeholders.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - isForThumbnails: Whether `{dir}`, `{hash}` and `{size}` are placeholders.
  /// - Throws: An error with the invalid placeholder.
  public init(_ path: FilePath, isForThumbnails: Bool = false) throws(FileTemplateError) {
    var parts: [Part] = []
    for piece in try PathPlaceholders.parts(of: path, { FileTemplateError.singleBrace($0) }) {
      switch piece {
      case .text(let text): parts.append(.text(text))
      case .placeholder(let name):
        guard let part = Part(name, isForThumbnails) else {
          throw .unknownPlaceholder(name, isForThumbnails: isForThumbnails)
        }
        parts.append(part)
      }
    }
    self.parts = parts
  }

  /// Whether the files of different pages have different paths, whatever their labels are.
  var separatesPages: Bool { hasPage && !hasLabel }

  /// Whether paths depend on the page number.
  var hasPage: Bool { parts.contains { if case .page = $0 { true } else { false } } }

  /// Whether paths depend on the size of thumbnails.
  package var hasSize: Bool { parts.contains(.size) }

  /// The directory before the first placeholder; empty for the current one.
  public var fixedFolder: FilePath {
    guard case .text(let text) = parts.first else { return FilePath() }
    return FilePath(bytes: text[..<folderLength])
  }

  /// Checks that a template gives all thumbnails different paths.
  ///
  /// - Parameters:
  ///   - hasPages: Whether documents have thumbnails of more than one page.
  ///   - hasSizes: Whether pages have thumbnails of more than one size.
  /// - Throws: `missing` with the missing placeholder.
  public func requireThumbnails(
    hasPages: Bool,
    hasSizes: Bool
  ) throws(FileTemplateError) {
    guard parts.contains(.stem) || parts.contains(.hash) else {
      throw .missing("{stem}", "documents")
    }
    guard !hasPages || hasPage else { throw .missing("{page}", "pages") }
    guard !hasSizes || parts.contains(.size) else { throw .missing("{size}", "sizes") }
  }

  /// The number of bytes of the common directory: up to the last slash before the first placeholder.
  var folderLength: Int {
    guard case .text(let text) = parts.first else { return 0 }
    return text.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
  }

  /// Whether paths depend on the label of the page.
  var hasLabel: Bool { parts.contains(.label) }
}

extension FileTemplate: CustomStringConvertible {
  /// The typed template; bytes that are not UTF-8 are replaced.
  public var description: String { parts.map(\.description).joined() }
}

extension FileTemplate.Part: CustomStringConvertible {
  var description: String {
    switch self {
    case .text(let bytes):
      String(decoding: bytes, as: UTF8.self).map { $0 == "{" ? "{{" : $0 == "}" ? "}}" : "\($0)" }
        .joined()
    case .stem: "{stem}"
    case .page(nil): "{page}"
    case .page(let digits?): "{page:\(digits)}"
    case .label: "{label}"
    case .fileExtension: "{ext}"
    case .folder: "{dir}"
    case .hash: "{hash}"
    case .size: "{size}"
    }
  }
}

extension FileTemplate.Part {
  /// The placeholder with a name; nil if there is none.
  fileprivate init?(_ name: String, _ isForThumbnails: Bool) {
    switch name {
    case "dir" where isForThumbnails: self = .folder
    case "hash" where isForThumbnails: self = .hash
    case "size" where isForThumbnails: self = .size
    case "stem": self = .stem
    case "label": self = .label
    case "ext": self = .fileExtension
    default:
      guard let digits = PathPlaceholders.digits(name, of: "page") else { return nil }
      self = .page(digits: digits)
    }
  }
}

/// Why a template is invalid, or does not fit some pages.
public enum FileTemplateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// An unknown placeholder.
  case unknownPlaceholder(String, isForThumbnails: Bool)
  /// `{` without `}`, or the other way around.
  case singleBrace(String)
  /// All pages would have the same path; with the number of pages.
  case onePath(pageCount: Int)
  /// A missing placeholder, without which thumbnails would have the same path, and what it
  /// distinguishes.
  case missing(String, String)
  /// The files of two pages would have the same path.
  case samePath(FilePath, PageIndex, PageIndex)

  /// One line.
  public var description: String {
    switch self {
    case .unknownPlaceholder(let name, let isForThumbnails):
      "unknown placeholder {\(name)}; there are "
        + (isForThumbnails ? "{dir}, {size}, " : "")
        + "{stem}, {page}, {page:03}, {label} and {ext}"
    case .missing(let placeholder, let what):
      "several \(what) would be written to one file; add \(placeholder)"
    case .singleBrace(let brace): "single \(brace); write \(brace)\(brace) for a brace"
    case .onePath(let pageCount):
      "\(pageCount) pages would be written to one file; add {page} or {label}, or / at the end for a directory"
    case .samePath(let path, let first, let second):
      "pages \(first.number) and \(second.number) would both be written to \(path); add {page}"
    }
  }
}

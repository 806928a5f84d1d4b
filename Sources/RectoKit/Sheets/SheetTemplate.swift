internal import RectoBase
public import SystemPackage

/// The paths of contact sheets, with placeholders: `sheets/{sheet:03}.png`.
///
/// | placeholder | text |
/// |---|---|
/// | `{sheet}` | the number of the sheet, from 1 |
/// | `{sheet:3}`, `{sheet:03}` | the number of the sheet, padded with zeros to three digits |
/// | `{shard}` | the number of the shard, from 1 |
/// | `{{`, `}}` | a brace |
///
/// Without `{sheet}`, the first sheet has the path itself, and the others get `-2`, `-3`, … before the extension,
/// because their number is not known when the first one is written.
public struct SheetTemplate: Hashable, Sendable {
  private enum Part: Hashable, Sendable {
    case text([UInt8])
    /// Padded to a number of digits.
    case sheet(digits: Int)
    case shard
  }

  private let parts: [Part]
  private let shard: Int?

  /// A template from a path with placeholders.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - shard: The number of the shard; nil for all documents.
  /// - Throws: An error with the reason.
  public init(_ path: FilePath, shard: Int? = nil) throws(SheetTemplateError) {
    var parts: [Part] = []
    for part in try PathPlaceholders.parts(of: path, { SheetTemplateError.singleBrace($0) }) {
      switch part {
      case .text(let text): parts.append(.text(text))
      case .placeholder("shard"): parts.append(.shard)
      case .placeholder(let name):
        guard let digits = PathPlaceholders.digits(name, of: "sheet") else {
          throw .unknownPlaceholder(name)
        }
        parts.append(.sheet(digits: digits ?? 1))
      }
    }
    self.parts = parts
    self.shard = shard
    guard shard == nil || parts.contains(.shard) else { throw .noShard }
    guard shard != nil || !parts.contains(.shard) else { throw .unusedShard }
  }

  /// The path of a sheet.
  ///
  /// - Parameter number: The number of the sheet, from 1.
  /// - Returns: The path.
  public func path(of number: Int) -> FilePath {
    var bytes: [UInt8] = []
    var isNumbered = false
    for part in parts {
      switch part {
      case .text(let text): bytes += text
      case .shard: bytes += String(shard ?? 1).utf8
      case .sheet(let digits):
        isNumbered = true
        let text = String(number)
        bytes += String(repeating: "0", count: max(0, digits - text.count)).utf8
        bytes += text.utf8
      }
    }
    let path = FilePath(bytes: bytes)
    guard !isNumbered, number > 1 else { return path }
    guard let name = path.lastComponent else { return path.appendingToName("-\(number)") }
    var changed = FilePath(root: nil, [name])
    let ending = changed.extension
    changed.extension = nil
    changed = changed.appendingToName("-\(number)")
    if let ending { changed = changed.appendingToName(".\(ending)") }
    return path.removingLastComponent().pushing(changed)
  }
}

/// Why a template of sheets is invalid.
public enum SheetTemplateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// An unknown placeholder.
  case unknownPlaceholder(String)
  /// `{` without `}`, or the other way around.
  case singleBrace(String)
  /// Other shards would write the same files.
  case noShard
  /// There are no shards.
  case unusedShard

  /// One line.
  public var description: String {
    switch self {
    case .unknownPlaceholder(let name):
      "unknown placeholder {\(name)}; there are {sheet}, {sheet:03} and {shard}"
    case .singleBrace(let brace): "single \(brace); write \(brace)\(brace) for a brace"
    case .noShard: "needs {shard} with --shard, so that parts do not write the same files"
    case .unusedShard: "{shard} needs --shard"
    }
  }
}

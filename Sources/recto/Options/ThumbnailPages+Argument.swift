public import ArgumentParser
public import RectoKit

extension ThumbnailPages: ExpressibleByArgument {
  /// Pages from the text of an option, for its `transform`.
  ///
  /// - Throws: ``PageListSyntaxError``, whose words the parser adds to its message.
  static func parse(_ argument: String) throws -> ThumbnailPages {
    try ThumbnailPages(argument: argument) ?? .list(PageList(parsing: argument))
  }

  /// Pages from `first`, `all` or a list.
  public init?(argument: String) {
    switch argument {
    case "first": self = .first
    case "all": self = .all
    default:
      guard let list = PageList(argument) else { return nil }
      self = .list(list)
    }
  }

  /// The default of `--pages`.
  public var defaultValueDescription: String { "first" }
}

public import ArgumentParser
public import RectoKit

extension ThumbnailPages: ExpressibleByArgument {
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

extension ValueReader<ThumbnailPages> {
  /// `first`, `all` or a list of pages.
  static var thumbnailPages: Self {
    Self { text throws(InvalidValue) in
      if let pages = ThumbnailPages(argument: text) { return pages }
      return .list(try ValueReader<PageList>.pages.read(text))
    }
  }
}

public import ArgumentParser
internal import RectoGeometry
package import RectoKit

extension ThumbnailPages: ExpressibleByArgument {
  /// Pages from `first`, `all` or a list.
  package init?(argument: String) {
    switch argument {
    case "first": self = .first
    case "all": self = .all
    default:
      guard let list = PageList(argument) else { return nil }
      self = .list(list)
    }
  }

  /// A text that depends only on the pages, not on their syntax.
  var text: String {
    switch self {
    case .first: "first"
    case .all: "all"
    case .list(let list): list.items.map(\.text).joined(separator: ",")
    }
  }

  /// The default of `--pages`.
  package var defaultValueDescription: String { "first" }
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

extension PageList.Item {
  /// The item as text; quotation marks of labels are not doubled.
  fileprivate var text: String {
    let parity = parity.map { $0 == .odd ? ":odd" : ":even" } ?? ""
    return "\(first.text)-\(last.text)\(parity)"
  }
}

extension PageList.Number {
  fileprivate var text: String {
    switch self {
    case .page(let page): "\(page.number)"
    case .last: "z"
    case .label(let label): "label:'\(label)'"
    }
  }
}

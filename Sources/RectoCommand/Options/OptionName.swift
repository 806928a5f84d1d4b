internal import PageLayout

/// The name of an option on the command line and in requests.
struct OptionName: Hashable, Sendable {
  /// In camel case: `pageGap`.
  let camelCase: String
  /// The member of a request of `serve` that contains the option.
  let member: String?

  /// An option of the layout.
  init(_ camelCase: String) {
    self.camelCase = camelCase
    member = "layout"
  }

  /// An option that is a separate member of requests.
  private init(member camelCase: String) {
    self.camelCase = camelCase
    member = nil
  }

  /// As it is typed: `--page-gap`.
  var typed: String { "--\(camelCase.inKebabCase)" }

  /// As a request names it: `layout.pageGap`.
  var requested: String { member.map { "\($0).\(camelCase)" } ?? camelCase }

  /// The option that sets a field, by the field's name in a ``LayoutError``.
  private static let options: [String: OptionName] = [
    "zoom": OptionName("zoom"),
    "gap": OptionName("gap"),
    "pageGap": OptionName("pageGap"),
    "margins": OptionName("margin"),
    "contentInsets": OptionName("insets"),
    "minimumContentSize": OptionName("minContent"),
    "trailingSpace": OptionName("trailingSpace"),
    "spread.columns": OptionName("spreadColumns"),
    "spread.start": OptionName("startColumn"),
    "grid.columns": OptionName("columns"),
    "grid.tile": OptionName("gridTile"),
    "flow.rowHeight": OptionName("rowHeight"),
    "carousel": OptionName("carousel"),
    "pairing.wideRatio": OptionName("wideAlone"),
    "spacing.sectionGap": OptionName("sectionGap"),
    "spacing.gaps.gap": OptionName("gapBefore"),
    "spacing.pageMargins": OptionName("pageMargin"),
    "viewport": OptionName(member: "viewport"),
  ]

  /// The option that sets a field, and the part of its value if it has several.
  fileprivate static func setting(_ field: String) -> (option: OptionName, part: String?)? {
    // `spacing.pageMargins[3].left` is about one page of many.
    let path = field.replacing(/\[[0-9]+\]/, with: "")
    if let option = options[path] { return (option, nil) }
    guard let point = path.lastIndex(of: "."), let option = options[String(path[..<point])]
    else { return nil }
    let part = path[path.index(after: point)...]
    return (option, String(part.hasSuffix("Share") ? part.dropLast(5) : part))
  }
}

extension Failure {
  /// Options that no layout can be made from.
  init(_ error: LayoutError) {
    guard let (option, part) = OptionName.setting(error.field) else {
      self.init(usage: error.description)
      return
    }
    self.init(usage: part.map { "\($0) \(error.reason)" } ?? error.reason)
    self.option = option
  }

  /// Evaluates an option's value; adds the option's name to an error.
  ///
  /// - Throws: What `body` throws, with the option added.
  static func naming<Value>(
    _ option: String,
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    do throws(Failure) {
      return try body()
    } catch {
      var failure = error
      failure.option = OptionName(option)
      throw failure
    }
  }
}

extension String {
  /// `pageGap` as `page-gap`.
  var inKebabCase: String {
    reduce(into: "") { text, character in
      if character.isUppercase { text += "-" }
      text += character.lowercased()
    }
  }
}

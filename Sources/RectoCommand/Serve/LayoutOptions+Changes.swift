internal import ArgumentParser
internal import RectoBase

extension LayoutOptions {
  /// The options, changed by those of a request.
  ///
  /// A request names options as the command line does, but in camel case: `pageGap`. Values are
  /// written as strings, numbers, lists of them, true or false; null is the default.
  ///
  /// - Throws: ``RequestError`` that names the first unknown option, or the first invalid value.
  func changed(by changes: [String: JSONValue]) throws(RequestError) -> LayoutOptions {
    let parsed = try Self.parsed(changes)
    var options = self
    for name in changes.keys { Self.all[name]?(&options, parsed) }
    return options
  }

  /// The options, changed by those in a text with command line syntax: `--mode grid --columns 5`.
  ///
  /// - Throws: The error of the command line parser.
  func changed(byTyped text: String) throws -> LayoutOptions {
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    try words.requireValues()
    let parsed = try Self.parse(words)
    let typed = words.map { $0.prefix { $0 != "=" } }
    var options = self
    for (name, take) in Self.all {
      let option = OptionName(name).typed
      guard typed.contains(where: { $0 == option || $0 == "--no-" + option.dropFirst(2) })
      else { continue }
      take(&options, parsed)
    }
    return options
  }

  /// The options of a request, parsed like those of the command line.
  ///
  /// - Throws: A request error that names the option.
  private static func parsed(
    _ changes: [String: JSONValue]
  ) throws(RequestError) -> LayoutOptions {
    var given: [(name: String, arguments: [String])] = []
    for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
      given.append((name, try arguments(name, value)))
    }
    do {
      return try LayoutOptions.parse(given.flatMap(\.arguments))
    } catch {
      // The parser does not say which option it refuses; each is parsed alone to find it.
      for (name, arguments) in given {
        do {
          _ = try LayoutOptions.parse(arguments)
        } catch {
          let message = ParserMessage(LayoutOptions.message(for: error))
          throw RequestError("layout.\(name): \(message.reason)")
        }
      }
      throw RequestError("layout: \(ParserMessage(LayoutOptions.message(for: error)).line)")
    }
  }

  /// The arguments that set an option; none for its default.
  ///
  /// - Throws: A request error for an unknown option or a value of the wrong type.
  private static func arguments(
    _ name: String,
    _ value: JSONValue
  ) throws(RequestError) -> [String] {
    guard all[name] != nil else { throw RequestError("layout.\(name): unknown option") }
    if repeatable.contains(name), case .array(let elements) = value {
      return try elements.map { (element) throws(RequestError) in
        try argument(name, element.isScalar ? element : .null)
      }
    }
    let option = OptionName(name).typed
    switch value {
    case .null: return []
    case .bool(false): return name == "rtl" ? ["--no-rtl"] : []
    case .bool(true): return [option]
    default: return [try argument(name, value)]
    }
  }

  /// The argument that sets an option to a value.
  ///
  /// - Throws: A request error for a value of the wrong type.
  private static func argument(
    _ name: String,
    _ value: JSONValue
  ) throws(RequestError) -> String {
    guard let text = value.argument else {
      throw RequestError("layout.\(name): must be a string, a number, or a list of those")
    }
    guard !text.utf8.contains(0) else {
      throw RequestError("layout.\(name): must not contain U+0000")
    }
    return "\(OptionName(name).typed)=\(text)"
  }

  /// The options that may be given several times: each element of a list is one.
  private static let repeatable: Set<String> = ["gapBefore", "pageMargin"]

  /// How each option is taken over.
  private static let all: [String: @Sendable (inout LayoutOptions, LayoutOptions) -> Void] = [
    "mode": { $0.mode = $1.mode },
    "spread": { $0.spread = $1.spread },
    "axis": { $0.axis = $1.axis },
    "rtl": { $0.rtl = $1.rtl },
    "fit": { $0.fit = $1.fit },
    "fitScope": { $0.fitScope = $1.fitScope },
    "match": { $0.match = $1.match },
    "zoom": { $0.zoom = $1.zoom },
    "gap": { $0.gap = $1.gap },
    "pageGap": { $0.pageGap = $1.pageGap },
    "margin": { $0.margin = $1.margin },
    "align": { $0.align = $1.align },
    "centerIn": { $0.centerIn = $1.centerIn },
    "rotate": { $0.rotate = $1.rotate },
    "pages": { $0.pages = $1.pages },
    "sectionGap": { $0.spacing.sectionGap = $1.spacing.sectionGap },
    "gapBefore": { $0.spacing.gapBefore = $1.spacing.gapBefore },
    "pageMargin": { $0.spacing.pageMargin = $1.spacing.pageMargin },
    "insets": { $0.spacing.insets = $1.spacing.insets },
    "minContent": { $0.spacing.minContent = $1.spacing.minContent },
    "trailingSpace": { $0.spacing.trailingSpace = $1.spacing.trailingSpace },
    "columns": { $0.arrangement.columns = $1.arrangement.columns },
    "gridTile": { $0.arrangement.gridTile = $1.arrangement.gridTile },
    "justify": { $0.arrangement.justify = $1.arrangement.justify },
    "carousel": { $0.arrangement.carousel = $1.arrangement.carousel },
    "rowHeight": { $0.arrangement.rowHeight = $1.arrangement.rowHeight },
    "lastRow": { $0.arrangement.lastRow = $1.arrangement.lastRow },
    "spreadColumns": { $0.arrangement.spreadColumns = $1.arrangement.spreadColumns },
    "startColumn": { $0.arrangement.startColumn = $1.arrangement.startColumn },
    "wideAlone": { $0.arrangement.wideAlone = $1.arrangement.wideAlone },
    "alone": { $0.arrangement.alone = $1.arrangement.alone },
    "together": { $0.arrangement.together = $1.arrangement.together },
    "sections": { $0.arrangement.sections = $1.arrangement.sections },
    "sticky": { $0.arrangement.sticky = $1.arrangement.sticky },
    "scaleGaps": { $0.arrangement.scaleGaps = $1.arrangement.scaleGaps },
  ]
}

extension JSONValue {
  /// The value in the syntax of the command line.
  fileprivate var argument: String? {
    switch self {
    case .string(let text): text
    case .number(let number): number.exactDecimal
    case .array(let elements):
      elements.allSatisfy({ $0.isScalar })
        ? elements.compactMap(\.argument).joined(separator: ",") : nil
    case .null, .bool, .object: nil
    }
  }

  fileprivate var isScalar: Bool {
    switch self {
    case .string, .number: true
    default: false
    }
  }
}

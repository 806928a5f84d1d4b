internal import RectoGeometry

/// Why a text is not a list of pages.
public struct PageListSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One line that quotes the invalid part.
  public var description: String

  init(_ description: String) { self.description = description }
}

extension PageList {
  /// A list from text.
  ///
  /// ```
  /// list  = entry { "," entry }
  /// entry = "all" | "odd" | "even" | page | page "-" [ page ] | "-" page
  /// page  = number | "z" | "last" | "label:" text
  /// ```
  ///
  /// `5-` are the pages from 5 on, `-3` the first three. An unquoted label ends before `,`, `-`, `+` and `:`; labels
  /// can be in single or double quotes, with a quote in them doubled.
  ///
  /// - Throws: ``PageListSyntaxError`` that quotes the first entry which is not one.
  public init(parsing text: String) throws(PageListSyntaxError) {
    var rest = text[...]
    items = [try Self.item(&rest)]
    while !rest.isEmpty {
      guard rest.first == "," else { throw Self.unexpected(rest) }
      rest.removeFirst()
      items.append(try Self.item(&rest))
    }
  }

  /// Takes an entry from the beginning of a text.
  ///
  /// - Throws: ``PageListSyntaxError`` when there is none.
  private static func item(_ rest: inout Substring) throws(PageListSyntaxError) -> Item {
    switch rest.prefix(while: { !PageList.isDelimiter($0) }) {
    case "all": return whole(&rest, "all", nil)
    case "odd": return whole(&rest, "odd", .odd)
    case "even": return whole(&rest, "even", .even)
    default: break
    }
    if rest.first == "-" {
      let written = rest
      rest.removeFirst()
      guard !rest.isEmpty, rest.first != "," else {
        throw PageListSyntaxError("\"\(Self.entry(written))\" has no page")
      }
      return Item(first: .page(0), last: try Number(parsing: &rest))
    }
    let first = try Number(parsing: &rest)
    guard rest.first == "-" else { return Item(first: first, last: first) }
    rest.removeFirst()
    guard let next = rest.first, next != "," else { return Item(first: first, last: .last) }
    return Item(first: first, last: try Number(parsing: &rest))
  }

  private static func whole(_ rest: inout Substring, _ word: String, _ parity: Parity?) -> Item {
    rest.removeFirst(word.count)
    return Item(first: .page(0), last: .last, parity: parity)
  }

  /// The first entry of a text, for messages.
  static func entry(_ text: Substring) -> Substring { text.prefix { $0 != "," } }

  /// What an unquoted page ends before.
  static func isDelimiter(_ character: Character) -> Bool { ",-+:".contains(character) }

  private static func unexpected(_ rest: Substring) -> PageListSyntaxError {
    PageListSyntaxError(
      "unexpected \"\(entry(rest))\"; a label with , - + or : is written in quotes"
    )
  }
}

extension PageList.Number {
  /// Takes a page from the beginning of a text: a number, `z`, `last` or `label:TEXT`.
  ///
  /// - Throws: ``PageListSyntaxError`` when there is none.
  public init(parsing rest: inout Substring) throws(PageListSyntaxError) {
    if rest.hasPrefix("label:") {
      rest.removeFirst("label:".count)
      self = .label(try Self.label(&rest))
      return
    }
    let word = rest.prefix { !PageList.isDelimiter($0) }
    switch word {
    case "z", "last": self = .last
    case "":
      throw PageListSyntaxError(
        rest.isEmpty || rest.first == ","
          ? "an entry is empty" : "\"\(PageList.entry(rest))\" has no page"
      )
    default:
      guard word.allSatisfy(\.isASCIIDigit), let number = Int(word) else {
        throw PageListSyntaxError(
          "\"\(word)\" is not a page; a page is a number, z, last or label:TEXT,"
            + " and a list also has all, odd and even"
        )
      }
      guard let page = PageIndex(number: number) else {
        throw PageListSyntaxError("\"\(word)\" is not a page; pages are counted from 1")
      }
      self = .page(page)
    }
    rest.removeFirst(word.count)
  }

  /// Takes the text of a label, in quotes or up to the next delimiter.
  ///
  /// - Throws: ``PageListSyntaxError`` for a text without an end or without characters.
  private static func label(_ rest: inout Substring) throws(PageListSyntaxError) -> String {
    guard let quote = rest.first, quote == "\"" || quote == "'" else {
      let text = rest.prefix { !PageList.isDelimiter($0) }
      guard !text.isEmpty else { throw PageListSyntaxError("label: has no text") }
      rest.removeFirst(text.count)
      return String(text)
    }
    let written = rest
    rest.removeFirst()
    var text = ""
    while let end = rest.firstIndex(of: quote) {
      text += rest[..<end]
      rest = rest[rest.index(after: end)...]
      guard rest.first == quote else { return text }
      text.append(quote)
      rest.removeFirst()
    }
    throw PageListSyntaxError("label:\(written) has no closing quote")
  }
}

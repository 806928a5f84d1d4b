internal import DocumentModel
internal import DocumentText
internal import PageLayout
internal import RectoBase
internal import RectoGeometry
internal import RectoKit
internal import SystemPackage

/// Prints the text of pages as it comes.
struct TextReport: PartialReport {
  var parts: PartReport
  var hasFound: Bool { true }
  private let options: TextOptions

  /// Printed after each page, as by pdftotext.
  private static let formFeed: UInt8 = 0x0C

  /// A report about pages of a document.
  init(path: FilePath, _ options: TextOptions, _ messages: MessagePrinter) {
    self.options = options
    parts = PartReport(path: path, isJSON: options.json, messages)
  }

  /// Whether no further pages are needed: standard output cannot be written.
  var isOver: Bool { parts.isOver }

  /// Prints the text of a page, or its error.
  mutating func write(_ page: ReadPage) {
    guard parts.take() else { return }
    do throws(DocumentError) {
      let text = try page.text.get()
      let place = try parts.places?.page(page.pages.lowerBound)
      let part = options.area.map { text.part(in: $0.area) } ?? text
      guard parts.isJSON else {
        return parts.print(
          options.aligned
            ? Array(TextStructure(part).aligned().utf8) + [Self.formFeed] : Self.plain(part)
        )
      }
      let options = options
      parts.print { $0.members(of: page, part, place, options) }
    } catch {
      // So that pages can still be told apart.
      parts.fail(page.pages, error, text: [Self.formFeed])
    }
  }

  /// The text of a page, with an empty line after each block.
  private static func plain(_ text: PageText) -> [UInt8] {
    var bytes: [UInt8] = []
    for block in TextStructure(text).blocks {
      bytes += text.utf8[block.element.utf8]
      bytes += "\n\n".utf8
    }
    bytes.append(formFeed)
    return bytes
  }
}

extension JSONWriter {
  /// The members of a page with its text, or with the part of it that is wanted.
  fileprivate mutating func members(
    of page: ReadPage,
    _ text: PageText,
    _ place: LaidOutPage?,
    _ options: TextOptions
  ) {
    member("page", page.pages.lowerBound.number)
    member("label", page.info?.label)
    guard options.json else {
      return member("text", options.aligned ? TextStructure(text).aligned() : text.string)
    }
    if let info = page.info { size("size", info.size) }
    frame(place)
    self.text(text, hasCharacters: options.characters, ContentPlace(place))
  }
}

internal import CPoppler
internal import DocumentModel
internal import Geometry

// The text of a page.
extension PDFPage {
  /// The text of the page, in the order in which poppler reads it, with lines in logical order.
  ///
  /// poppler keeps the words of a page that it has read, so asking again costs little.
  ///
  /// - Parameters:
  ///   - limit: The most characters that a page may have.
  ///   - hasStyles: Whether fonts, sizes and colors are wanted.
  /// - Returns: The text with a box for each scalar.
  /// - Throws: `memoryLimit` for a page of more characters.
  func text(atMost limit: Int, hasStyles: Bool) throws(DocumentError) -> PageText {
    var pointer: UnsafeMutablePointer<PopplerRectangle>?
    var count: UInt32 = 0
    // First, because the number of rectangles tells what the text will take.
    let hasLayout = poppler_page_get_text_layout(raw, &pointer, &count) != 0
    defer { g_free(pointer) }
    guard count <= limit else {
      throw DocumentError(
        .memoryLimit,
        during: "read the text",
        "the page has \(count) characters; the limit is \(limit)"
      )
    }
    guard hasLayout, let pointer, let text = poppler_page_get_text(raw) else {
      return hasStyles ? PageText("", boxes: [], styles: []) : .empty
    }
    defer { g_free(text) }
    var glyphs = PageGlyphs(
      text: UnsafeBufferPointer(start: text, count: strlen(text)),
      boxes: UnsafeBufferPointer(start: pointer, count: Int(count))
    )
    if hasStyles { glyphs.setStyles(styles(), count: Int(count)) }
    return glyphs.text
  }

  /// The styles of the page's characters: each with the first and the last of them.
  private func styles() -> [(characters: ClosedRange<Int>, style: TextStyleRun)] {
    let list = poppler_page_get_text_attributes(raw)
    defer { poppler_page_free_text_attributes(list) }
    var styles: [(ClosedRange<Int>, TextStyleRun)] = []
    var element = list
    while let next = element {
      element = next.pointee.next
      guard let data = next.pointee.data else { continue }
      let attributes = data.assumingMemoryBound(to: PopplerTextAttributes.self).pointee
      guard attributes.start_index >= 0, attributes.end_index >= attributes.start_index else {
        continue
      }
      let color = [attributes.color.red, attributes.color.green, attributes.color.blue]
      let style = TextStyleRun(
        count: 0,
        font: attributes.font_name.map { Self.fontName(String(cString: $0)) } ?? "",
        size: attributes.font_size,
        color: color.map { UInt8($0 >> 8) },
        isUnderlined: attributes.is_underlined != 0
      )
      styles.append((Int(attributes.start_index)...Int(attributes.end_index), style))
    }
    return styles
  }

  /// The name without the tag of a subset: six capital letters and a plus sign.
  private static func fontName(_ name: String) -> String {
    let tag = name.utf8.prefix(7)
    let isTag =
      tag.count == 7 && tag.last == UInt8(ascii: "+")
      && tag.prefix(6).allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    return String((isTag ? String(name.dropFirst(7)) : name).prefix(TextLimit.fontName))
  }
}

extension TextLimit {
  /// The most characters in the name of a font.
  fileprivate static let fontName = 120
}

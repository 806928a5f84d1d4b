// SPDX-License-Identifier: GPL-2.0-or-later

internal import CPoppler
internal import DocumentModel
internal import RectoGeometry

// The text of a page.
extension PDFPage {
  /// The text of the page in poppler's reading order, with lines in logical order.
  ///
  /// poppler caches the words of a page, so further calls are cheap.
  ///
  /// - Parameters:
  ///   - limit: The most characters of a page.
  /// - Returns: The text with a box for each scalar.
  /// - Throws: `memoryLimit` for a page of more characters.
  func text(atMost limit: Int, hasStyles: Bool) throws(DocumentError) -> PageText {
    // First, because the number of rectangles gives the size of the text.
    let (area, layout) = try layout(atMost: limit)
    defer { g_free(layout.baseAddress) }
    var selection = area
    guard !layout.isEmpty, let text = poppler_page_get_text_for_area(raw, &selection) else {
      return hasStyles ? PageText("", boxes: [], styles: []) : .empty
    }
    defer { g_free(text) }
    var glyphs = PageGlyphs(
      text: UnsafeBufferPointer(start: text, count: strlen(text)),
      boxes: UnsafeBufferPointer(layout)
    )
    try checkCount(glyphs.count, limit)
    if hasStyles { glyphs.setStyles(styles(in: area), count: layout.count) }
    return glyphs.text
  }

  /// The rectangles of the page's characters and the area that selects them, which the caller
  /// frees.
  ///
  /// poppler selects from one corner of an area to the opposite one. On a page that is mostly right-to-left the first
  /// line begins at the right, and a selection that begins at the left omits the first and last lines. So both ways are
  /// tried, and the longer selection is used.
  ///
  /// - Throws: `memoryLimit` for more characters than `limit`.
  private func layout(
    atMost limit: Int
  ) throws(DocumentError) -> (PopplerRectangle, UnsafeMutableBufferPointer<PopplerRectangle>) {
    var (width, height) = (0.0, 0.0)
    poppler_page_get_size(raw, &width, &height)
    let areas = [
      PopplerRectangle(x1: 0, y1: 0, x2: width, y2: height),
      PopplerRectangle(x1: width, y1: 0, x2: 0, y2: height),
    ]
    var best = (areas[0], UnsafeMutableBufferPointer<PopplerRectangle>(start: nil, count: 0))
    for area in areas {
      var selection = area
      var pointer: UnsafeMutablePointer<PopplerRectangle>?
      var count: UInt32 = 0
      let isFound = poppler_page_get_text_layout_for_area(raw, &selection, &pointer, &count) != 0
      do throws(DocumentError) {
        try checkCount(Int(count), limit)
      } catch {
        g_free(pointer)
        g_free(best.1.baseAddress)
        throw error
      }
      guard isFound, count > best.1.count else {
        g_free(pointer)
        continue
      }
      g_free(best.1.baseAddress)
      best = (area, UnsafeMutableBufferPointer(start: pointer, count: Int(count)))
    }
    return best
  }

  /// - Throws: `memoryLimit` for more characters than `limit`.
  private func checkCount(_ count: Int, _ limit: Int) throws(DocumentError) {
    guard count > limit else { return }
    throw DocumentError(
      .memoryLimit,
      during: "read the text",
      "the page has \(count) characters; the limit is \(limit)"
    )
  }

  /// The styles of the characters in an area, each with its first and last character.
  private func styles(
    in area: PopplerRectangle
  ) -> [(characters: ClosedRange<Int>, style: TextStyleRun)] {
    var area = area
    let list = poppler_page_get_text_attributes_for_area(raw, &area)
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

  /// The name without the subset tag: six capital letters and a plus sign.
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

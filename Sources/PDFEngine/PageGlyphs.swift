// SPDX-License-Identifier: GPL-2.0-or-later

internal import CPoppler
internal import DocumentModel

/// The characters of a page from poppler-glib, and in reading order.
///
/// poppler-glib has a rectangle for each character. Its text reverses the right-to-left letters of each word, between
/// direction marks that have no rectangle (`TextPage::dumpFragment`). If there are such marks, the visual order of a
/// line is restored and then converted to logical order, the whole line at once, like `pdftotext` (`reorderText`), but
/// by the direction of the line instead of the page.
struct PageGlyphs {
  private let utf8: UnsafeBufferPointer<CChar>
  private let rectangles: UnsafeBufferPointer<PopplerRectangle>
  /// The characters on their lines, if they differ from poppler's text.
  private let lines: GlyphLines?
  /// For each character in reading order, its index in `lines`; nil if both orders are the same.
  private let order: [Int]?
  private var styles: [TextStyleRun]?

  /// Characters and their rectangles.
  ///
  /// - Parameters:
  ///   - text: Poppler's text in UTF-8.
  init(
    text: UnsafeBufferPointer<CChar>,
    boxes: UnsafeBufferPointer<PopplerRectangle>
  ) {
    utf8 = text
    rectangles = boxes
    let hasMarks = VisualOrder.hasMarks(text)
    let all = Array(String(decoding: UnsafeRawBufferPointer(text), as: UTF8.self).unicodeScalars)
    let visual = hasMarks ? VisualOrder.undoingMarks(of: all) : (scalars: all, isMarked: [])
    // A file may contain such marks; then they have rectangles.
    guard visual.scalars.count == boxes.count else {
      (order, lines) = (nil, nil)
      return
    }
    var lines = GlyphLines(visual.scalars, boxes, isMarked: visual.isMarked)
    let hasJoinedLines = lines.joinLines()
    guard hasMarks || hasJoinedLines || lines.scalars.count != boxes.count else {
      (order, self.lines) = (nil, nil)
      return
    }
    self.lines = lines
    order = hasMarks ? VisualOrder.logical(lines.scalars) : nil
  }

  /// The number of characters in the text.
  var count: Int { lines?.scalars.count ?? rectangles.count }

  /// Sets the styles.
  ///
  /// - Parameters:
  ///   - runs: Each with its first and last character in the order of rectangles.
  mutating func setStyles(
    _ runs: [(characters: ClosedRange<Int>, style: TextStyleRun)],
    count: Int
  ) {
    var indices = Array(repeating: -1, count: count)
    for (index, run) in runs.enumerated() {
      for place in run.characters.clamped(to: 0...max(0, count - 1)) where place < count {
        indices[place] = index
      }
    }
    var styles: [TextStyleRun] = []
    var last = -2
    for place in 0..<(lines?.glyphs.count ?? count) {
      let glyph = order?[place] ?? place
      let index = indices[lines?.glyphs[glyph].place ?? glyph]
      if index != last {
        styles.append(index < 0 ? .none : runs[index].style)
        last = index
      }
      styles[styles.count - 1].count += 1
    }
    self.styles = styles
  }

  /// The text in the order of reading.
  var text: PageText {
    guard let lines else {
      let string = String(decoding: UnsafeRawBufferPointer(utf8), as: UTF8.self)
      return PageText(string, boxes: rectangles.map { TextBox($0) }, styles: styles)
    }
    let order = order ?? Array(lines.scalars.indices)
    // One by one: appending a sequence uses unspecialized code of the standard library, which is slower.
    var string = String.UnicodeScalarView()
    for glyph in order { string.append(lines.scalars[glyph]) }
    let boxes = order.map { TextBox(lines.glyphs[$0].box) }
    return PageText(String(string), boxes: boxes, slants: lines.slants, styles: styles)
  }
}

extension TextBox {
  /// A rectangle from poppler; empty if it is not finite.
  fileprivate init(_ box: PopplerRectangle) {
    let (x1, y1, x2, y2) = (Float(box.x1), Float(box.y1), Float(box.x2), Float(box.y2))
    guard x1.isFinite, y1.isFinite, x2.isFinite, y2.isFinite else {
      self = .zero
      return
    }
    self.init(minX: x1, minY: y1, maxX: x2, maxY: y2)
  }
}

extension TextStyleRun {
  /// The style of characters without one.
  fileprivate static let none = TextStyleRun(
    count: 0,
    font: "",
    size: 0,
    color: [0, 0, 0],
    isUnderlined: false
  )
}

internal import DocumentModel
package import RectoGeometry

/// What is shown of pages: edits with which poppler draws another box, other annotations and other layers.
extension RepairScan {
  /// Has poppler show a part of a page, and some of its annotations.
  ///
  /// - Parameter content: The part, if it is not a box of the file.
  /// - Throws: ``StructureError`` when an object cannot be read, or a limit is reached.
  mutating func show(
    _ shown: ShownContent,
    of page: Reference,
    content: ShownBoxEntry?,
    inheriting attributes: InheritedAttributes
  ) throws(StructureError) {
    guard let node = try store.node(page),
      let found = open(page, [Key.annots, Key.cropBox])
    else { return }
    if let box = content ?? attributes.shownBox(of: node) {
      edits.set(Key.cropBox, "/CropBox", in: found.dictionary, of: page, to: box.text.utf8, nil)
    }
    guard found.dictionary.has(Key.annots) else { return }
    switch shown.annotations {
    case .on: break
    case .off:
      edits.set(Key.annots, "/Annots", in: found.dictionary, of: page, to: "[ ]".utf8, nil)
    case .print: try showPrinted(annotationsOf: found)
    }
  }

  /// Sets the flags of annotations so that poppler, which draws for the screen, draws those that are printed.
  private mutating func showPrinted(annotationsOf page: Found) throws(StructureError) {
    let list = page.dictionary.sourcedValue(Key.annots)
    let holder = if case .reference(let own)? = list?.value { own } else { page.object }
    for annotation in try store.elements(list) {
      guard let found = dictionary(annotation, of: holder, [Key.f]) else { continue }
      var flags: Int32 = 0
      if let value = found.dictionary.sourcedValue(Key.f),
        case .int(let set) = try store.resolve(value).value
      {
        flags = set
      }
      let isPrinted = flags & (Self.hidden | Self.print) == Self.print
      let wanted = isPrinted ? flags & ~Self.noView : flags | Self.hidden
      guard wanted != flags else { continue }
      let (dictionary, object) = (found.dictionary, found.object)
      edits.set(Key.f, "/F", in: dictionary, of: object, to: "\(wanted)".utf8, nil)
    }
  }

  private static let hidden: Int32 = 1 << 1
  private static let print: Int32 = 1 << 2
  private static let noView: Int32 = 1 << 5
}

/// A crop box to give to a page so that poppler shows another box.
struct ShownBoxEntry {
  /// The value of /CropBox.
  var text: String
  /// The box that poppler reads; nil for none, which is the media box.
  var box: PageBox?
}

extension PageTreeReader {
  /// Shows a part of a page from now on, in place of its crop box.
  ///
  /// - Parameters:
  ///   - content: The part in user space, y up; ignored if it has no area.
  ///   - index: The page.
  package func show(_ content: Rect, of index: PageIndex) {
    contents[index] = InheritedAttributes.entry(
      PageBox(x1: content.minX, y1: content.minY, x2: content.maxX, y2: content.maxY)
    )
    // They may have coordinates on this page.
    targets = TargetCaches()
  }
}

extension InheritedAttributes {
  /// The crop box to give to a page with these attributes; nil to leave it as it is.
  func shownBox(of node: TreeNode) -> ShownBoxEntry? {
    switch node.shownBox {
    case .crop, .content: nil
    case .media: ShownBoxEntry(text: "null", box: nil)
    case .trim, .bleed, .art:
      node.ownBox.flatMap { Self.entry($0.clipped(to: node.mediaBox ?? mediaBox)) }
    }
  }

  /// A box as text, and as poppler reads it: with all its digits, most numbers are not read as they were.
  fileprivate static func entry(_ box: PageBox) -> ShownBoxEntry? {
    let sides = [box.x1, box.y1, box.x2, box.y2].map(decimal)
    guard box.hasArea, sides.allSatisfy({ $0 != nil }) else { return nil }
    let known = sides.compactMap(\.self)
    let read = PageBox(
      x1: known[0].value,
      y1: known[1].value,
      x2: known[2].value,
      y2: known[3].value
    )
    guard read.hasArea else { return nil }
    return ShownBoxEntry(text: "[ \(known.map(\.text).joined(separator: " ")) ]", box: read)
  }

  /// A number with six decimals, and its value as poppler reads it (`Lexer`); nil for one that no page can use.
  private static func decimal(_ number: Double) -> (text: String, value: Double)? {
    guard abs(number) < 1e9 else { return nil }
    let millionths = Int((abs(number) * 1e6).rounded())
    let (whole, rest) = millionths.quotientAndRemainder(dividingBy: 1_000_000)
    var digits = String(String(rest + 1_000_000).dropFirst())
    while digits.hasSuffix("0") { digits.removeLast() }
    var value = Double(whole)
    var scale = 0.1
    for digit in digits.utf8 {
      value += scale * Double(digit - 0x30)
      scale *= 0.1
    }
    let isNegative = number < 0 && millionths > 0
    let text = (isNegative ? "-" : "") + "\(whole)" + (digits.isEmpty ? "" : ".\(digits)")
    return (text, isNegative ? -value : value)
  }
}

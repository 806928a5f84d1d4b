/// Finds glyphs that cairo draws in one color.
extension ObjectStore {
  /// Glyphs of a font that are looked at.
  private static var mostGlyphs: Int { 16 }
  /// Tokens of a glyph that are looked at.
  private static var mostTokens: Int { 512 }

  /// Whether glyphs of a Type 3 font have their own colors.
  func hasColoredGlyphs(_ glyphs: SourcedValue?) throws(StructureError) -> Bool {
    for glyph in try entries(glyphs).prefix(Self.mostGlyphs) {
      guard
        let entries = try entries(of: glyph, picking: StreamDecoder.keys),
        let start = entries.streamStart
      else { continue }
      // With an unknown filter it counts as valid.
      guard let content = try? mendedStream(of: entries, from: start) else { continue }
      let cursor = ByteCursor(
        memory: content,
        at: 0,
        limit: content.count,
        meter: meter
      )
      if try Self.isColored(Lexer(cursor)) { return true }
    }
    return false
  }

  private static let colorOperators: Set<PackedName> = [
    "cs", "g", "k", "rg", "sc", "scn", "CS", "G", "K", "RG", "SC", "SCN",
  ]
  private static let drawingOperators: Set<PackedName> = [
    "f", "F", "f*", "S", "s", "B", "B*", "b", "b*", "sh", "Do", "g", "rg", "k", "sc", "scn",
  ]

  /// Whether the content of a glyph begins with `d0` and draws more than a mask, or with `d1` but sets a color, or
  /// contains text.
  private static func isColored(_ content: Lexer) throws(StructureError) -> Bool {
    var lexer = content
    var isFree = false
    var isMask = false
    var isInImage = false
    for _ in 0..<mostTokens {
      switch try lexer.next() {
      case .end: return false
      case .command("BT"): return true
      case .command("d0"): isFree = true
      case .command("d1"): isMask = true
      case .command("BI"): isInImage = true
      case .name("IM") where isInImage, .name("ImageMask") where isInImage: return false
      case .command("ID"): return isFree && isInImage
      case .command(let word) where isMask && colorOperators.contains(word): return true
      case .command(let word) where isFree && drawingOperators.contains(word): return true
      default: continue
      }
    }
    return false
  }
}

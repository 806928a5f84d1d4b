import Testing

/// Public values of the libraries that hold bytes, tiles or pixels say how they are printed.
///
/// The scan reads declarations: a stored array of bytes, pixels or tiles belongs to the public structure or enumeration
/// around it. Colors, patterns and what is being written are not meant for a log, or are short.
@Suite struct PrintedBytesTests {
  private static let folders = [
    "DocumentModel", "DocumentText", "PDFEngine", "PDFStructure", "PNGCoding", "RectoKit",
    "RectoPictures", "RectoTiles", "RenderWorkers",
  ]
  /// Values whose arrays have a few bytes.
  private static let short: Set = ["TextStyleRun", "TextSearcher"]

  /// The names of the public copyable values in a source that store such an array.
  private static func values(in source: String) -> Set<String> {
    let array =
      /^ *(?:public |package |private |fileprivate |private\(set\) )*(?:let|var|case) [^={]*\[(?:UInt8|UInt32|Tile|WindowTile)\][^{]*$/
    let declaration =
      /^( *)(.*?)\b(?:struct|enum|class|actor|extension|func|init|var|subscript)\b ?([\w.]*).*{$/
    var found: Set<String> = []
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where line.contains(array) {
      let indentation = line.prefix { $0 == " " }.count
      let owner = lines[..<index].reversed().lazy.compactMap { $0.firstMatch(of: declaration) }
        .first { $0.1.count < indentation }
      guard let owner, owner.1.count == indentation - 2, owner.2.contains("public"),
        !owner.0.contains("~Copyable"),
        owner.0.contains(/\b(?:struct|enum)\b/)
      else { continue }
      found.insert(String(owner.3))
    }
    return found
  }

  @Test func `public values with bytes are printed as one line`() throws {
    var sources = ""
    var values: Set<String> = []
    for folder in Self.folders {
      for (_, source) in try swiftSources(in: "Sources/\(folder)") {
        sources += source
        values.formUnion(Self.values(in: source))
      }
    }
    #expect(values.isSuperset(of: ["Tile", "PagePicture", "DrawnPage", "PNGPicture", "Piece"]))
    let line = /extension (?:\w+\.)?(\w+): (?:BriefValue|[^{]*CustomReflectable)/
    let brief = Set(sources.matches(of: line).map { String($0.1) })
    #expect(values.subtracting(brief).subtracting(Self.short) == [])
  }
}

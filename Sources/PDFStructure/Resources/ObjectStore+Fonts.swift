internal import DocumentModel
internal import RectoGeometry

/// Describes fonts (ISO 32000-2, 9.5 to 9.9).
extension ObjectStore {
  /// The entries that ``font(_:object:on:)`` reads.
  static let fontKeys: [PackedName] = [
    Key.subtype, Key.resources, "BaseFont", "DescendantFonts", "Encoding", "FontDescriptor",
    "ToUnicode",
  ]

  /// A font by its dictionary, read with ``fontKeys``.
  ///
  /// - Throws: ``StructureError`` when an object cannot be read, or a limit is reached.
  func font(
    _ entries: PartialDictionary,
    object: ObjectNumber?,
    on page: PageIndex
  ) throws(StructureError) -> DocumentFont {
    var described = entries
    if let descendant = try elements(entries.sourcedValue("DescendantFonts")).first,
      let inner = try self.entries(of: descendant, picking: Self.fontKeys)
    {
      described = inner
    }
    let program = try program(of: described)
    let kind = try name(described, Key.subtype) ?? ""
    let name = try name(entries, "BaseFont")
    return DocumentFont(
      object: object,
      name: name,
      kind: Self.kind(kind, program),
      encoding: try encoding(entries),
      isEmbedded: program != nil || kind == "Type3",
      isSubset: name.map(Self.isSubset) ?? false,
      hasUnicode: entries.has("ToUnicode"),
      page: page
    )
  }

  /// The key of the embedded program, with its subtype; nil if there is none.
  private func program(
    of font: PartialDictionary
  ) throws(StructureError) -> (key: PackedName, subtype: String?)? {
    let keys: [PackedName] = ["FontFile", "FontFile2", "FontFile3"]
    guard let descriptor = try dictionary(font.sourcedValue("FontDescriptor"), picking: keys)
    else { return nil }
    for key in keys {
      guard let file = descriptor.sourcedValue(key),
        let stream = try entries(of: file, picking: [Key.subtype]), stream.streamStart != nil
      else { continue }
      return (key, try name(stream, Key.subtype))
    }
    return nil
  }

  private static func kind(
    _ subtype: String,
    _ program: (key: PackedName, subtype: String?)?
  ) -> String {
    let isOpenType = program?.subtype == "OpenType"
    let isCompact = program?.key == "FontFile3"
    switch subtype {
    case "Type1", "MMType1":
      return isOpenType ? "Type 1C (OT)" : isCompact ? "Type 1C" : "Type 1"
    case "TrueType": return isOpenType ? "TrueType (OT)" : "TrueType"
    case "Type3": return "Type 3"
    case "CIDFontType0":
      return isOpenType ? "CID Type 0C (OT)" : isCompact ? "CID Type 0C" : "CID Type 0"
    case "CIDFontType2": return isOpenType ? "CID TrueType (OT)" : "CID TrueType"
    default: return subtype.isEmpty ? "unknown" : subtype
    }
  }

  private func encoding(_ font: PartialDictionary) throws(StructureError) -> String? {
    switch try value(font, "Encoding") {
    case nil, .null: nil
    case .name: try name(font, "Encoding")
    default: "custom"
    }
  }

  /// Whether a name begins with six capital letters and a plus sign.
  private static func isSubset(_ name: String) -> Bool {
    let bytes = Array(name.utf8.prefix(7))
    return bytes.count == 7 && bytes[6] == UInt8(ascii: "+")
      && bytes.prefix(6).allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
  }
}

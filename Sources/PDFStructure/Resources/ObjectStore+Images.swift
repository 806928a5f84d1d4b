internal import DocumentModel
internal import RectoGeometry

/// Describes images (ISO 32000-2, 8.9.5).
extension ObjectStore {
  private static let imageKeys: [PackedName] =
    StreamDecoder.keys + [
      Key.bitsPerComponent, "ColorSpace", "Height", "ImageMask", "Interpolate", "Width",
    ]

  /// An image by its object; nil for anything else than a stream.
  ///
  /// - Parameters:
  ///   - kind: What it is for, if it is not a stencil.
  ///   - page: The page that has it.
  /// - Throws: ``StructureError`` when an object cannot be read, or a limit is reached.
  func image(
    _ object: SourcedValue,
    _ kind: DocumentImage.Kind,
    on page: PageIndex
  ) throws(StructureError) -> DocumentImage? {
    guard let entries = try entries(of: object, picking: Self.imageKeys),
      entries.streamStart != nil
    else { return nil }
    var isStencil = false
    if case .bool(true) = try value(entries, "ImageMask") { isStencil = true }
    var isInterpolated = false
    if case .bool(true) = try value(entries, "Interpolate") { isInterpolated = true }
    let color = isStencil ? (nil, 1) : try color(entries.sourcedValue("ColorSpace"), level: 0)
    return DocumentImage(
      page: page,
      object: ObjectNumber(object),
      kind: isStencil && kind == .image ? .stencil : kind,
      width: try integer(entries, "Width") ?? 0,
      height: try integer(entries, "Height") ?? 0,
      color: color.0,
      components: color.1,
      bits: isStencil ? 1 : try integer(entries, Key.bitsPerComponent),
      encoding: try encoding(of: entries),
      isInterpolated: isInterpolated,
      bytes: try integer(entries, Key.length)
    )
  }

  private static let families: [PackedName: (String, Int?)] = [
    "DeviceGray": ("gray", 1), "G": ("gray", 1), "DeviceRGB": ("rgb", 3), "RGB": ("rgb", 3),
    "DeviceCMYK": ("cmyk", 4), "CMYK": ("cmyk", 4), "CalGray": ("calgray", 1),
    "CalRGB": ("calrgb", 3), "Lab": ("lab", 3), "ICCBased": ("icc", nil), "Indexed": ("indexed", 1),
    "I": ("indexed", 1), "Separation": ("separation", 1), "DeviceN": ("devicen", nil),
    "Pattern": ("pattern", nil),
  ]

  /// The family of a color space and its components.
  private func color(
    _ space: SourcedValue?,
    level: Int
  ) throws(StructureError) -> (String?, Int?) {
    guard let space else { return (nil, nil) }
    let resolved = try resolve(space)
    if case .name(let name) = resolved.value { return Self.families[name] ?? (nil, nil) }
    let parts = try elements(resolved)
    guard let first = parts.first, case .name(let name) = try resolve(first).value,
      let (family, components) = Self.families[name]
    else { return (nil, nil) }
    guard components == nil, parts.count > 1 else { return (family, components) }
    switch name {
    case "ICCBased":
      let profile = try entries(of: parts[1], picking: [Key.n])
      return (
        family,
        try profile.flatMap { profile throws(StructureError) in
          try integer(profile, Key.n)
        }
      )
    case "DeviceN": return (family, try elements(parts[1]).count)
    default: return (family, nil)
    }
  }

  private static let encodings: [PackedName: String] = [
    "DCTDecode": "jpeg", "DCT": "jpeg", "JPXDecode": "jpx", "CCITTFaxDecode": "ccitt",
    "CCF": "ccitt", "JBIG2Decode": "jbig2", "FlateDecode": "flate", "Fl": "flate",
    "LZWDecode": "lzw", "LZW": "lzw", "RunLengthDecode": "runLength", "RL": "runLength",
  ]

  /// The word for the last filter.
  private func encoding(of image: PartialDictionary) throws(StructureError) -> String {
    let filters = try StreamDecoder.filters(of: image, nesting: limits.nesting) {
      (value) throws(StructureError) in try self.resolve(value)
    }
    guard let last = filters.last?.name else { return "none" }
    return Self.encodings[last] ?? last.text ?? "unknown"
  }
}

package import DocumentModel

extension PageTreeReader {
  /// Properties of the document that are not in ``documentInfo()``.
  ///
  /// Unreadable properties are omitted, as there.
  ///
  /// - Complexity: O(1) in the number of pages.
  package func documentProperties() -> DocumentProperties {
    store.meter.reset()
    var properties = DocumentProperties()
    try? store.readingText { () throws(StructureError) in try readInformation(into: &properties) }
    properties.isEncrypted = false  // an encrypted file is left to poppler when it is opened
    properties.permissions = .all
    properties.isLinearized = store.layout.isLinearized
    let catalog = try? catalogOfProperties()
    properties.version = [try? headerVersion(), try? version(in: catalog ?? nil)]
      .compactMap { $0 ?? nil }.max()
    properties.isTagged = (try? isTagged(catalog ?? nil)) ?? false
    properties.form = (try? form(in: catalog ?? nil)) ?? DocumentForm.none
    return properties
  }

  /// The bytes of the document's XMP metadata, decoded; nil if there is none.
  ///
  /// - Throws: ``StructureError`` when it cannot be read, or a limit is reached.
  package func metadata() throws(StructureError) -> [UInt8]? {
    store.meter.reset()
    let root = store.crossReference.trailer.sourcedValue(Key.root)
    guard let catalog = try store.dictionary(root, picking: ["Metadata"]),
      let found = catalog.sourcedValue("Metadata"),
      let stream = try store.entries(of: found, picking: StreamDecoder.keys),
      let start = stream.streamStart
    else { return nil }
    return try store.mendedStream(of: stream, from: start)
  }

  /// Reads the information dictionary.
  ///
  /// - Throws: ``StructureError`` when it cannot be read.
  private func readInformation(
    into properties: inout DocumentProperties
  ) throws(StructureError) {
    let keys: [PackedName] = ["Author", "Subject", "Keywords", "Creator", "Producer"]
    let dates: [PackedName] = ["CreationDate", "ModDate"]
    let info = store.crossReference.trailer.sourcedValue(Key.info)
    guard let picked = try store.dictionary(info, picking: keys + dates) else { return }
    for (key, path) in zip(keys, DocumentProperties.texts) {
      properties[keyPath: path] = try? text(picked.sourcedValue(key))
    }
    properties.created = (try? text(picked.sourcedValue(dates[0])))
      .flatMap(DocumentDate.init(pdf:))
    properties.modified = (try? text(picked.sourcedValue(dates[1])))
      .flatMap(DocumentDate.init(pdf:))
  }

  /// The text of a value; nil if it is not text, or empty.
  ///
  /// - Parameter limit: The most bytes, after which it is cut; nil for those of a title.
  /// - Throws: ``StructureError`` when it cannot be read.
  func text(
    _ sourced: SourcedValue?,
    atMost limit: Int? = nil
  ) throws(StructureError) -> String? {
    guard let sourced,
      let bytes = try store.resolve(sourced).stringBytes(atMost: limit ?? store.limits.textBytes)
    else { return nil }
    let text = TextString.text(bytes)
    return text.isEmpty ? nil : text
  }

  private func catalogOfProperties() throws(StructureError) -> PartialDictionary? {
    let root = store.crossReference.trailer.sourcedValue(Key.root)
    return try store.dictionary(root, picking: ["Version", "MarkInfo", Key.acroForm])
  }

  /// The version after `%PDF-`; nil if there is none.
  private func headerVersion() throws(StructureError) -> PDFVersion? {
    guard store.layout.hasHeader else { return nil }
    let start = store.layout.start + 5
    let bytes = try store.file.read(start, min(16, store.file.source.count - start))
    let word = bytes.prefix { !ByteClass.isWhite(Int($0)) }
    return PDFVersion(String(decoding: word, as: UTF8.self))
  }

  private func version(in catalog: PartialDictionary?) throws(StructureError) -> PDFVersion? {
    guard let value = catalog?.sourcedValue("Version"),
      case .name(let name) = try store.resolve(value).value
    else { return nil }
    return name.text.flatMap(PDFVersion.init)
  }

  private func isTagged(_ catalog: PartialDictionary?) throws(StructureError) -> Bool {
    let picked = try store.dictionary(catalog?.sourcedValue("MarkInfo"), picking: ["Marked"])
    guard let marked = picked?.sourcedValue("Marked"),
      case .bool(true) = try store.resolve(marked).value
    else { return false }
    return true
  }

  private func form(in catalog: PartialDictionary?) throws(StructureError) -> DocumentForm {
    let xfa: PackedName = "XFA"
    guard let form = try store.dictionary(catalog?.sourcedValue(Key.acroForm), picking: [xfa])
    else { return .none }
    guard let value = form.sourcedValue(xfa) else { return .acroForm }
    switch (value.value, try store.resolve(value).value) {
    // An object that begins with a dictionary is a stream here.
    case (_, .array), (.reference, .dictionary): return .xfa
    default: return .acroForm
    }
  }
}

extension PDFVersion {
  /// A version from the beginning of a text; nil when there is none.
  fileprivate init?(_ text: String) {
    guard let match = text.prefixMatch(of: /([0-9]{1,4})\.([0-9]{1,4})/),
      let major = Int(match.1), let minor = Int(match.2)
    else { return nil }
    self.init(major: major, minor: minor)
  }
}

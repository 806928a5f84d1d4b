internal import DocumentModel
internal import RectoBase
internal import RectoGeometry
internal import RectoKit

/// `recto info` for people.
extension InfoAnswer {
  /// Prints a line for each item, in parts if there are many pages.
  ///
  /// - Throws: A failure if standard output cannot be written.
  func printText() throws(Failure) {
    if let metadata = lists.metadata { return try StandardStreams.write(metadata) }
    let lines = documentLines + pageLines + fileLines + readerLines + lists.lines
    var text = lines.map { Self.line($0.name, $0.value) }.joined()
    try forEachListed { pages, result throws(Failure) in
      text += Self.line(pages, result)
      guard text.utf8.count > 1 << 16 else { return }
      try StandardStreams.write(Array(text.utf8))
      text = ""
    }
    try StandardStreams.write(Array(text.utf8))
  }

  private typealias Line = (name: String, value: String)

  /// Prints the document's properties.
  private var documentLines: [Line] {
    let texts: [(String, String?)] = [
      ("File", path.printable), ("Title", info.title), ("Author", properties.author),
      ("Subject", properties.subject), ("Keywords", properties.keywords),
      ("Creator", properties.creator), ("Producer", properties.producer),
      ("Created", properties.created?.description), ("Modified", properties.modified?.description),
    ]
    return texts.compactMap { name, value in value.map { (name, $0) } }
  }

  /// How the file is made.
  private var fileLines: [Line] {
    var lines: [Line] = [("File size", "\(bytes) bytes")]
    if let version = properties.version { lines.append(("PDF version", version.description)) }
    lines.append(("Linearized", properties.isLinearized ? "yes" : "no"))
    if let isTagged = properties.isTagged { lines.append(("Tagged", isTagged ? "yes" : "no")) }
    if let form = properties.form { lines.append(("Form", form.rawValue)) }
    if let isEncrypted = properties.isEncrypted {
      lines.append(("Encrypted", isEncrypted ? "yes" : "no"))
    }
    if properties.isEncrypted == true, let permissions = properties.permissions {
      let allowed = DocumentPermissions.named.filter { permissions.contains($0.permission) }
      let words = allowed.map(\.words).joined(separator: ", ")
      lines.append(("Permitted", words.isEmpty ? "nothing" : words))
    }
    return lines
  }

  private var pageLines: [Line] {
    var lines: [Line] = [("Pages", String(info.pageCount))]
    switch firstPage {
    case .success(let page):
      lines.append(("First page", page.size.inPoints))
      if let rotation = page.rotation, rotation != .none {
        lines.append(("Rotation", "\(rotation.degrees) degrees"))
      }
      if page.userUnit != 1 { lines.append(("User unit", page.userUnit.decimal)) }
    case .failure(let error): lines.append(("First page", "\(error)"))
    case nil: break
    }
    if let sizes {
      let shown = sizes.prefix(Self.sizeLimit).map { "\($0.size.inPoints) (\($0.count))" }
      let rest = sizes.count - shown.count
      let words = shown + (rest > 0 ? ["\(rest) more sizes"] : [])
      lines.append(("Page sizes", words.joined(separator: ", ")))
    }
    if shown.box != .crop { lines.append(("Box", shown.box.rawValue)) }
    lines.append(("Direction", info.isRightToLeft ? "right to left" : "left to right"))
    lines.append(("Page layout", info.pageLayout?.rawValue ?? "not specified"))
    return lines
  }

  /// Sizes on one line.
  private static let sizeLimit = 5

  private var readerLines: [Line] {
    // poppler-glib provides none of these.
    let missing = "UserUnit, Direction, Tagged and Form are not available"
    let reason = pageReader.reason.map { " (\($0); \(missing))" } ?? ""
    return [("Page reader", pageReader.name + reason)] + (engine.map { [("Engine", $0)] } ?? [])
  }

  /// The line of a page, or of consecutive pages with the same error.
  private static func line(
    _ pages: Range<PageIndex>,
    _ result: Result<PageInfo, DocumentError>
  ) -> String {
    let number = pages.lowerBound.number
    switch result {
    case .success(let page):
      var words = [page.size.inPoints]
      if let label = page.label, label != String(number) { words.append("label \(label)") }
      if let rotation = page.rotation, rotation != .none {
        words.append("rotated \(rotation.degrees) degrees")
      }
      if page.userUnit != 1 { words.append("user unit \(page.userUnit.decimal)") }
      return line("Page \(number)", words.joined(separator: ", "))
    case .failure(let error):
      guard pages.count > 1, let last = pages.last else {
        return line("Page \(number)", "\(error)")
      }
      return line("Pages \(number)-\(last.number)", "\(error)")
    }
  }

  private static func line(_ name: String, _ value: String) -> String {
    name + ":" + String(repeating: " ", count: max(1, 15 - name.count)) + value.escapingControls
      + "\n"
  }
}

extension Size {
  /// `595.276 x 841.89 pts`.
  fileprivate var inPoints: String { "\(width.decimal) x \(height.decimal) pts" }
}

internal import DocumentModel
internal import RectoBase
internal import RectoGeometry
internal import RectoKit

/// `recto info --json`. `docs/COMMAND.md` describes the members.
extension InfoAnswer {
  /// Prints one JSON object, in parts if it is long.
  ///
  /// - Throws: A failure if standard output cannot be written.
  func printJSON() throws(Failure) {
    var writer = JSONWriter()
    writer.openObject()
    try write(to: &writer) { writer throws(Failure) in
      if writer.bytes.count > 1 << 16 { try StandardStreams.write(writer.take()) }
    }
    writer.closeObject()
    writer.newline()
    try StandardStreams.write(writer.take())
  }

  /// Writes the members of the object.
  ///
  /// - Parameter flush: Receives the writer after each part of a list.
  /// - Throws: What `flush` throws.
  func write(
    to writer: inout JSONWriter,
    _ flush: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    writer.member("format", 1)
    writer.object("document") { object in
      object.input(path)
      object.member("bytes", bytes)
      object.member("pages", info.pageCount)
      object.member("title", info.title)
      object.properties(properties)
      object.member("direction", info.isRightToLeft ? "R2L" : "L2R")
      object.member("pageLayout", info.pageLayout?.rawValue)
    }
    switch firstPage {
    case .success(let page): writer.object("firstPage") { $0.page(page, at: 0) }
    case .failure(let error): writer.object("firstPage") { $0.error(error) }
    case nil: break
    }
    if let sizes {
      writer.array("pageSizes") { array in
        for (size, count) in sizes {
          array.object { object in
            object.size("size", size)
            object.member("count", count)
          }
        }
      }
    }
    writer.shown(shown)
    try writer.lists(lists, flush)
    writer.member("pageReader", pageReader.name)
    writer.member("pageReaderReason", pageReader.reason)
    writer.member("engine", engine)
    guard listed != nil else { return }
    writer.openArray("pages")
    try forEachListed { pages, result throws(Failure) in
      writer.object { $0.listed(pages, result) }
      try flush(&writer)
    }
    writer.closeArray()
  }
}

/// `recto info` with many documents.
extension InfoAnswer {
  /// Adds the object, or the listed pages.
  ///
  /// - Throws: A failure if the line of the document is too long.
  func write(to lines: inout DocumentLines) throws(Failure) {
    if lines.unit == .pages {
      return try forEachListed { pages, result in
        switch result {
        case .success: lines.add { $0.listed(pages, result) }
        case .failure(let error):
          lines.take(ExportedPage(pages, .failure(error))) { $0.listed(pages, result) }
        }
      }
    }
    for failing in failing { lines.note(ExportedPage(failing.pages, .failure(failing.error))) }
    try lines.set { writer throws(Failure) in
      try write(to: &writer) { part throws(Failure) in
        guard part.bytes.count <= DocumentLines.longestLine else {
          throw DocumentLines.tooLong(path)
        }
      }
    }
  }
}

extension JSONWriter {
  /// The members of listed pages.
  mutating func listed(_ pages: Range<PageIndex>, _ result: Result<PageInfo, DocumentError>) {
    member("index", pages.lowerBound.value)
    member("number", pages.lowerBound.number)
    switch result {
    case .success(let info): page(info, at: pages.lowerBound)
    case .failure(let error):
      if pages.count > 1, let last = pages.last { member("lastNumber", last.number) }
      self.error(error)
    }
  }

  /// The members of a page.
  fileprivate mutating func page(_ page: PageInfo, at index: PageIndex) {
    member("label", page.label ?? String(index.number))
    size("size", page.size)
    if let rotation = page.rotation { member("rotation", rotation.degrees) }
    member("userUnit", page.userUnit)
  }

  /// Writes the properties that the reader could read.
  fileprivate mutating func properties(_ properties: DocumentProperties) {
    member("author", properties.author)
    member("subject", properties.subject)
    member("keywords", properties.keywords)
    member("creator", properties.creator)
    member("producer", properties.producer)
    member("created", properties.created?.description)
    member("modified", properties.modified?.description)
    member("pdfVersion", properties.version?.description)
    member("linearized", properties.isLinearized)
    if let isTagged = properties.isTagged { member("tagged", isTagged) }
    member("form", properties.form?.rawValue)
    if let isEncrypted = properties.isEncrypted { member("encrypted", isEncrypted) }
    guard let permissions = properties.permissions else { return }
    object("permissions") { object in
      for (permission, name, _) in DocumentPermissions.named {
        object.member(name, permissions.contains(permission))
      }
    }
  }
}

extension DocumentPermissions {
  /// Each permission with its JSON member and its text.
  static let named: [(permission: DocumentPermissions, member: String, words: String)] = [
    (.print, "print", "print"), (.printHighQuality, "printHighQuality", "print in high quality"),
    (.copy, "copy", "copy"), (.change, "change", "change"), (.annotate, "annotate", "annotate"),
    (.fillForms, "fillForms", "fill in forms"), (.assemble, "assemble", "assemble"),
    (.extract, "extract", "extract"),
  ]
}

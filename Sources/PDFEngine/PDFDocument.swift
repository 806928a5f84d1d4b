// SPDX-License-Identifier: GPL-2.0-or-later

internal import CCairo
internal import CPoppler
public import DocumentModel
public import RectoGeometry

/// An open PDF.
///
/// Use a document only on the thread that opened it: poppler has one output device per document,
/// which is not thread-safe. The class is not Sendable, so the compiler enforces this. Calls cannot
/// be cancelled: open untrusted files in a process that can be killed.
public final class PDFDocument {
  let raw: OpaquePointer
  private let bytes: DocumentBytes
  /// Whether it was opened with a password, which is not stored.
  private let isEncrypted: Bool
  /// The document as Splash has it open.
  private var splashDocument: SplashDocument?
  /// The document's info, without /Direction: the property of poppler-glib 22.12 for viewer preferences is always
  /// empty.
  public let info: DocumentInfo
  /// Where glyphs are drawn.
  public let text: TextPlacement

  /// Opens a PDF from an open file, by mapping it.
  ///
  /// - Parameters:
  ///   - descriptor: Open for reading. It may be closed afterwards.
  ///   - password: For encrypted files; the user's or the owner's.
  ///   - pieces: Opened instead of the file: ranges of it and bytes in memory.
  ///   - text: Where glyphs are drawn.
  ///   - allowsSplash: Whether pages may be drawn with Splash.
  /// - Throws: `notPDF`, `damaged`, `passwordNeeded`, `passwordWrong`, `encryption`, `unreadable`.
  public init(
    descriptor: Int32,
    password: String? = nil,
    pieces: [DocumentSubset.Piece]? = nil,
    text: TextPlacement = .precise,
    allowsSplash: Bool = true
  ) throws(DocumentError) {
    Messages.install()
    let bytes = try DocumentBytes(MappedFile(descriptor: descriptor, pieces: pieces))
    var document: OpaquePointer
    var usedPassword: String?
    do throws(DocumentError) {
      document = try Self.open(bytes)
    } catch  where error.code == .passwordNeeded {
      guard let password else { throw error }
      document = try Self.open(bytes, password: password)
      usedPassword = password
    }
    self.bytes = bytes
    // The password is not kept.
    if let usedPassword, allowsSplash {
      splashDocument = try? SplashDocument(bytes, password: usedPassword)
    }
    isEncrypted = usedPassword != nil
    raw = document
    self.text = text
    info = DocumentInfo(
      pageCount: max(0, Int(poppler_document_get_n_pages(raw))),
      title: takeString(poppler_document_get_title(raw)).flatMap { $0.isEmpty ? nil : $0 },
      pageLayout: PageLayoutHint(poppler_document_get_page_layout(raw))
    )
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(raw)) }

  /// The page at `index`, which poppler reaches by reading all earlier pages.
  ///
  /// - Throws: `pageMissing` when the document has no such page or counts one it does not have.
  /// - Complexity: O(`index`) the first time.
  public func page(at index: PageIndex) throws(DocumentError) -> PDFPage {
    let operation = "find"
    guard Range(pageCount: info.pageCount).contains(index) else {
      throw DocumentError(
        .pageMissing,
        during: operation,
        "the document has \(info.pageCount) pages"
      )
    }
    var found: OpaquePointer?
    let warnings = Messages.collect { found = poppler_document_get_page(raw, Int32(index.value)) }
    guard let page = found else {
      guard let reason = warnings.first else { throw .missingPage }
      throw DocumentError(.pageMissing, during: operation, reason)
    }
    return PDFPage(page, of: raw, index: index, text: text)
  }

  /// The document opened for Splash; opens it if necessary.
  ///
  /// - Throws: `drawing` when it cannot be opened.
  func splash() throws(DocumentError) -> SplashDocument {
    if let splashDocument { return splashDocument }
    guard !isEncrypted else {
      throw DocumentError(.drawing, during: "open", "poppler-cpp cannot open the document")
    }
    let opened = try SplashDocument(bytes, password: nil)
    splashDocument = opened
    return opened
  }

  private static func open(_ bytes: DocumentBytes) throws(DocumentError) -> OpaquePointer {
    var error: UnsafeMutablePointer<GError>?
    var document: OpaquePointer?
    let warnings = Messages.collect {
      document = poppler_document_new_from_bytes(bytes.raw, nil, &error)
    }
    if let document { return document }
    defer { g_clear_error(&error) }
    let words = error.map { String(cString: $0.pointee.message) } ?? "no reason given"
    let code: DocumentError.Code =
      if let first = warnings.first, first.contains("security handler") {
        // No password opens it, although poppler reports ordinary encryption.
        throw DocumentError(.encryption, during: "open", first)
      } else if recto_is_poppler_error(error, Int32(POPPLER_ERROR_ENCRYPTED.rawValue)) != 0 {
        .passwordNeeded
      } else if !bytes.withBytes(Self.hasHeader) {
        .notPDF
      } else {
        .damaged
      }
    throw DocumentError(code, during: "open", code == .notPDF ? "this is not a PDF" : words)
  }

  /// Opens an encrypted document as a stream: with bytes or a descriptor and a wrong password, poppler 22.12 tries
  /// again with a freed copy, and crashes.
  private static func open(
    _ bytes: DocumentBytes,
    password: String
  ) throws(DocumentError) -> OpaquePointer {
    let length = bytes.withBytes(\.count)
    let stream = g_memory_input_stream_new_from_bytes(bytes.raw)
    defer { g_object_unref(stream) }
    var error: UnsafeMutablePointer<GError>?
    if let document = poppler_document_new_from_stream(
      stream,
      goffset(length),
      password,
      nil,
      &error
    ) {
      return document
    }
    defer { g_clear_error(&error) }
    guard recto_is_poppler_error(error, Int32(POPPLER_ERROR_ENCRYPTED.rawValue)) != 0 else {
      let words = error.map { String(cString: $0.pointee.message) } ?? "no reason given"
      throw DocumentError(.damaged, during: "open", words)
    }
    throw DocumentError(.passwordWrong, during: "open", "the password is wrong")
  }

  /// Whether "%PDF-" stands within the first 1024 bytes, where readers look for it.
  private static func hasHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let head = bytes.prefix(1024)
    let mark = Array("%PDF-".utf8)
    guard head.count >= mark.count else { return false }
    return (0...(head.count - mark.count)).contains { start in
      head[start..<(start + mark.count)].elementsEqual(mark)
    }
  }
}

extension PageLayoutHint {
  fileprivate init?(_ value: PopplerPageLayout) {
    switch value {
    case POPPLER_PAGE_LAYOUT_SINGLE_PAGE: self = .singlePage
    case POPPLER_PAGE_LAYOUT_ONE_COLUMN: self = .oneColumn
    case POPPLER_PAGE_LAYOUT_TWO_COLUMN_LEFT: self = .twoColumnLeft
    case POPPLER_PAGE_LAYOUT_TWO_COLUMN_RIGHT: self = .twoColumnRight
    case POPPLER_PAGE_LAYOUT_TWO_PAGE_LEFT: self = .twoPageLeft
    case POPPLER_PAGE_LAYOUT_TWO_PAGE_RIGHT: self = .twoPageRight
    default: return nil
    }
  }
}

/// Copies a string that GLib allocated and frees it.
func takeString(_ text: UnsafeMutablePointer<CChar>?) -> String? {
  guard let text else { return nil }
  defer { g_free(text) }
  return String(cString: text)
}

extension PDFDocument {
  /// Everything that decides how a page looks, with versions: libraries, and how lines are drawn.
  public static var engine: String {
    let poppler = String(cString: poppler_get_version())
    return "poppler \(poppler) cairo \(String(cString: cairo_version_string())) lines 2"
  }
}

internal import DocumentModel
internal import RectoBase
internal import RectoGeometry
internal import RectoKit
internal import RectoTiles
internal import SystemPackage

/// The result of a document, for output and journal.
struct LibraryRecord: Hashable, Sendable {
  /// An error: its code and message.
  struct ErrorText: Hashable, Sendable {
    var code: String
    var message: String
  }

  /// The result of a page, or of consecutive pages with the same error.
  struct Page: Hashable, Sendable {
    /// The number of the page.
    var number: Int
    /// The number of the last page, if there are several.
    var lastNumber: Int?
    /// The file; nil if there is none.
    var file: Picture?
    /// The error, if there is no file.
    var error: ErrorText?
  }

  /// A file with the picture of a page.
  struct Picture: Hashable, Sendable {
    var path: FilePath
    /// The requested length of the longer side in pixels, if there are several.
    var longestSide: Int?
    /// In pixels.
    var width: Int
    var height: Int
    /// The size of the file.
    var bytes: Int
    /// Whether the picture was drawn or found; nil if unknown.
    var source: String?
    /// Why the page is not all there.
    var incomplete: String?
    /// The rasterizer, if it was not cairo.
    var rasterizer: String?
  }

  /// What the entries of pages are, and their name in JSON.
  enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Thumbnails.
    case thumbnails
    /// Pictures of `recto pages`.
    case pictures
    /// Pages that failed; what was read of the others is not kept.
    case failures
  }

  /// The path as it was typed.
  var path: [UInt8]
  /// What ``pages`` are.
  var kind = Kind.thumbnails
  /// The number of pages that the document claims to have.
  var pageCount: Int?
  /// Why the document failed as a whole.
  var error: ErrorText?
  /// Whether the work ended before all pages were done.
  var isInterrupted = false
  /// Whether nothing was done because of a journal's entry.
  var isUnchanged = false
  /// The plan for the document in a dry run.
  var planned: PlannedThumbnails?
  var pages: [Page] = []

  /// The bytes of all files.
  var bytes: Int { pages.reduce(0) { $0 + ($1.file?.bytes ?? 0) } }

  /// Whether the document or one of its pages failed.
  var hasFailed: Bool { error != nil || pages.contains { $0.error != nil } }
}

extension LibraryRecord.ErrorText {
  /// The code and the message of a failure.
  init(_ failure: Failure) { self.init(code: failure.code, message: failure.message) }
}

extension LibraryRecord.Page {
  /// The results of a page: a file of each size, the largest first, or an error.
  static func pages(_ page: ExportedPage) -> [Self] {
    let first = Self(page)
    return [first]
      + page.smaller.map { file in
        var other = first
        other.file = LibraryRecord.Picture(file)
        return other
      }
  }

  private init(_ page: ExportedPage) {
    number = page.pages.lowerBound.number
    lastNumber = page.pages.count > 1 ? page.pages.last?.number : nil
    switch page.result {
    case .failure(let error):
      self.error = LibraryRecord.ErrorText(code: error.code.rawValue, message: error.description)
    case .success(let file): self.file = LibraryRecord.Picture(file)
    }
  }
}

extension LibraryRecord.Picture {
  /// A file that was written.
  fileprivate init(_ file: PageFile) {
    self.init(
      path: file.file,
      longestSide: file.longestSide,
      width: file.size.width,
      height: file.size.height,
      bytes: file.byteCount,
      source: file.source.rawValue,
      incomplete: file.warnings.incomplete,
      rasterizer: file.warnings.otherRasterizer
    )
  }
}

extension JSONWriter {
  /// The members of a document, in a line of standard output and in a journal.
  mutating func members(of record: LibraryRecord) {
    state(of: record)
    guard !record.pages.isEmpty else { return }
    array(record.kind.rawValue) { array in
      for page in record.pages { array.object { $0.members(of: page) } }
    }
  }

  /// The members that tell what became of a document, without its pages.
  mutating func state(of record: LibraryRecord) {
    if let count = record.pageCount { member("pages", count) }
    if let error = record.error { self.error(code: error.code, error.message) }
    if record.isInterrupted { member("interrupted", true) }
    if record.isUnchanged { member("unchanged", true) }
    if let planned = record.planned {
      object("planned") { object in
        object.member("pages", planned.pageCount)
        if let first = planned.files.first { object.path(first, as: "file") }
        if planned.files.count > 1 { object.path(planned.files[1], as: "lastFile") }
      }
    }
  }

  /// The members of a page, with its source.
  private mutating func members(of page: LibraryRecord.Page) {
    member("page", page.number)
    if let last = page.lastNumber { member("lastPage", last) }
    if let error = page.error { self.error(code: error.code, error.message) }
    guard let file = page.file else { return }
    if let side = file.longestSide { member("size", side) }
    path(file.path, as: "file")
    member("width", file.width)
    member("height", file.height)
    member("bytes", file.bytes)
    member("incomplete", file.incomplete)
    member("rasterizer", file.rasterizer)
    member("source", file.source)
  }
}

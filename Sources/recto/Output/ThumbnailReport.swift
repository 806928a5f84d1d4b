internal import DocumentModel
internal import FileSystem
internal import Geometry
internal import PageNumbers
internal import RectoKit
internal import SystemPackage
internal import Tiles

/// Writes a line for each document of a library, and reports what failed.
struct LibraryReport {
  /// The documents.
  let library: DocumentLibrary
  /// The paths given, as they were typed.
  private let paths: [[UInt8]]
  /// Prints what failed.
  let messages: MessagePrinter
  /// Documents, folders and paths, of which some or all failed.
  private var failures = 0
  /// Paths that are none.
  private var refused = 0
  /// Whether it has been said that the cache cannot be used.
  private var isCacheReported = false
  /// The last failure of a document or folder as a whole.
  private var wholeFailure: Failure?

  /// A report about a library.
  ///
  /// - Parameters:
  ///   - library: The documents.
  ///   - paths: The paths given, as they were typed.
  ///   - messages: Prints what failed.
  init(of library: DocumentLibrary, in paths: [[UInt8]], _ messages: MessagePrinter) {
    self.library = library
    self.paths = paths
    self.messages = messages
  }

  /// Reports a line of `--from` that is not a path.
  ///
  /// - Throws: A failure if standard output cannot be written.
  mutating func refuse(_ line: String) throws(Failure) {
    refused += 1
    let message = "a path cannot contain U+0000"
    try fail(Failure(usage: "\(line): \(message)"), path: Array(line.utf8), message)
  }

  /// Reports folders that cannot be read, and folders without documents.
  ///
  /// - Throws: A failure if standard output cannot be written.
  mutating func writeFolders() throws(Failure) {
    for folder in library.unreadable {
      let failure = Failure(input: folder.error, path: folder.error.path)
      try fail(failure, path: typed(folder.source, folder.pathInFolder), failure.message)
    }
    for folder in library.emptyFolders {
      let path = FilePath(bytes: paths[folder])
      messages.print(code: "empty", path: path, page: nil, "no PDFs found")
    }
  }

  /// Writes the line of a document, and reports what failed.
  ///
  /// - Throws: A failure if standard output cannot be written, or if the disk is full.
  mutating func write(_ thumbnails: DocumentThumbnails) throws(Failure) {
    if let mismatch = thumbnails.mismatch {
      messages.print(rereading: Failure(mismatch, path: thumbnails.item.path))
    }
    let item = thumbnails.item
    try StandardStreams.write(thumbnails.line(path: typed(item.source, item.pathInFolder)))
    if let failure = thumbnails.cacheFailure, !isCacheReported {
      // The next documents meet the same.
      isCacheReported = true
      messages.warn(code: "cache", path: item.path, failure.description)
    }
    if thumbnails.report(messages) { failures += 1 }
    if let failure = thumbnails.failure {
      wholeFailure = Failure(failure, path: item.path)
    }
    if let error = thumbnails.deviceFailure { throw Failure(output: error) }
  }

  /// Ends the report.
  ///
  /// - Returns: Whether all documents succeeded, and there were any in the folders given.
  /// - Throws: The failure of the only document or folder: its exit code is more specific than 1.
  func end() throws(Failure) -> Bool {
    if library.items.count + library.unreadable.count + refused == 1, var wholeFailure {
      wholeFailure.isReported = true
      throw wholeFailure
    }
    return failures == 0 && (!library.items.isEmpty || library.emptyFolders.isEmpty)
  }

  /// Reports something from which no thumbnails can be made.
  ///
  /// - Parameters:
  ///   - failure: The failure.
  ///   - path: The path as it was typed.
  ///   - message: The message of the line, which names the path by itself.
  /// - Throws: A failure if standard output cannot be written.
  private mutating func fail(
    _ failure: Failure,
    path: [UInt8],
    _ message: String
  ) throws(Failure) {
    failures += 1
    wholeFailure = failure
    var writer = JSONWriter()
    writer.object { object in
      object.path(bytes: path)
      object.error(code: failure.code, message)
    }
    writer.newline()
    try StandardStreams.write(writer.bytes)
    messages.print(failure)
  }

  /// A path as it was typed.
  ///
  /// - Parameters:
  ///   - source: The place of the path that was given.
  ///   - path: The path below it; empty for itself.
  /// - Returns: The bytes of the path.
  private func typed(_ source: Int, _ path: FilePath) -> [UInt8] {
    let start = paths[source]
    guard !path.isEmpty else { return start }
    let slash = UInt8(ascii: "/")
    return start + (start.last == slash ? [] : [slash]) + path.bytes
  }
}

extension DocumentThumbnails {
  /// The JSON line of the document.
  fileprivate func line(path: [UInt8]) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { object in
      object.path(bytes: path)
      if let pageCount { object.member("pages", pageCount) }
      let failure = failure.map { Failure($0, path: item.path) }
      if let failure = failure ?? deviceFailure.map(Failure.init(output:)) {
        object.error(code: failure.code, failure.message)
      }
      if isInterrupted { object.member("interrupted", true) }
      guard !pages.isEmpty else { return }
      object.array("thumbnails") { array in
        for page in pages {
          array.object { object in
            object.page(page)
            if case .success(let file) = page.result {
              object.member("source", file.source.rawValue)
            }
          }
        }
      }
    }
    writer.newline()
    return writer.bytes
  }

  /// Prints what failed; returns whether anything did.
  fileprivate func report(_ messages: MessagePrinter) -> Bool {
    if let failure {
      messages.print(Failure(failure, path: item.path))
      return true
    }
    // Not all, so that the message of a full disk is the only one.
    return pages.reduce(false) { failed, page in page.report(messages, path: item.path) || failed }
  }
}

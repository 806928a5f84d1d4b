internal import ArgumentParser
internal import DocumentModel
internal import RectoBase
internal import RectoGeometry
internal import RectoKit

/// What has a line in the output of a command with many documents.
enum LineUnit: String, NamedChoice {
  /// Each document.
  case documents
  /// Each page.
  case pages
}

/// What a command prints about one of many documents: parts of a line, or a line for each page.
struct DocumentLines: Sendable {
  /// What is printed of a document.
  enum Content: Sendable {
    /// Nothing: the document failed before.
    case nothing
    /// A member of the document's line.
    case member(name: String, json: [UInt8])
    /// Complete lines.
    case lines([UInt8])
  }

  /// The member in the line of a document that has its parts.
  private let name: String
  /// The path as it was typed.
  private let path: [UInt8]
  let unit: LineUnit
  /// Whether the work on the document is to end.
  private let stop: StopFlag
  /// Whether the document ended a worker process before: its crashes are errors now.
  private let isRetry: Bool
  private var bytes: [UInt8] = []
  private var isObject = false
  private var parts = 0
  /// Parts that are printed already, as lines of pages.
  private(set) var printedParts: Int
  /// The pages that failed, or were written.
  private(set) var pages: [ExportedPage] = []
  /// Whether a page ended the worker process, in the first attempt: the document is tried once more.
  private(set) var hasCrash = false
  /// Whether the line became too long.
  private(set) var isTooLong = false
  /// Why standard output could not be written.
  private(set) var outputFailure: Failure?
  /// Whether the document has what was searched for.
  var hasFound = true

  /// The most bytes of the line of a document.
  static let longestLine = 64 << 20
  /// Lines of pages are printed before the document is done when they have so many bytes.
  private static let mostLines = 1 << 20

  /// Nothing yet.
  ///
  /// - Parameters:
  ///   - name: The member that has the parts in the line of a document.
  ///   - path: The path as it was typed.
  ///   - stop: When it is set, no further page is needed.
  ///   - printed: The number of parts printed in a first attempt; nil in the first one.
  init(_ name: String, path: [UInt8], unit: LineUnit, until stop: StopFlag, after printed: Int?) {
    self.name = name
    self.path = path
    self.unit = unit
    self.stop = stop
    isRetry = printed != nil
    printedParts = printed ?? 0
  }

  /// What is to be printed.
  ///
  /// - Parameter isDone: Whether the document was read to its end.
  func content(isDone: Bool) -> Content {
    if unit == .pages { return .lines(bytes) }
    guard isDone || !bytes.isEmpty else { return .nothing }
    return .member(
      name: name,
      json: isObject ? bytes : [UInt8(ascii: "[")] + bytes + [UInt8(ascii: "]")]
    )
  }

  /// Whether no further pages are needed.
  var isOver: Bool { stop.isSet || hasCrash || isTooLong || outputFailure != nil }

  /// Starts again with the first part; what is printed is not printed again.
  mutating func restart() {
    bytes = []
    pages = []
    parts = 0
  }

  /// Adds a part: members of an object about a page.
  mutating func add(_ members: (inout JSONWriter) -> Void) {
    parts += 1
    guard parts > printedParts, !isTooLong else { return }
    var writer = JSONWriter()
    writer.object { object in
      if unit == .pages { object.path(bytes: path) }
      members(&object)
    }
    if unit == .pages {
      writer.newline()
    } else if !bytes.isEmpty {
      bytes.append(UInt8(ascii: ","))
    }
    bytes += writer.bytes
    if unit == .pages, bytes.count > Self.mostLines { print() }
    checkLength()
  }

  /// Makes an object the only part.
  ///
  /// - Throws: What `members` throws.
  mutating func set(
    _ members: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    var writer = JSONWriter()
    writer.openObject()
    try members(&writer)
    writer.closeObject()
    isObject = true
    bytes = writer.bytes
    checkLength()
  }

  /// Adds pages that failed.
  mutating func fail(_ pages: Range<PageIndex>, _ error: DocumentError) {
    take(ExportedPage(pages, .failure(error))) { object in
      object.pages(pages)
      object.error(error)
    }
  }

  /// Adds pages that were written, or failed.
  mutating func take(_ page: ExportedPage, _ members: (inout JSONWriter) -> Void) {
    if note(page) { add(members) }
  }

  /// Takes note of pages that were written, or failed, without printing them.
  ///
  /// - Returns: Whether this counts: not in a first attempt that is not the last, or after an interruption.
  @discardableResult
  mutating func note(_ page: ExportedPage) -> Bool {
    if case .failure(let error) = page.result {
      // The document is interrupted then.
      if error.code == .cancelled, stop.isSet || Task.isCancelled { return false }
      if error.code == .crash, !isRetry {
        hasCrash = true
        return false
      }
    }
    if !extendLast(by: page) { pages.append(page.withoutData) }
    return true
  }

  /// Adds pages to the last ones, if they failed alike and follow these.
  private mutating func extendLast(by page: ExportedPage) -> Bool {
    guard let last = pages.last, last.pages.upperBound == page.pages.lowerBound,
      case .failure(let error) = page.result, case .failure(error) = last.result
    else { return false }
    pages[pages.count - 1].pages = last.pages.lowerBound..<page.pages.upperBound
    return true
  }

  /// Prints lines of pages before the document is done.
  private mutating func print() {
    do throws(Failure) {
      try StandardStreams.write(bytes)
    } catch {
      outputFailure = outputFailure ?? error
    }
    printedParts = parts
    bytes.removeAll(keepingCapacity: true)
  }

  private mutating func checkLength() {
    guard unit == .documents, bytes.count > Self.longestLine else { return }
    isTooLong = true
    bytes = []
    isObject = false
  }
}

extension ExportedPage {
  /// The page without the contents of its picture, which may be large.
  fileprivate var withoutData: ExportedPage {
    guard case .success(var file) = result else { return self }
    file.data = nil
    var page = self
    page.result = .success(file)
    return page
  }
}

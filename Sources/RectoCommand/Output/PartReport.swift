internal import DocumentModel
internal import RectoBase
internal import RectoGeometry
internal import RectoKit
internal import SystemPackage

/// Prints parts of a document as these come.
protocol PartialReport: SendableMetatype {
  /// What was printed.
  var parts: PartReport { get set }
  /// Whether what was asked for has been found.
  var hasFound: Bool { get }
}

/// What reports that print parts of a document as these come have in common: each part is printed once, also
/// if the document is read again, and what fails is counted.
struct PartReport {
  /// The layout in whose content boxes are; nil for points of the page.
  var places: ContentPlaces?
  /// What is printed if the document is one of many; nil if it is the only one.
  var lines: DocumentLines?
  /// Why standard output could not be written.
  private(set) var outputFailure: Failure?
  private let path: FilePath
  /// Whether each part is JSON.
  var isJSON: Bool { printsJSON || lines != nil }
  private let printsJSON: Bool
  private let messages: MessagePrinter
  private var parts = 0
  private var lastFailure: Failure?
  /// Parts to skip: they were printed before the document had to be read again.
  private var printed = 0

  /// A report about pages of a document.
  ///
  /// - Parameters:
  ///   - isJSON: Whether each part is a JSON line.
  init(path: FilePath, isJSON: Bool, _ messages: MessagePrinter) {
    self.path = path
    printsJSON = isJSON
    self.messages = messages
  }

  /// Whether no further parts are needed: standard output cannot be written, for example.
  var isOver: Bool { outputFailure != nil || lines?.isOver ?? false }

  /// Starts again with the first part; does not print parts again.
  mutating func restart() {
    printed = max(printed, parts)
    parts = 0
  }

  /// Counts a part that has come.
  mutating func take() -> Bool {
    parts += 1
    return parts > printed
  }

  /// Prints a part.
  mutating func print(_ bytes: [UInt8]) {
    do throws(Failure) {
      try StandardStreams.write(bytes)
    } catch {
      outputFailure = outputFailure ?? error
    }
  }

  /// Prints a part that is JSON.
  mutating func print(_ members: (inout JSONWriter) -> Void) {
    guard lines == nil else {
      lines?.add(members)
      return
    }
    var writer = JSONWriter()
    writer.object(members)
    writer.newline()
    print(writer.bytes)
  }

  /// Prints the error of pages.
  ///
  /// - Parameters:
  ///   - text: Printed in their place if parts are not JSON.
  mutating func fail(_ pages: Range<PageIndex>, _ error: DocumentError, text: [UInt8] = []) {
    guard lines == nil else {
      lines?.fail(pages, error)
      return
    }
    var failure = Failure(error, path: path, pages: pages)
    messages.print(failure)
    failure.isReported = true
    lastFailure = failure
    guard isJSON else { return print(text) }
    print { object in
      object.pages(pages)
      object.error(error)
    }
  }

  /// Ends the report.
  ///
  /// - Returns: Whether all parts could be read.
  /// - Throws: A failure if standard output could not be written; the failure of the only part, whose exit
  ///   code is more specific than 1.
  func end() throws(Failure) -> Bool {
    if let outputFailure { throw outputFailure }
    if parts == 1, let lastFailure { throw lastFailure }
    return lastFailure == nil
  }
}

extension JSONWriter {
  /// Writes the first page and, if there are several, the last.
  mutating func pages(_ pages: Range<PageIndex>) {
    member("page", pages.lowerBound.number)
    if pages.count > 1 { member("lastPage", pages.upperBound.value) }
  }

  /// Writes a line about pages that cannot be read.
  mutating func line(_ pages: Range<PageIndex>, _ error: DocumentError) {
    object { object in
      object.pages(pages)
      object.error(error)
    }
    newline()
  }
}

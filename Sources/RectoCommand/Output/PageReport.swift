internal import DocumentModel
internal import RectoBase
internal import RectoGeometry
internal import RectoKit
internal import SystemPackage

/// Reports pages that are written to files.
struct PageReport {
  /// Why standard output could not be written.
  private(set) var outputFailure: Failure?
  private let path: FilePath
  private let isJSON: Bool
  private let messages: MessagePrinter
  private var pages = 0
  private var lastFailure: Failure?

  /// A report about pages of a document.
  ///
  /// - Parameters:
  ///   - isJSON: Whether a line is written for each page.
  init(path: FilePath, isJSON: Bool, _ messages: MessagePrinter) {
    self.path = path
    self.isJSON = isJSON
    self.messages = messages
  }

  /// Reports a page.
  mutating func write(_ page: ExportedPage) {
    pages += 1
    do throws(Failure) {
      if isJSON { try StandardStreams.write(page.line) }
    } catch {
      outputFailure = outputFailure ?? error
    }
    switch page.result {
    case .success(let file):
      messages.warn(file.warnings, path: path, page: page.pages.lowerBound)
    case .failure(let error):
      var failure = Failure(error, path: path, pages: page.pages)
      messages.print(failure)
      failure.isReported = true
      lastFailure = failure
    }
  }

  /// Ends the report.
  ///
  /// - Returns: Whether all pages were written.
  /// - Throws: A failure if standard output could not be written; the failure of the only page, whose
  ///   exit code is more specific than 1.
  func end() throws(Failure) -> Bool {
    if let outputFailure { throw outputFailure }
    if pages == 1, let lastFailure { throw lastFailure }
    return lastFailure == nil
  }
}

extension ExportedPage {
  /// The JSON line of the page.
  fileprivate var line: [UInt8] {
    var writer = JSONWriter()
    writer.object { $0.members(of: self) }
    writer.newline()
    return writer.bytes
  }
}

extension JSONWriter {
  /// The members of a page that was written, with its label and warnings.
  mutating func members(of page: ExportedPage) {
    self.page(page)
    member("label", page.label)
    if case .success(let file) = page.result {
      member(file.warnings)
      member(file.warnings.repairs)
    }
  }
}

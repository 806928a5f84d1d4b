/// An error of a document or of one of its pages.
///
/// One type from the engine to the command: a worker sends it over its pipe, the command turns
/// ``code`` into an exit code and the rest into one line.
public struct DocumentError: Error, Hashable, Sendable {
  /// The kind of failure. New kinds may be added; treat an unknown one as ``fault``.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The stable word that is printed in JSON.
    public let rawValue: String

    /// A code from its stable word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There is no such file, or it cannot be read, or it is not a regular file.
    public static let unreadable = Code(rawValue: "unreadable")
    /// The bytes are not a PDF.
    public static let notPDF = Code(rawValue: "not-pdf")
    /// A PDF, but damaged beyond use.
    public static let damaged = Code(rawValue: "damaged")
    /// The file is encrypted and no password was given.
    public static let passwordNeeded = Code(rawValue: "password-needed")
    /// The file is encrypted and the password given does not open it.
    public static let passwordWrong = Code(rawValue: "password-wrong")
    /// The file is encrypted in a way the engine does not know.
    public static let encryption = Code(rawValue: "encryption")
    /// A sandbox is required and the machine does not allow it.
    public static let sandbox = Code(rawValue: "sandbox")
    /// The page is counted but cannot be found, or is not a page.
    public static let pageMissing = Code(rawValue: "page-missing")
    /// The page exists but has no area, or more than can be drawn.
    public static let pageSize = Code(rawValue: "page-size")
    /// Drawing the page failed.
    public static let drawing = Code(rawValue: "drawing")
    /// The time limit was reached.
    public static let timeLimit = Code(rawValue: "time-limit")
    /// The memory limit was reached.
    public static let memoryLimit = Code(rawValue: "memory-limit")
    /// The worker process died.
    public static let crash = Code(rawValue: "crash")
    /// The engine found other pages than the page tree reader: earlier answers about pages are not valid.
    public static let pageMismatch = Code(rawValue: "page-mismatch")
    /// The caller cancelled the request, or its task was cancelled. Functions that only throw `DocumentError` throw
    /// this instead of a `CancellationError`.
    public static let cancelled = Code(rawValue: "cancelled")
    /// The file changed while it was being read.
    public static let changed = Code(rawValue: "changed")
    /// The request does not fit the document.
    public static let usage = Code(rawValue: "usage")
    /// An output could not be created.
    public static let output = Code(rawValue: "output")
    /// Reading or writing failed: disk full or device error.
    public static let io = Code(rawValue: "io")
    /// The server does not allow the document to be read.
    public static let notAllowed = Code(rawValue: "not-allowed")
    /// The server of the document is not reached, or does not work now.
    public static let unavailable = Code(rawValue: "unavailable")
    /// A bug in Recto.
    public static let fault = Code(rawValue: "fault")
  }

  /// The kind of failure.
  public var code: Code
  /// The operation: "open", "measure", "draw". Without the document and the page, which the caller knows; clients of a
  /// server must not see paths.
  public var operation: String
  /// The reason, in the library's words or ours, with the limit if there is one.
  public var detail: String

  /// An error from its three parts.
  ///
  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - operation: The operation; the caller knows the page.
  ///   - detail: The reason, and the limit if there is one.
  public init(_ code: Code, during operation: String, _ detail: String) {
    self.code = code
    self.operation = operation
    self.detail = detail
  }
}

extension DocumentError {
  /// The error of a document without pages, when a page is asked for.
  public static let noPages = DocumentError(.damaged, during: "", "the document has no pages")

  /// The error of a page that the document counts but does not have.
  public static let missingPage = DocumentError(
    .pageMissing,
    during: "find",
    "the document counts more pages than it has"
  )
}

extension DocumentError: CustomStringConvertible {
  /// `operation: detail`.
  public var description: String { operation.isEmpty ? detail : "\(operation): \(detail)" }
}

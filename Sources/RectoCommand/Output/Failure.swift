internal import ArgumentParser
internal import DocumentModel
internal import RectoBase
internal import RectoGeometry
internal import RectoKit
internal import SystemPackage

/// An error that ends a command: an exit code and one line.
struct Failure: Error {
  var exitCode: ExitCode
  /// The stable code for programs.
  var code: String
  var path: FilePath?
  var page: PageIndex?
  /// The last of consecutive pages with the same error; ``page`` is the first.
  var lastPage: PageIndex?
  /// The option that the message is about, printed before it.
  var option: OptionName?
  var message: String
  /// Whether the line has been printed already.
  var isReported = false
}

extension ExitCode {
  static let someFailed = ExitCode(1)
  static let usage = ExitCode(64)
  static let badData = ExitCode(65)
  static let noInput = ExitCode(66)
  static let unavailable = ExitCode(69)
  static let fault = ExitCode(70)
  static let system = ExitCode(71)
  static let cannotCreate = ExitCode(73)
  static let io = ExitCode(74)
  static let gaveUp = ExitCode(75)
  static let noPermission = ExitCode(77)

  /// The exit code for a document that failed as a whole.
  init(_ code: DocumentError.Code) {
    switch code {
    case .usage: self = .usage
    case .unreadable: self = .noInput
    case .pageMismatch, .notPDF, .damaged, .encryption, .pageMissing, .pageSize, .drawing, .crash:
      self = .badData
    case .passwordNeeded, .passwordWrong, .notAllowed: self = .noPermission
    case .timeLimit, .memoryLimit, .cancelled: self = .gaveUp
    case .output: self = .cannotCreate
    case .sandbox, .unavailable: self = .unavailable
    case .io, .changed: self = .io
    default: self = .fault
    }
  }
}

extension Failure {
  /// The failure of a document or of one of its pages.
  ///
  /// - Parameters:
  ///   - page: The page that failed; nil if the whole document did.
  init(_ error: DocumentError, path: FilePath, page: PageIndex? = nil) {
    self.init(
      exitCode: ExitCode(error.code),
      code: error.code.rawValue,
      path: path,
      page: page,
      message: error.description + (Self.hint(error, path).map { "; \($0)" } ?? "")
    )
  }

  /// A hint for an error of a document.
  private static func hint(_ error: DocumentError, _ path: FilePath) -> String? {
    switch error.code {
    case .passwordNeeded: "give the password with --password or --password-file"
    case .unreadable where error.operation != "fetch": Hints.hint(forPath: path.string)
    default: nil
    }
  }

  /// Consecutive pages that failed with the same error.
  init(_ error: DocumentError, path: FilePath, pages: Range<PageIndex>) {
    self.init(error, path: path, page: pages.lowerBound)
    lastPage = pages.count > 1 ? pages.last : nil
  }

  /// A page of a list that the document does not have.
  init(_ error: PageListError, path: FilePath) {
    self.init(usage: error.description, path: path, page: error.page)
  }

  /// Why a document has no thumbnails.
  init(_ error: ThumbnailError, path: FilePath) {
    switch error {
    case .document(let error): self.init(error, path: path)
    case .pages(let error): self.init(error, path: path)
    case .output(let error): self.init(output: error)
    }
  }

  /// A usage error.
  ///
  /// - Parameters:
  ///   - path: The document, if the message is about it.
  ///   - page: The page, if the message is about one.
  ///   - option: The option, if the message is about one.
  init(
    usage message: String,
    path: FilePath? = nil,
    page: PageIndex? = nil,
    option: OptionName? = nil
  ) {
    self.init(
      exitCode: .usage,
      code: "usage",
      path: path,
      page: page,
      option: option,
      message: message
    )
  }

  /// An input that could not be read.
  ///
  /// - Parameters:
  ///   - path: The file or folder.
  init(input error: FileError, path: FilePath) {
    self.init(
      exitCode: .noInput,
      code: "unreadable",
      path: path,
      page: nil,
      message: "\(error)"
    )
  }

  /// An output file that could not, or must not, be written.
  init(output error: FileError) {
    if error.refusal == .isInput {
      self.init(usage: "\(error); not overwritten", path: error.path)
      return
    }
    self.init(
      exitCode: error.isDevice ? .io : .cannotCreate,
      code: error.isDevice ? "io" : "output",
      path: error.path,
      page: nil,
      message: "\(error.operation): \(error)"
    )
  }
}

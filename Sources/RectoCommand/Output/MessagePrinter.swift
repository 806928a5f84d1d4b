internal import ArgumentParser
internal import DocumentModel
internal import FoundationEssentials
internal import RectoBase
internal import RectoGeometry
internal import RectoKit
internal import SystemPackage

/// How messages on standard error look.
enum MessageStyle: String, NamedChoice {
  /// `recto: FILE: page N: what is wrong`.
  case text
  /// One JSON object a line.
  case json
}

/// Prints messages to standard error, each on one line, even if a file name contains a line break.
struct MessagePrinter: Sendable {
  /// Which messages are printed.
  enum Level: Comparable, Sendable {
    /// Errors only.
    case errors
    /// Errors and warnings.
    case warnings
    /// Also progress information.
    case all
  }

  /// How messages look.
  var style: MessageStyle
  /// Which messages are printed.
  var level: Level = .warnings
  /// How progress is shown.
  var progress: ProgressStyle = .bar

  /// A progress bar for work that may take longer than a second.
  ///
  /// - Parameters:
  ///   - unit: The counted items, in plural.
  func progressBar(total: Int, unit: String) -> ProgressBar {
    ProgressBar(total: total, style: progress, unit: unit, after: .seconds(1))
  }

  /// Prints an error.
  func print(_ failure: Failure) {
    print(
      code: failure.code,
      path: failure.path,
      page: failure.page,
      lastPage: failure.lastPage,
      option: failure.option,
      failure.message
    )
  }

  /// Prints that poppler now reads a document, and why.
  func print(rereading failure: Failure) {
    warn(
      code: "warning",
      path: failure.path,
      "using poppler to read this document: \(failure.message)"
    )
  }

  /// Prints a warning: something that did not stop the command.
  ///
  /// - Parameters:
  ///   - code: The stable identifier of the kind of message.
  ///   - path: The file that the message is about.
  ///   - page: The page that the message is about.
  func warn(code: String, path: FilePath?, page: PageIndex? = nil, _ message: String) {
    guard level >= .warnings else { return }
    print(code: code, path: path, page: page, message)
  }

  /// Prints information, if requested.
  ///
  /// - Parameters:
  ///   - path: The file that the message is about.
  func note(_ path: FilePath?, _ message: @autoclosure () -> String) {
    guard level >= .all else { return }
    print(code: "info", path: path, page: nil, message())
  }

  /// Prints information about a document at the end: an error of the cache, and repairs.
  func printEnd(of document: Document) async {
    if let failure = await document.takeCacheFailure() {
      warn(code: "cache", path: document.path, failure.description)
    }
    guard level >= .all else { return }
    let repairs = await document.repairs.sorted { $0.key < $1.key }
    guard !repairs.isEmpty else { return }
    for (page, repairs) in repairs.prefix(Self.mostRepairs) {
      note(repairs, document.path, page: page)
    }
    var all = Repairs()
    for (_, repairs) in repairs { all.formUnion(repairs) }
    note(document.path, "pages repaired: \(repairs.count): \(all)")
  }

  /// Prints the repairs of a page, if there are any and information is requested.
  func note(_ repairs: Repairs, _ path: FilePath, page: PageIndex) {
    guard level >= .all, !repairs.isEmpty else { return }
    print(code: "info", path: path, page: page, "repaired: \(repairs)")
  }

  /// The number of pages whose repairs are printed one by one.
  private static let mostRepairs = 100

  /// Prints the error of a page.
  func print(_ error: DocumentError, path: FilePath, page: PageIndex) {
    print(code: error.code.rawValue, path: path, page: page, error.description)
  }

  /// Warns that a page is incomplete, if it is.
  func warn(incomplete warnings: Warnings, path: FilePath, page: PageIndex? = nil) {
    guard let reason = warnings.incomplete else { return }
    warn(code: "incomplete", path: path, page: page, "incomplete: \(reason)")
  }

  /// Warns that a page is incomplete, or prints the engine's warnings.
  func warn(_ warnings: Warnings, path: FilePath, page: PageIndex? = nil) {
    if warnings.incomplete != nil {
      warn(incomplete: warnings, path: path, page: page)
    } else if warnings.count > 0 {
      warn(code: "warning", path: path, page: page, warnings.summary)
    }
  }

  /// Prints a message, unless it is about a worker that ended after a signal.
  ///
  /// - Parameters:
  ///   - code: The stable identifier of the kind of message.
  ///   - path: The file that the message is about.
  func print(
    code: String,
    path: FilePath?,
    page: PageIndex?,
    lastPage: PageIndex? = nil,
    option: OptionName? = nil,
    _ message: String
  ) {
    guard code != DocumentError.Code.crash.rawValue || !Shutdown.isCancelled else { return }
    StandardStreams.writeError(
      line(code: code, path: path, page: page, lastPage: lastPage, option: option, message)
    )
  }

  /// A message in its printed form, with its line end; the parameters are those of
  /// ``print(code:path:page:lastPage:option:_:)``.
  ///
  /// - Parameters:
  ///   - code: The stable identifier of the kind of message; in JSON only.
  ///   - path: The file that the message is about.
  ///   - page: The page that the message is about.
  ///   - option: The option that the message is about.
  func line(
    code: String,
    path: FilePath?,
    page: PageIndex?,
    lastPage: PageIndex? = nil,
    option: OptionName? = nil,
    _ message: String
  ) -> String {
    let about = option.map { "\($0.typed): " } ?? ""
    switch style {
    case .text:
      var line = "recto: "
      if let path { line += "\(path.printable): " }
      line += about
      if let page {
        line += lastPage.map { "pages \(page.number)-\($0.number): " } ?? "page \(page.number): "
      }
      return line + message.escapingControls + "\n"
    case .json:
      var writer = JSONWriter()
      writer.object { object in
        object.member("code", code)
        if let path { object.input(path) }
        if let page { object.member("page", page.number) }
        if let lastPage { object.member("lastPage", lastPage.number) }
        object.member("message", about + message)
      }
      writer.newline()
      return String(decoding: writer.bytes, as: UTF8.self)
    }
  }
}

extension FilePath {
  /// The typed path on one line: control characters and bytes that are not UTF-8 are escaped.
  var printable: String {
    var text = ""
    var rest = (RawArguments.typed(self) ?? bytes)[...]
    while !rest.isEmpty {
      if let (character, length) = rest.firstCharacter {
        text += String(character).escapingControls
        rest = rest.dropFirst(length)
      } else {
        text += "\\x" + String(rest.removeFirst(), radix: 16)
      }
    }
    return text
  }
}

extension String {
  /// The text with everything that could control a terminal escaped as in C: control characters (C0
  /// and C1), line separators, and characters that change the writing direction.
  var escapingControls: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case "\r": text += "\\r"
      case _ where scalar.value < 0x20 || scalar.value == 0x7f:
        let digits = String(scalar.value, radix: 16)
        text += digits.count == 1 ? "\\x0\(digits)" : "\\x\(digits)"
      case _ where scalar.isControlBeyondASCII: text += "\\u\(scalar.fourDigits)"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension JSONWriter {
  /// Writes "path"; a path that is not UTF-8 is followed by "pathBytes", its bytes in Base64.
  mutating func path(_ path: FilePath, as key: String = "path") {
    self.path(bytes: RawArguments.address(path) ?? path.bytes, as: key)
  }

  /// Writes the typed path of an input.
  mutating func input(_ path: FilePath) {
    self.path(bytes: RawArguments.typed(path) ?? path.bytes, as: "path")
  }

  /// Writes a path as above, from its bytes.
  mutating func path(bytes: [UInt8], as key: String = "path") {
    member(key, String(decoding: bytes, as: UTF8.self))
    if String(validating: bytes, as: UTF8.self) == nil {
      member("\(key)Bytes", Data(bytes).base64EncodedString())
    }
  }
}

extension ArraySlice<UInt8> {
  /// The first character of UTF-8 bytes and its length; nil if they are not UTF-8.
  fileprivate var firstCharacter: (Unicode.Scalar, Int)? {
    for length in 1...4 where length <= count {
      if let text = String(validating: prefix(length), as: UTF8.self),
        let scalar = text.unicodeScalars.first
      {
        return (scalar, length)
      }
    }
    return nil
  }
}

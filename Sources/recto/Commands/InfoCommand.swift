internal import ArgumentParser
internal import DocumentModel
internal import FileSystem
internal import Geometry
internal import PageNumbers
internal import RectoKit
internal import SystemPackage
internal import Tiles

/// `recto info`.
struct InfoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Print information about a document.",
    discussion: """
      Example:
        recto info book.pdf
      """
  )

  @Argument(help: ArgumentHelp("The PDF; - for standard input.", valueName: "file"))
  var file: String

  @Flag(help: "Print one JSON object instead of text.")
  var json = false

  @OptionGroup(title: "Document") var options: DocumentOptions
  @OptionGroup(title: "Document") var input: InputOptions
  @OptionGroup(title: "Cache") var cache: CacheOptions
  @OptionGroup(title: "Messages") var messages: MessageOptions

  /// Runs the command.
  ///
  /// - Throws: The exit code, after the failure has been reported.
  func run() async throws {
    try await reportingFailures(messages.messages) { () throws(Failure) in
      let input = try await DocumentInput.open(file, options, limit: self.input.maxInput)
      let cache = input.isCopy ? nil : cache.directory(messages.messages)
      let settings = try options.settings(cache: cache, workers: 1)
      return try await retryingWithPoppler(with: settings, messages.messages) {
        settings throws(Failure) in try await run(input, settings)
      }
    }
  }

  /// Prints what is known about the document.
  ///
  /// - Returns: Whether the first page could be read.
  /// - Throws: A failure if the document cannot be opened or standard output cannot be written.
  private func run(
    _ input: DocumentInput,
    _ settings: DocumentSettings
  ) async throws(Failure) -> Bool {
    let path = input.path
    let document: Document
    let info: DocumentInfo
    do throws(DocumentError) {
      document = try input.document(settings)
      info = try await document.info()
    } catch {
      throw Failure(error, path: path)
    }
    var first: Result<PageInfo, DocumentError>?
    if info.pageCount > 0 {
      do throws(DocumentError) {
        first = .success(try await document.page(at: 0))
      } catch {
        guard error.code != .pageMismatch else { throw Failure(error, path: path) }
        first = .failure(error)
        messages.messages.print(error, path: path, page: 0)
      }
    }
    let answer = Answer(
      path: path,
      bytes: document.identity.size,
      info: info,
      firstPage: first,
      engine: try? await document.engineVersion(),
      pageReader: await document.pageReader
    )
    try StandardStreams.write(json ? answer.json : answer.text)
    if case .failure = first { return false }
    return true
  }

  /// The output.
  struct Answer {
    var path: FilePath
    var bytes: Int
    var info: DocumentInfo
    var firstPage: Result<PageInfo, DocumentError>?
    var engine: String?

    /// Who reads the page tree, and why it is poppler if it is.
    var pageReader: (name: String, reason: String?)

    var json: [UInt8] {
      var writer = JSONWriter()
      writer.object { object in
        object.member("format", 1)
        object.object("document") { object in
          object.path(path)
          object.member("bytes", bytes)
          object.member("pages", info.pageCount)
          object.member("title", info.title)
          object.member("direction", info.isRightToLeft ? "R2L" : "L2R")
          object.member("pageLayout", info.pageLayout?.rawValue)
        }
        switch firstPage {
        case .success(let page):
          object.object("firstPage") { object in
            object.member("label", page.label ?? "1")
            object.object("size") { object in
              object.member("width", page.size.width)
              object.member("height", page.size.height)
            }
            if let rotation = page.rotation { object.member("rotation", rotation.degrees) }
            object.member("userUnit", page.userUnit)
          }
        case .failure(let error): object.object("firstPage") { $0.error(error) }
        case nil: break
        }
        object.member("pageReader", pageReader.name)
        object.member("pageReaderReason", pageReader.reason)
        object.member("engine", engine)
      }
      writer.newline()
      return writer.bytes
    }

    var text: [UInt8] {
      var lines = [("File", path.printable)]
      if let title = info.title { lines.append(("Title", title)) }
      lines.append(("Pages", String(info.pageCount)))
      switch firstPage {
      case .success(let page):
        let size = "\(page.size.width.decimal) x \(page.size.height.decimal) pts"
        lines.append(("First page", size))
        if let rotation = page.rotation, rotation != .none {
          lines.append(("Rotation", "\(rotation.degrees) degrees"))
        }
        if page.userUnit != 1 { lines.append(("User unit", page.userUnit.decimal)) }
      case .failure(let error): lines.append(("First page", "\(error)"))
      case nil: break
      }
      lines.append(("Direction", info.isRightToLeft ? "right to left" : "left to right"))
      lines.append(("Page layout", info.pageLayout?.rawValue ?? "not specified"))
      lines.append(("File size", "\(bytes) bytes"))
      // poppler-glib provides neither /UserUnit nor /Direction.
      let reason =
        pageReader.reason.map { " (\($0); UserUnit and Direction are not available)" }
        ?? ""
      lines.append(("Page reader", pageReader.name + reason))
      if let engine { lines.append(("Engine", engine)) }
      let text = lines.map { name, value in
        name + ":" + String(repeating: " ", count: 15 - name.count) + value.escapingControls + "\n"
      }
      return Array(text.joined().utf8)
    }
  }
}

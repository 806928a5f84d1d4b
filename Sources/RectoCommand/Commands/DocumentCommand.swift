internal import ArgumentParser
internal import DocumentModel
internal import PageLayout
internal import RectoKit
internal import SystemPackage

/// A command that reads one document and draws nothing.
protocol DocumentCommand: AsyncParsableCommand {
  /// The path of the document.
  var file: String { get }
  var document: DocumentOptions { get }
  var input: InputOptions { get }
  var cache: CacheOptions { get }
  var messages: MessageOptions { get }
}

extension DocumentCommand {
  /// Does the command's work, and reports a failure.
  ///
  /// - Parameters:
  ///   - body: Receives the document, its settings, and the message printer; returns whether everything succeeded.
  /// - Throws: The exit code.
  func reading(
    workers: Int = 1,
    _ body: (DocumentInput, DocumentSettings, MessagePrinter) async throws(Failure) -> Bool
  ) async throws(ExitCode) {
    let messages = messages.messages
    try await reportingFailures(messages) { () throws(Failure) in
      let input = try await DocumentInput.open(file, document, self.input)
      let settings = try document.settings(
        cache: cache.directory(for: input, messages),
        workers: workers
      )
      return try await body(input, settings, messages)
    }
  }

  /// As above, with the document open; see ``DocumentInput/read(_:_:_:)``.
  func reading(
    _ body: (Document, MessagePrinter) async throws(Failure) -> Bool
  ) async throws(ExitCode) {
    try await reading { input, settings, messages throws(Failure) in
      try await input.read(settings, messages) { document throws(Failure) in
        try await body(document, messages)
      }
    }
  }

  /// Prints parts of a document as they are read; a signal ends this in an orderly way.
  ///
  /// - Parameters:
  ///   - pages: The pages that are read; nil for all.
  ///   - content: The layout whose content coordinates boxes are printed in.
  ///   - make: Makes the report.
  ///   - body: Reads the document, with so many pages at a time, and adds parts to the report.
  /// - Throws: The exit code.
  func printing<Report: PartialReport>(
    _ pages: PageList?,
    workers: Int,
    in content: ContentLayoutOptions,
    _ make: @escaping @Sendable (FilePath, MessagePrinter) -> Report,
    _ body: @escaping @Sendable (Document, Int, inout Report) async throws(PageExportError) -> Void
  ) async throws(ExitCode) {
    try await reading(workers: workers) { input, settings, messages throws(Failure) in
      try await Shutdown.cancelling { () throws(Failure) in
        var report = make(input.path, messages)
        return try await input.read(settings, messages) { document throws(Failure) in
          report.parts.places = try await content.places(in: document)
          report.parts.restart()
          do throws(PageExportError) {
            try await body(document, workers, &report)
          } catch {
            throw Failure(error, path: input.path)
          }
          await messages.note(clipping: pages, to: document)
          await messages.printEnd(of: document)
          return try report.parts.end() && report.hasFound
        }
      }
    }
  }
}

/// Runs a command's work, and reports a failure.
///
/// - Throws: The exit code: that of the failure, or 1 if `body` returns false.
func reportingFailures(
  _ messages: MessagePrinter,
  _ body: () async throws(Failure) -> Bool
) async throws(ExitCode) {
  let succeeded: Bool
  do throws(Failure) {
    succeeded = try await body()
  } catch {
    if !error.isReported { messages.print(error) }
    throw error.exitCode
  }
  if !succeeded { throw .someFailed }
}

extension DocumentInput {
  /// Opens the document and does a command's work on it. If poppler takes the place of the page tree reader, prints one
  /// warning; the work fails then and is done once more.
  ///
  /// - Parameter body: The work; must not write output before throwing a page mismatch.
  /// - Returns: What `body` returns.
  /// - Throws: A failure if the document cannot be opened, and what `body` throws.
  func read(
    _ settings: DocumentSettings,
    _ messages: MessagePrinter,
    _ body: (Document) async throws(Failure) -> Bool
  ) async throws(Failure) -> Bool {
    try await read(
      settings,
      rereading: { messages.print(rereading: Failure($0, path: path)) },
      body
    )
  }

  /// Does the same without messages.
  ///
  /// - Parameter rereading: Receives why the work is done once more.
  func read(
    _ settings: DocumentSettings,
    rereading: (DocumentError) -> Void,
    _ body: (Document) async throws(Failure) -> Bool
  ) async throws(Failure) -> Bool {
    let document: Document
    do throws(DocumentError) {
      document = try await self.document(settings)
    } catch {
      throw Failure(error, path: path)
    }
    await document.failOnMismatch(true)
    do throws(Failure) {
      return try await body(document)
    } catch {
      guard document.generation > 0, let mismatch = document.mismatch else { throw error }
      rereading(mismatch)
      await document.failOnMismatch(false)
      return try await body(document)
    }
  }
}

extension Document {
  /// What the document says of itself, and the pages of a list; nil without a list.
  ///
  /// - Throws: A failure if it cannot be opened, has no pages where it needs them, or not those of the list.
  nonisolated func reading(
    _ pages: PageList?,
    _ messages: MessagePrinter?,
    needsPages: Bool = false
  ) async throws(Failure) -> (DocumentInfo, PageSequence?) {
    let info: DocumentInfo
    let list: PageList?
    do throws(DocumentError) {
      info = try await self.info()
      if needsPages { try info.requirePages() }
      list = if let pages { try await resolving(pages) } else { nil }
    } catch {
      throw Failure(error, path: path)
    }
    guard let list else { return (info, nil) }
    messages?.note(clipping: list, to: info.pageCount, path: path)
    return try Failure.naming("pages") { () throws(Failure) in
      (info, PageSequence(try list.runs(pageCount: info.pageCount, path: path)))
    }
  }
}

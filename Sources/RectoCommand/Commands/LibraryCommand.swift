internal import ArgumentParser
internal import DocumentModel
internal import RectoKit
internal import SystemPackage

/// A command that reads or draws one document, or those of a list.
protocol LibraryCommand: DocumentCommand {
  /// The only document, if it is given.
  var given: String? { get }
  var library: LibraryOptions { get }
  var workers: JobsOptions { get }
}

/// What a command makes of each of many documents.
struct LibraryTask: Sendable {
  /// The member of a document's line that has what was made.
  var name: String
  /// What the journal keeps of pages.
  var kind = LibraryRecord.Kind.failures
  /// The options on which the output depends; equal options give equal text.
  var options: String
  /// Finds and names the documents; nil if names are not needed.
  var finder: DocumentLibrary?
  /// The directory or the prefix of a store below which files are written.
  var folder = FilePath()
  var isInStore = false
}

extension LibraryCommand {
  var file: String { given ?? "" }

  /// Works on the documents of the list, and reports failures.
  ///
  /// - Parameters:
  ///   - task: What is made of them.
  ///   - drawing: Changes the settings for opening documents.
  ///   - read: Reads or draws a document.
  /// - Throws: The exit code.
  func processing(
    _ task: LibraryTask,
    drawing: (DocumentSettings) -> DocumentSettings = { $0 },
    _ read: @escaping ContentRun.Reading
  ) async throws(ExitCode) {
    let messages = messages.messages
    try await reportingFailures(messages) { () throws(Failure) in
      let settings = library.list.applied(
        to: drawing(
          try document.settings(cache: cache.directory(messages), workers: workers.jobs)
        )
      )
      var run = LibraryRun(settings: settings)
      run.hasDocumentLimit = library.list.documentTimeout != nil
      run.patience = LibrarySession.patience
      let shard = try library.journal.part()
      let journal = try library.journal.journal(
        in: task.folder,
        resumes: library.journal.resumes,
        isLocal: !task.isInStore,
        options: "\(task.options) lines \(library.lines.rawValue) \(settings.optionText)",
        hasPassword: settings.password != nil
      )
      var paths = try library.list.paths()
      run.isDistant = paths.areDistant
      if library.contents { paths.largestContents = input.maxInput * 1_000_000 }
      let session = LibrarySession(
        LibrarySource(
          paths,
          library: task.finder ?? library.list.library(),
          shard: shard,
          journal: journal,
          remote: input.remote
        ),
        ContentRun(
          run: run,
          name: task.name,
          kind: task.kind,
          unit: library.lines,
          documentLimit: library.list.documentTimeout,
          read: read
        ),
        journal,
        LibraryReport(messages, isPart: shard != nil, isStream: paths.lines != nil)
      )
      return try await LibrarySession.untilSignal(messages) { () throws(Failure) in
        try await session.process()
      }
    }
  }

  /// Prints parts of the document, or of those of the list; see ``printing(_:workers:in:_:_:)``.
  ///
  /// - Throws: The exit code.
  func printing<Report: PartialReport>(
    _ pages: PageList?,
    in content: ContentLayoutOptions,
    of task: LibraryTask,
    _ make: @escaping @Sendable (FilePath, MessagePrinter) -> Report,
    _ body: @escaping @Sendable (Document, Int, inout Report) async throws(PageExportError) -> Void
  ) async throws(ExitCode) {
    guard library.isGiven else {
      return try await printing(pages, workers: workers.jobs, in: content, make, body)
    }
    let messages = messages.messages
    try await processing(task) { document, context, lines throws(Failure) in
      var report = make(document.path, messages)
      report.parts.lines = lines
      do throws(Failure) {
        report.parts.places = try await content.places(in: document)
        do throws(PageExportError) {
          try await body(document, context.workers, &report)
        } catch {
          throw Failure(error, path: document.path)
        }
      } catch {
        lines = report.parts.lines ?? lines
        throw error
      }
      lines = report.parts.lines ?? lines
      lines.hasFound = report.hasFound
    }
  }
}

extension DocumentSettings {
  /// The settings that what is read or drawn depends on; equal settings give equal text.
  var optionText: String { readerText + drawingText }

  /// The part of ``optionText`` about the reader of pages.
  var readerText: String { pageReader == .auto ? "" : " reader \(pageReader.rawValue)" }

  /// The part of ``optionText`` about what is drawn.
  var drawingText: String {
    let text = text == .precise ? "" : " text \(text.rawValue)"
    let rasterizer = rasterizer == .auto ? "" : " rasterizer \(rasterizer.rawValue)"
    return "\(text)\(rasterizer)\(shown.text)"
  }
}

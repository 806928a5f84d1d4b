internal import ArgumentParser
internal import RectoKit

/// A command that reads one document, without drawing it.
protocol DocumentCommand: AsyncParsableCommand {
  /// The path of the document.
  var file: String { get }
  var document: DocumentOptions { get }
  var input: InputOptions { get }
  var cache: CacheOptions { get }
  var messages: MessageOptions { get }
}

extension DocumentCommand {
  /// Does the command's work, and reports its failure.
  ///
  /// - Parameters:
  ///   - body: Gets the document, how to open it, and what prints messages; returns whether all of the work
  ///     succeeded.
  /// - Throws: The exit code.
  func reading(
    workers: Int = 1,
    _ body: (DocumentInput, DocumentSettings, MessagePrinter) async throws(Failure) -> Bool
  ) async throws(ExitCode) {
    let messages = messages.messages
    try await reportingFailures(messages) { () throws(Failure) in
      let input = try await DocumentInput.open(file, document, limit: self.input.maxInput)
      let settings = try document.settings(
        cache: cache.directory(for: input, messages),
        workers: workers
      )
      return try await body(input, settings, messages)
    }
  }
}

/// Runs a command's work, and reports its failure.
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

/// Does work on a document. If poppler contradicts the page tree reader, prints one warning and does it
/// again with poppler as the reader of pages.
///
/// - Parameters:
///   - settings: How to open the document; `body` gets them, or a copy that selects poppler.
///   - body: The work; it must not write output before it throws a page mismatch.
/// - Returns: What `body` returns.
/// - Throws: What `body` throws.
func retryingWithPoppler(
  with settings: DocumentSettings,
  _ messages: MessagePrinter,
  _ body: (DocumentSettings) async throws(Failure) -> Bool
) async throws(Failure) -> Bool {
  do throws(Failure) {
    return try await body(settings)
  } catch {
    guard error.isPageMismatch, settings.pageReader == .auto else { throw error }
    messages.print(rereading: error)
    var settings = settings
    settings.pageReader = .poppler
    return try await body(settings)
  }
}

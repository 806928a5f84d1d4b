internal import ArgumentParser
internal import DocumentModel
internal import Geometry
internal import PageLayout
internal import PageNumbers
internal import RectoKit
internal import SystemPackage
internal import Tiles

/// An open document and its layout, as `layout` and `render` need them.
struct LayoutContext {
  let path: FilePath
  let document: Document
  let info: DocumentInfo
  let configuration: LayoutConfiguration
  var documentLayout: DocumentLayout

  /// Opens the file and builds the layout.
  ///
  /// - Parameters:
  ///   - input: The document.
  ///   - layout: The layout options.
  ///   - window: The options of the viewport.
  ///   - settings: How to open the document.
  /// - Throws: A failure if the file cannot be opened or the options do not fit the document.
  init(
    _ input: DocumentInput,
    layout: LayoutOptions,
    window: ViewportOptions,
    settings: DocumentSettings
  ) async throws(Failure) {
    path = input.path
    do {
      document = try input.document(settings)
      info = try await document.info()
    } catch {
      throw Failure(error, path: path)
    }
    let layout = try await layout.resolvingLabels(in: document, path: path)
    configuration = try layout.configuration(for: info, path: path)
    let sequence = try layout.sequence(for: info, path: path)
    do {
      documentLayout = try DocumentLayout(
        document,
        configuration: configuration,
        pages: sequence,
        viewport: window.viewport.size
      )
    } catch {
      throw Failure(error)
    }
  }

  /// The viewport in content coordinates, with the pages it depends on measured.
  ///
  /// - Throws: A failure if the page does not exist or cannot be measured.
  mutating func window(_ options: ViewportOptions) async throws(Failure) -> Rect {
    let position = try await options.position(in: document, info, path: path)
    try check(options)
    do {
      let window = try await documentLayout.window(
        at: position,
        sizes: options.sizesWanted,
        viewing: (options.spreadZoom, options.pan?.point)
      )
      guard configuration.mode != .paged, let progress = options.progress,
        let position = documentLayout.layout.spreadPosition(at: window.origin),
        let offset = documentLayout.layout.offset(
          atSpreadPosition: position.rounded(.down) + progress
        )
      else { return window }
      return try await documentLayout.window(at: .offset(offset), sizes: options.sizesWanted)
    } catch {
      throw failure(error)
    }
  }

  /// The transition of `--from-layout`, with the pages it depends on measured; nil without the option.
  ///
  /// - Throws: A failure if the options do not fit the document or a page cannot be measured.
  mutating func transition(
    _ options: ViewportOptions,
    from layout: LayoutOptions
  ) async throws(Failure) -> Transition? {
    guard let typed = options.fromLayout else { return nil }
    try check(options)
    do {
      let other = try await layout.changed(byTyped: typed)
        .resolvingLabels(in: document, path: path)
      return try await documentLayout.transition(
        from: try other.configuration(for: info, path: path),
        pages: try other.sequence(for: info, path: path),
        to: try await options.position(in: document, info, path: path),
        sizes: options.sizesWanted,
        viewing: (options.spreadZoom, options.pan?.point)
      )
    } catch let error as Failure {
      throw error
    } catch let error as LayoutError {
      throw Failure(error)
    } catch let error as DocumentError {
      throw failure(error)
    } catch {
      throw Failure(usage: "--from-layout: \(LayoutOptions.message(for: error))")
    }
  }

  /// Checks that the options fit the layout mode.
  ///
  /// - Throws: A usage failure.
  private func check(_ options: ViewportOptions) throws(Failure) {
    let rests = configuration.mode == .paged || configuration.mode == .carousel
    guard rests || (options.spreadZoom == nil && options.pan == nil) else {
      throw Failure(usage: "--spread-zoom and --pan need --mode paged or carousel")
    }
  }

  /// A document error with the file named.
  func failure(_ error: DocumentError) -> Failure { Failure(error, path: path) }

  /// Reports once that the cache could not be written.
  func reportCache(_ messages: MessagePrinter) async {
    if let error = await document.takeCacheFailure() {
      messages.print(code: "cache", path: path, page: nil, error.description)
    }
  }

  /// The pages of spreads, as disjoint ranges, ascending.
  func pageRanges(of spreads: [LaidOutSpread]) -> [Range<PageIndex>] {
    PageSequence(spreads.flatMap(\.pages).map { .pages(Range(only: $0.page)) }).pageRanges
  }

  /// Reports which pages could not be measured; one line for consecutive pages with the same error.
  ///
  /// - Parameters:
  ///   - pages: Disjoint ranges, ascending.
  ///   - messages: Prints the lines.
  /// - Returns: Whether all could be measured.
  func reportFailures(of pages: [Range<PageIndex>], _ messages: MessagePrinter) -> Bool {
    let failed = documentLayout.pages.failing(in: pages)
    messages.print(failed, path: path)
    return failed.isEmpty
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
///   - messages: Prints the warning.
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

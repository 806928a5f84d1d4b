internal import ArgumentParser
internal import DocumentModel
internal import Geometry
internal import PageLayout
internal import RectoKit
internal import SystemPackage
internal import Tiles

/// A document opened for a layout: what `layout` and `render` have in common.
struct ViewSession {
  let path: FilePath
  let document: Document
  let facts: DocumentFacts
  let configuration: LayoutConfiguration
  var view: DocumentView

  /// Opens the file and builds the layout.
  init(
    _ file: String,
    layout: LayoutOptions,
    window: WindowOptions,
    settings: DocumentSettings
  ) async throws(Failure) {
    path = FilePath(argument: file)
    do {
      document = try Document(path, settings: settings)
      facts = try await document.facts()
    } catch {
      throw Failure(error, path: path)
    }
    configuration = try layout.configuration(for: facts, path: path)
    let sequence = try layout.sequence(for: facts, path: path)
    do {
      view = try DocumentView(
        document,
        configuration: configuration,
        pages: sequence,
        viewport: window.viewport.size
      )
    } catch {
      throw Failure(error)
    }
  }

  /// The window that was asked for, with all that it needs measured.
  mutating func window(_ options: WindowOptions) async throws(Failure) -> Rect {
    let position = try options.position(pageCount: facts.pageCount, path: path)
    try check(options)
    do {
      let window = try await view.window(
        at: position,
        sizes: options.sizesWanted,
        viewing: (options.spreadZoom, options.pan?.point)
      )
      guard configuration.mode != .paged, options.fromLayout == nil,
        let progress = options.progress,
        let place = view.layout.spreadPosition(at: window.origin),
        let offset = view.layout.offset(atSpreadPosition: place.rounded(.down) + progress)
      else { return window }
      return try await view.window(at: .offset(offset), sizes: options.sizesWanted)
    } catch {
      throw failure(error)
    }
  }

  /// The transition to the window that was asked for, with all that it needs measured; nil where
  /// none was.
  mutating func transition(
    _ options: WindowOptions,
    from layout: LayoutOptions
  ) async throws(Failure) -> Transition? {
    guard let typed = options.fromLayout else { return nil }
    try check(options)
    do {
      let other = try layout.changed(byTyped: typed)
      return try await view.transition(
        from: try other.configuration(for: facts, path: path),
        pages: try other.sequence(for: facts, path: path),
        to: try options.position(pageCount: facts.pageCount, path: path),
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

  private func check(_ options: WindowOptions) throws(Failure) {
    let rests = configuration.mode == .paged || configuration.mode == .carousel
    guard rests || (options.spreadZoom == nil && options.pan == nil) else {
      throw Failure(usage: "--spread-zoom and --pan need --mode paged or carousel")
    }
  }

  /// A document error with the file named.
  func failure(_ error: DocumentError) -> Failure { Failure(error, path: path) }

  /// Says once that the cache could not be written.
  func reportCache(_ messages: Messages) async {
    if let error = await document.takeCacheFailure() {
      messages.print(code: "cache", path: path, page: nil, error.description)
    }
  }

  /// The pages of spreads, as disjoint ranges of indices, ascending.
  func pageRanges(of spreads: [LaidOutSpread]) -> [Range<Int>] {
    PageSequence(spreads.flatMap(\.pages).map { .pages($0.page..<($0.page + 1)) }).pageRanges
  }

  /// Says which of these pages could not be measured; one line for pages in a row that fail alike.
  ///
  /// - Parameter pages: disjoint ranges of indices, ascending.
  /// - Returns: whether all could.
  func reportFailures(of pages: [Range<Int>], _ messages: Messages) -> Bool {
    let failed = view.pages.failing(in: pages)
    for row in failed.prefix(Self.messageLimit) {
      messages.print(Failure(row.error, path: path, pages: row.pages))
    }
    let rest = failed.dropFirst(Self.messageLimit).reduce(0) { $0 + $1.pages.count }
    if rest > 0 {
      messages.print(code: "more", path: path, page: nil, "\(rest) more pages failed")
    }
    return failed.isEmpty
  }

  /// A document whose every page fails should not flood the terminal; the JSON names them all.
  private static let messageLimit = 20
}

/// Runs a command's work and turns its failure into a message and an exit code.
func reporting(
  _ messages: Messages,
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

/// Does work on a document; once more with poppler as the reader of its pages, and after one warning,
/// when the page tree reader turns out to be wrong. Nothing has been put out by then.
func agreeing(
  with settings: DocumentSettings,
  _ messages: Messages,
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

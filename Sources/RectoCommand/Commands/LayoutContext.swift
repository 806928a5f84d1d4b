internal import ArgumentParser
internal import DocumentModel
internal import PageLayout
internal import RectoBase
internal import RectoGeometry
internal import RectoKit
internal import RectoTiles
internal import SystemPackage

/// An open document and its layout, for `layout` and `render`.
struct LayoutContext {
  let path: FilePath
  let document: Document
  let info: DocumentInfo
  let configuration: LayoutConfiguration
  var documentLayout: DocumentLayout

  /// Builds the layout.
  ///
  /// - Throws: A failure if the file cannot be opened, has no pages, or the options do not fit it.
  init(
    _ document: Document,
    layout: LayoutOptions,
    window: ViewportOptions,
    messages: MessagePrinter
  ) async throws(Failure) {
    self.document = document
    path = document.path
    do {
      info = try await document.info()
      try info.requirePages()
    } catch {
      throw Failure(error, path: path)
    }
    if messages.level >= .all {
      let summary = await document.summary
      messages.note(path, summary)
    }
    let layout = try await layout.resolvingLabels(in: document, path: path)
    configuration = try layout.configuration(for: info, path: path)
    if let pages = layout.pages {
      messages.note(clipping: pages, to: info.pageCount, path: path)
    }
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

  /// The viewpoint of the viewport, after measuring the pages it depends on.
  ///
  /// - Throws: A failure if the page does not exist or cannot be measured, or nothing can be shown.
  mutating func viewpoint(_ options: ViewportOptions) async throws(Failure) -> Viewpoint {
    let position = try await options.position(in: document, info, path: path)
    try check(options, position)
    do {
      let found = try await documentLayout.viewpoint(
        at: position,
        sizes: options.sizesWanted,
        viewing: (options.spreadZoom, options.pan?.point)
      )
      let layout = documentLayout.layout
      guard configuration.mode != .paged, let progress = options.progress,
        let position = layout.spreadPosition(at: found.offset)
      else { return found }
      // A window before the first spread, or off by a rounding error only, is at a spread.
      let spread = max(0, (position + 1e-9).rounded(.down))
      guard let offset = layout.offset(atSpreadPosition: spread + progress) else { return found }
      return try await documentLayout.viewpoint(at: .offset(offset), sizes: options.sizesWanted)
    } catch {
      throw failure(error)
    }
  }

  /// The transition of `--from-layout`, after measuring the pages it depends on; nil without the option.
  ///
  /// - Throws: A failure if the options do not fit the document or a page cannot be measured.
  mutating func transition(
    _ options: ViewportOptions,
    from layout: LayoutOptions
  ) async throws(Failure) -> Transition? {
    guard let typed = options.fromLayout else { return nil }
    do {
      let position = try await options.position(in: document, info, path: path)
      try check(options, position)
      let other = try await layout.changed(byTyped: typed)
        .resolvingLabels(in: document, path: path)
      return try await documentLayout.transition(
        from: try other.configuration(for: info, path: path),
        pages: try other.sequence(for: info, path: path),
        to: position,
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
      throw Failure(
        usage: "--from-layout: \(ParserMessage(LayoutOptions.message(for: error)).line)"
      )
    }
  }

  /// Checks that the options fit the layout, and that it can show the position.
  ///
  /// - Throws: A usage failure that names the option.
  private func check(
    _ options: ViewportOptions,
    _ position: DocumentLayout.Position
  ) throws(Failure) {
    let rests = configuration.mode == .paged || configuration.mode == .carousel
    guard rests || (options.spreadZoom == nil && options.pan == nil) else {
      throw Failure(usage: "--spread-zoom and --pan need --mode paged or carousel")
    }
    let page: (index: PageIndex, option: String)? =
      switch position {
      case .page(let index, _): (index, "page")
      case .place(let place): (place.anchor.page, "place")
      case .start, .offset: nil
      }
    if let page, documentLayout.layout.pages.positions(of: page.index).isEmpty {
      let isMissing = !Range(pageCount: info.pageCount).contains(page.index)
      throw Failure(
        usage: isMissing
          ? "\(info.pageWords), is \(page.index.number)"
          : "--pages does not show page \(page.index.number)",
        option: OptionName(page.option)
      )
    }
    if documentLayout.layout.isEmpty { throw noRoom(options) }
  }

  /// The error for options that leave no room for pages.
  private func noRoom(_ options: ViewportOptions) -> Failure {
    guard configuration.zoom >= LayoutConfiguration.smallestVisibleZoom else {
      return Failure(
        usage: """
          must be at least \(LayoutConfiguration.smallestVisibleZoom.decimal) to show a page, is \
          \(configuration.zoom.exactDecimal)
          """,
        option: OptionName("zoom")
      )
    }
    let size = options.viewport.size
    let covered = [configuration.margins, configuration.contentInsets]
    let width = covered.reduce(0) { $0 + $1.horizontal }
    let height = covered.reduce(0) { $0 + $1.vertical }
    if size.width <= width || size.height <= height {
      return Failure(
        usage: """
          --viewport: must be larger than \(width.decimal)x\(height.decimal), what --margin and \
          --insets cover, is \(options.viewport.defaultValueDescription)
          """
      )
    }
    var single = configuration
    single.grid.columns = 1
    let isGrid = (try? documentLayout.layout.reconfigured(single))?.isEmpty == false
    return Failure(
      usage: """
        the gaps leave no room for pages in a --viewport of \
        \(options.viewport.defaultValueDescription)
        """,
      option: OptionName(isGrid ? "columns" : "page-gap")
    )
  }

  /// A document error with the file named.
  func failure(_ error: DocumentError) -> Failure { Failure(error, path: path) }

  /// The pages of spreads, as disjoint ranges, ascending.
  func pageRanges(of spreads: [LaidOutSpread]) -> [Range<PageIndex>] {
    PageSequence(spreads.flatMap(\.pages).map { .pages(Range(only: $0.page)) }).pageRanges
  }

  /// Reports which pages could not be measured; one line for consecutive pages with the same error.
  ///
  /// - Returns: Whether all could be measured.
  func reportFailures(of pages: [Range<PageIndex>], _ messages: MessagePrinter) -> Bool {
    let failed = documentLayout.pages.failing(in: pages)
    messages.print(failed, path: path)
    return failed.isEmpty
  }
}

extension DocumentInfo {
  /// Refuses a document without pages: its page tree is most likely damaged.
  ///
  /// - Throws: `damaged`.
  func requirePages() throws(DocumentError) {
    guard pageCount > 0 else { throw .noPages }
  }
}

extension Document {
  /// How the document is read and drawn, in one line.
  fileprivate var summary: String {
    get async {
      let reader = pageReader
      let reason = reader.reason.map { " (\($0))" } ?? ""
      let engine = (try? await engineVersion()).map { ", drawn by \($0)" } ?? ""
      return "pages read by \(reader.name)\(reason)\(engine)"
    }
  }
}

extension Duration {
  /// Whole milliseconds.
  var milliseconds: Int {
    Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
  }
}

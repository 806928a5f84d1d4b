internal import ArgumentParser
internal import DocumentModel
internal import PageLayout
internal import RectoBase
internal import RectoGeometry
internal import RectoKit

/// `recto layout`.
struct LayoutCommand: DocumentCommand {
  static let configuration = CommandConfiguration(
    commandName: "layout",
    abstract: "Print the positions of pages as JSON.",
    discussion: """
      Prints one JSON object with the spreads in the viewport, or with all spreads. Numbers are \
      in layout units: 1 unit is 1 point at zoom 1. The origin is the top left of the content, \
      and y increases downward.

      Example:
        recto layout book.pdf --spread book --fit width --offset 12000
      """
  )

  @Argument(
    help: ArgumentHelp("The PDF; - for standard input.", valueName: "file"),
    completion: .file(extensions: ["pdf", "PDF"])
  )
  var file: String

  @OptionGroup var listed: ListedPages

  @OptionGroup(title: "Layout") var layout: LayoutOptions
  @OptionGroup(title: "Viewport") var window: ViewportOptions

  @Flag(help: "Print every spread, not only those in the viewport; measures every page.")
  var all = false

  @OptionGroup(title: "Document") var document: DocumentOptions
  @OptionGroup(title: "Document") var input: InputOptions
  @OptionGroup(title: "Cache") var cache: CacheOptions
  @OptionGroup(title: "Messages") var messages: MessageOptions

  /// Checks the options against each other.
  ///
  /// - Throws: A validation error for options that exclude each other or have no effect.
  mutating func validate() throws {
    layout.pages = try listed.list(or: layout.pages)
    try window.refuseUnused(of: layout)
    if all, window.sizes == .estimated {
      throw ValidationError(
        "--sizes estimated cannot be used with --all, which measures every page"
      )
    }
  }

  /// Runs the command.
  ///
  /// - Throws: The exit code, after the failure has been reported.
  func run() async throws {
    try await reading { document, messages throws(Failure) in try await run(document, messages) }
  }

  /// Lays out the document and prints the result.
  ///
  /// - Returns: Whether all printed pages could be measured.
  /// - Throws: A failure if there is no layout, or standard output cannot be written.
  private func run(
    _ document: Document,
    _ messages: MessagePrinter
  ) async throws(Failure) -> Bool {
    var context = try await LayoutContext(
      document,
      layout: layout,
      window: window,
      messages: messages
    )
    if all { try await measureAll(&context, messages) }
    let transition = try await context.transition(window, from: layout)
    let viewpoint: Viewpoint
    var turn: PageTurn?
    if let transition {
      viewpoint = transition.end
    } else {
      viewpoint = try await context.viewpoint(window)
      turn = try await context.turn(viewpoint.window, progress: window.progress)
    }
    var shown: [LaidOutSpread] = []
    // With `--all`, spreads are made while they are printed.
    if !all {
      do throws(DocumentError) {
        shown = try await context.documentLayout.spreads(in: viewpoint.window)
      } catch {
        throw context.failure(error)
      }
    }
    try await print(context, viewpoint, shown, transition, turn)
    await messages.printEnd(of: context.document)
    return context.reportFailures(
      of: all ? context.documentLayout.layout.pages.pageRanges : context.pageRanges(of: shown),
      messages
    )
  }

  /// Measures every page.
  ///
  /// - Throws: A failure if the document cannot be opened.
  private func measureAll(
    _ context: inout LayoutContext,
    _ messages: MessagePrinter
  ) async throws(Failure) {
    let start = ContinuousClock.now
    var progress = messages.progressBar(
      total: context.documentLayout.layout.unmeasuredPages.reduce(0) { $0 + $1.count },
      unit: "pages"
    )
    defer { progress.clear() }
    do throws(DocumentError) {
      try await context.documentLayout.measureAll { progress.advance(to: $0) }
    } catch {
      throw context.failure(error)
    }
    messages.note(
      context.path,
      "all pages measured in \(start.duration(to: .now).milliseconds) ms"
    )
  }

  /// Prints the JSON, in parts if it is long.
  ///
  /// - Parameters:
  ///   - shown: The spreads to print; ignored with `--all`.
  ///   - transition: The transition to describe, if any.
  ///   - turn: The page turn to describe, if any.
  /// - Throws: A failure if standard output cannot be written.
  private func print(
    _ context: LayoutContext,
    _ viewpoint: Viewpoint,
    _ shown: [LaidOutSpread],
    _ transition: Transition?,
    _ turn: PageTurn?
  ) async throws(Failure) {
    let layout = context.documentLayout.layout
    let rect = viewpoint.window
    var writer = JSONWriter()
    writer.openObject()
    writer.member("format", 1)
    writer.document(context.path, context.info, context.document.shown)
    writer.layout(context.configuration, sizes: window.sizesWanted.rawValue)
    writer.content(layout)
    writer.window(viewpoint)
    if let transition {
      writer.transition(transition, progress: window.progress) { start in
        start.layout(transition.start.layout.configuration, sizes: nil)
      }
    } else {
      writer.turn(turn, progress: window.progress)
    }
    if let scale = window.scaleGiven { writer.member("pixelScale", scale) }
    writer.openArray("spreads")
    let scale = window.scaleGiven
    if all {
      try await printAll(context.documentLayout, rect, scale, to: &writer)
    } else {
      for spread in shown {
        writer.spread(spread, of: context.documentLayout, window: rect, pixelScale: scale)
      }
    }
    writer.closeArray()
    writer.closeObject()
    writer.newline()
    try StandardStreams.write(writer.take())
  }

  /// Prints all spreads. Formats several parts at the same time, because layout and formatting take longer than reading
  /// sizes.
  ///
  /// - Parameters:
  ///   - scale: Device pixels per layout unit; nil omits the places of pages in pixels.
  /// - Throws: A failure if standard output cannot be written.
  private func printAll(
    _ documentLayout: DocumentLayout,
    _ window: Rect,
    _ scale: Double?,
    to writer: inout JSONWriter
  ) async throws(Failure) {
    let layout = documentLayout.layout
    let count = layout.spreadCount
    let starts = stride(from: 0, to: count, by: Self.spreadsAtATime)
    var failure: Failure?
    await forEachInOrder(starts, width: Machine.processorCount + 1) { start in
      JSONWriter.elements { part in
        for index in start..<min(start + Self.spreadsAtATime, count) {
          guard let spread = layout.spread(index) else { continue }
          part.spread(spread, of: documentLayout, window: window, pixelScale: scale)
        }
      }
    } _: { elements in
      writer.append(elements: elements)
      do throws(Failure) {
        try StandardStreams.write(writer.take())
        return true
      } catch {
        failure = error
        return false
      }
    }
    if let failure { throw failure }
  }

  /// Spreads in a part of the output: 100 KB and more.
  private static let spreadsAtATime = 512
}

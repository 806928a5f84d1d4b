internal import ArgumentParser
internal import DocumentModel
internal import Geometry
internal import PageLayout
internal import RectoKit

/// `recto layout`.
struct LayoutCommand: AsyncParsableCommand {
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

  @Argument(help: ArgumentHelp("The PDF.", valueName: "file"))
  var file: String

  @OptionGroup(title: "Layout") var layout: LayoutOptions
  @OptionGroup(title: "Viewport") var window: WindowOptions

  @Flag(help: "Print every spread, not only those in the viewport; measures every page.")
  var all = false

  @OptionGroup(title: "Document") var document: DocumentOptions
  @OptionGroup(title: "Cache") var cache: CacheOptions
  @OptionGroup(title: "Messages") var messages: MessageOptions

  func run() async throws {
    let messages = messages.messages
    try await reporting(messages) { () throws(Failure) in
      let settings = try document.settings(cache: cache.directory(messages), workers: 1)
      return try await agreeing(with: settings, messages) { settings throws(Failure) in
        try await run(settings, messages)
      }
    }
  }

  private func run(
    _ settings: DocumentSettings,
    _ messages: Messages
  ) async throws(Failure) -> Bool {
    var session = try await ViewSession(
      file,
      layout: layout,
      window: window,
      settings: settings
    )
    if all {
      do throws(DocumentError) {
        try await session.view.measureAll()
      } catch {
        throw session.failure(error)
      }
    }
    let transition = try await session.transition(window, from: layout)
    let rect: Rect
    if let transition {
      rect = transition.end.window
    } else {
      rect = try await session.window(window)
    }
    var shown: [LaidOutSpread] = []
    // All of them are made while they are printed.
    if !all {
      do throws(DocumentError) {
        shown = try await session.view.spreads(in: rect)
      } catch {
        throw session.failure(error)
      }
    }
    try print(session, rect, shown, transition)
    await session.reportCache(messages)
    return session.reportFailures(
      of: all ? session.view.layout.pages.pageRanges : session.pageRanges(of: shown),
      messages
    )
  }

  private func print(
    _ session: ViewSession,
    _ rect: Rect,
    _ shown: [LaidOutSpread],
    _ transition: Transition?
  ) throws(Failure) {
    let layout = session.view.layout
    var writer = JSONWriter()
    writer.openObject()
    writer.member("format", 1)
    writer.document(session.path, session.facts)
    writer.layout(session.configuration, sizes: window.sizesWanted.rawValue)
    writer.content(layout)
    writer.window(rect, of: layout)
    if let transition {
      writer.transition(transition, progress: window.progress) { start in
        start.layout(transition.start.layout.configuration, sizes: nil)
      }
    } else {
      writer.turn(rect, progress: window.progress, of: layout)
    }
    writer.openArray("spreads")
    for place in 0..<(all ? layout.spreadCount : shown.count) {
      guard let spread = all ? layout.spread(place) : shown[place] else { continue }
      writer.spread(spread, of: session.view, window: rect)
      if writer.bytes.count > 1 << 16 { try StandardStreams.write(writer.take()) }
    }
    writer.closeArray()
    writer.closeObject()
    writer.newline()
    try StandardStreams.write(writer.take())
  }
}

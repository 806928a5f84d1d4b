public import DocumentModel
public import PageLayout
internal import RectoGeometry

/// Measuring by a viewer.
extension Viewer {
  /// Pages measured at a time in the background: as many as one file of the record has, and few
  /// enough that a move does not wait long.
  private static let pagesAtOnce = 256

  /// The result of measuring more pages.
  public enum Measuring: Sendable {
    /// Spreads have moved, and the window with them; or estimates are now exact.
    case moved(Invalidation, ViewerScene)
    /// Estimated sizes are now known, but the scene has not changed.
    case confirmed(ViewerScene)
    /// Every page is measured.
    case finished
  }

  /// Measures more pages: those in the window, then those near it, then the rest.
  ///
  /// - Throws: Whatever keeps the document from being opened; `pageMismatch` when the reader of pages has changed.
  public func measureMore() async throws(DocumentError) -> Measuring {
    guard let portion = try await measureNext() else { return .finished }
    return await takeIn(portion)
  }

  /// Measured pages that may not be in the layout yet.
  public struct Portion: Sendable {
    fileprivate var pages: [Range<PageIndex>]
  }

  /// Measures like ``measureMore()``, but changes nothing, so that the owner decides when the window moves.
  ///
  /// - Returns: The value to pass to ``takeIn(_:)``; nil when every page is measured.
  /// - Throws: As ``measureMore()``.
  public func measureNext() async throws(DocumentError) -> Portion? {
    guard let pages = nextUnmeasured() else { return nil }
    _ = try await document.measure(pages)
    try document.requireGeneration(generation)
    return Portion(pages: pages)
  }

  /// Adds the sizes of measured pages to the layout; the window moves with its content.
  public func takeIn(_ portion: Portion) async -> Measuring {
    // All known sizes, which may be more than when the portion was measured.
    let known = await sizes(of: portion.pages)
    let before = scene
    let wasNeeded = !documentLayout.layout.unmeasuredPages(inside: drawnArea).isEmpty
    let invalidation = take(known, of: portion.pages)
    let scene = scene
    guard invalidation.isEmpty, !wasNeeded, !scene.isMoreExact(than: before) else {
      return .moved(invalidation, scene)
    }
    return .confirmed(scene)
  }

  /// The pages to measure next.
  private func nextUnmeasured() -> [Range<PageIndex>]? {
    let layout = documentLayout.layout
    var unknown = layout.unmeasuredPages(inside: drawnArea)
    if unknown.isEmpty {
      let around = window.inset(
        by: Insets(
          top: -2 * window.height,
          right: -2 * window.width,
          bottom: -2 * window.height,
          left: -2 * window.width
        )
      )
      unknown = layout.unmeasuredPages(inside: around)
    }
    if unknown.isEmpty {
      let all = layout.unmeasuredPages
      let here = viewpoint.current ?? 0
      guard let next = all.first(where: { $0.upperBound > here }) ?? all.last else { return nil }
      // Up to the end of a record file, so that each file is written once.
      let first = min(max(next.lowerBound, here), next.upperBound.advanced(by: -1))
      unknown = [next.clamped(to: Range(blockOf: Self.pagesAtOnce, around: first))]
    }
    var portion: [Range<PageIndex>] = []
    var room = Self.pagesAtOnce
    for range in unknown where room > 0 {
      let part = range.lowerBound..<min(range.upperBound, range.lowerBound.advanced(by: room))
      portion.append(part)
      room -= part.count
    }
    return portion
  }

  // MARK: Sizes

  /// Sizes that are available at once. If they are known, does not wait for the document, which may be busy.
  ///
  /// - Returns: All that is known of pages; all that was known before if their reader has changed.
  func sizes(of pages: [Range<PageIndex>]) async -> MeasuredPages {
    var known = document.known
    if !pages.allSatisfy({ known.isKnown($0) }) { known = await document.measureAtOnce(pages) }
    return known.generation == generation ? known : documentLayout.pages
  }

  /// Measures the sizes for the window that are available at once, and moves the window to its
  /// place.
  ///
  /// - Parameter place: Finds the place in a layout with other sizes; nil keeps the visible content in place.
  func settle(_ place: ((Viewpoint) -> Viewpoint?)?) async {
    var rounds = MeasuringRounds()
    while true {
      if let found = place?(viewpoint) { look(from: found) }
      let unknown =
        documentLayout.layout.unmeasuredPages(atStartOf: window)
        ?? documentLayout.layout.unmeasuredPages(inside: drawnArea)
      let missing = rounds.next(unknown, of: documentLayout.layout.pages)
      guard !missing.isEmpty else { break }
      let known = await sizes(of: missing)
      take(known, of: missing)
      // Sizes that only the engine can measure follow later.
      guard missing.contains(where: { $0.contains(where: known.isKnown) }) else { break }
    }
  }

  /// Adds sizes; the visible content stays in place.
  @discardableResult
  func take(_ known: MeasuredPages, of asked: [Range<PageIndex>]) -> Invalidation {
    let before = viewpoint
    var invalidation = documentLayout.take(known, of: asked)
    let after = viewpoint.measured(documentLayout.layout)
    guard !invalidation.isEmpty else {
      look(from: after)
      return invalidation
    }
    remember()
    geometry += 1
    look(from: after)
    invalidation.adjustOffset(from: before.offset, to: after.offset)
    return invalidation
  }
}

extension ViewerScene {
  /// Whether more of the scene depends only on measured sizes.
  fileprivate func isMoreExact(than other: ViewerScene) -> Bool {
    documentLayout.layout.isContentExact != other.documentLayout.layout.isContentExact
      || spreads.map(\.isExact) != other.spreads.map(\.isExact)
  }
}

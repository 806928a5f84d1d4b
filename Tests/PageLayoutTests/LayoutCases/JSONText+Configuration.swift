import PageLayout
import RectoGeometry

extension JSONText {
  /// The options that differ from the defaults.
  init(named configuration: LayoutConfiguration) {
    var members: [(name: String, value: JSONText?)] = []
    let usual = Self.members(of: LayoutConfiguration())
    for (member, usual) in zip(Self.members(of: configuration), usual)
    where member.value.description != usual.value.description {
      members.append((member.name, member.value))
    }
    self = .object(members)
  }

  private static func members(
    of configuration: LayoutConfiguration
  ) -> [(name: String, value: JSONText)] {
    let (pairing, spacing) = (configuration.pairing, configuration.spacing)
    let (grid, flow) = (configuration.grid, configuration.flow)
    func pages(_ pages: Set<PageIndex>) -> JSONText { .list(pages.sorted().map { JSONText($0) }) }
    return [
      ("mode", .init(word: configuration.mode.rawValue)),
      ("spread", .init(named: configuration.spread)),
      ("axis", .init(word: configuration.axis.rawValue)),
      ("isRightToLeft", .init(configuration.isRightToLeft)),
      ("fit", .init(word: configuration.fit.rawValue)),
      ("fitScope", .init(word: configuration.fitScope.rawValue)),
      ("match", .init(word: configuration.match.rawValue)),
      ("zoom", .init(configuration.zoom)), ("gap", .init(configuration.gap)),
      ("pageGap", .init(configuration.pageGap)), ("margins", .init(named: configuration.margins)),
      ("align", .init(word: configuration.align.rawValue)),
      ("centering", .init(word: configuration.centering.rawValue)),
      ("rotation", .init(configuration.rotation.degrees)),
      ("gapsScaleWithZoom", .init(configuration.gapsScaleWithZoom)),
      ("contentInsets", .init(named: configuration.contentInsets)),
      ("minimumContentSize", .init(named: configuration.minimumContentSize)),
      ("trailingSpace", .init(configuration.trailingSpace)),
      (
        "grid",
        .object([
          ("columns", grid.columns.map { .init($0) }), ("tile", grid.tile.map { .init($0) }),
          ("isJustified", .init(grid.isJustified)),
        ])
      ),
      (
        "flow",
        .object([
          ("rowHeight", flow.rowHeight.map { .init($0) }),
          ("isJustified", .init(flow.isJustified)),
          ("lastRow", .init(word: flow.lastRow.rawValue)),
        ])
      ),
      (
        "carousel",
        .object([
          ("currentShare", .init(configuration.carousel.currentShare)),
          ("neighborShare", .init(configuration.carousel.neighborShare)),
          ("hiddenShare", .init(configuration.carousel.hiddenShare)),
        ])
      ),
      (
        "pairing",
        .object([
          ("wideRatio", pairing.wideRatio.map { .init($0) }), ("alone", pages(pairing.alone)),
          ("together", pages(pairing.together)), ("sectionStarts", pages(pairing.sectionStarts)),
        ])
      ),
      (
        "spacing",
        .object([
          (
            "gaps",
            .list(
              spacing.gaps.map {
                .object([("pages", .init(named: $0.pages.values)), ("gap", .init($0.gap))])
              }
            )
          ),
          ("sectionGap", spacing.sectionGap.map { .init($0) }),
          (
            "pageMargins",
            .list(
              spacing.pageMargins.sorted { $0.key < $1.key }.map {
                .object([("page", .init($0.key)), ("margins", .init(named: $0.value))])
              }
            )
          ),
        ])
      ),
      (
        "spreadViews",
        .list(
          configuration.spreadViews.sorted { $0.key < $1.key }.map {
            .object([
              ("page", .init($0.key)), ("zoom", .init($0.value.zoom)),
              ("pan", .init(named: $0.value.pan)),
            ])
          }
        )
      ),
      ("stickyPages", .list(configuration.stickyPages.map { JSONText($0) })),
    ]
  }

  private init(named spread: LayoutConfiguration.Spread) {
    switch spread {
    case .single: self.init(word: "single")
    case .double: self.init(word: "double")
    case .book: self.init(word: "book")
    case .columns(let columns, let start):
      self = .object([("columns", .init(columns)), ("start", .init(start))])
    }
  }
}

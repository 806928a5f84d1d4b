internal import ArgumentParser
internal import PageLayout
internal import RectoGeometry

/// Refuses given options without effect, which are most likely mistakes.
extension LayoutOptions {
  /// Refuses options that no layout of these modes uses, and options that need another one.
  ///
  /// Requests of `serve` are not checked: a viewer keeps the options of a mode while it shows another.
  ///
  /// - Parameter modes: The modes of the layout and of the layout from which a transition starts.
  /// - Throws: A validation error that names the option.
  func refuseUnused(in modes: Set<LayoutConfiguration.Mode>) throws {
    for (option, users) in optionsOfModes where modes.isDisjoint(with: users) {
      let names = users.map(\.rawValue)
      let others = names.dropLast().joined(separator: ", ")
      let needed = others.isEmpty ? "" : "\(others) or "
      throw ValidationError("\(option) needs --mode \(needed)\(names.last ?? "")")
    }
    if arrangement.lastRow != nil, !arrangement.justify {
      throw ValidationError("--last-row needs --justify")
    }
    if arrangement.gridTile != nil, arrangement.columns != nil {
      throw ValidationError("--grid-tile cannot be used with --columns")
    }
    if spacing.sectionGap != nil, arrangement.sections == nil {
      throw ValidationError("--section-gap needs --sections")
    }
  }

  /// Whether a spread may have several pages.
  fileprivate var hasSpreads: Bool {
    (arrangement.spreadColumns ?? spread.spread.columnCount) > 1 || arrangement.together != nil
  }

  /// The given options that only some modes use, with these modes. Without options given with their
  /// default value, which change nothing.
  private var optionsOfModes: [(option: String, modes: [LayoutConfiguration.Mode])] {
    let all: [(isGiven: Bool, option: String, modes: [LayoutConfiguration.Mode])] = [
      (arrangement.columns != nil, "--columns", [.grid]),
      (arrangement.gridTile != nil, "--grid-tile", [.grid]),
      (arrangement.justify, "--justify", [.grid, .flow]),
      (arrangement.rowHeight != nil, "--row-height", [.flow]),
      (arrangement.lastRow != nil, "--last-row", [.flow]),
      (arrangement.carousel != nil, "--carousel", [.carousel]),
      (spacing.sectionGap != nil, "--section-gap", [.continuous]),
      (!spacing.gapBefore.isEmpty, "--gap-before", [.continuous]),
      (centerIn != .viewport, "--center-in", [.continuous]),
      (align != .center, "--align", [.continuous, .grid, .flow]),
      (spacing.minContent.size != .zero, "--min-content", [.continuous, .grid, .flow]),
      (spacing.trailingSpace != 0, "--trailing-space", [.continuous, .grid, .flow]),
      (fit != .none, "--fit", [.continuous, .paged, .grid]),
      (arrangement.scaleGaps, "--scale-gaps", [.continuous, .paged, .grid, .flow]),
    ]
    return all.filter(\.isGiven).map { ($0.option, $0.modes) }
  }
}

extension ViewportOptions {
  /// Refuses options of the layout, and of the one from which a transition starts, that have no effect.
  ///
  /// - Throws: A validation error that names the option.
  func refuseUnused(of layout: LayoutOptions) throws {
    var layouts = [layout]
    if let fromLayout { layouts.append(try layout.changed(byTyped: fromLayout)) }
    for options in layouts { try options.refuseUnused(in: Set(layouts.map(\.mode))) }
    let sharing = layouts.filter { $0.fitScope == .document }
    if !sharing.isEmpty, sharing.allSatisfy({ $0.mode == .continuous && $0.fit == .none }) {
      throw ValidationError("--fit-scope document needs --fit width, height or page")
    }
    let matching = layouts.filter { $0.match != .none }
    if !matching.isEmpty, !matching.contains(where: \.hasSpreads) {
      throw ValidationError("--match needs --spread double or book, --spread-columns or --together")
    }
  }
}

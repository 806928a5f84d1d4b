public import RectoGeometry

/// A link on a page.
public struct PageLink: Hashable, Sendable {
  /// Where it can be clicked: rectangles in points from the top left of the displayed page (see ``PageText``), one for
  /// each of its quadrilaterals, or one for the whole link.
  public var areas: [Rect]
  /// The target.
  public var target: LinkTarget

  /// A link from its parts.
  public init(areas: [Rect], target: LinkTarget) {
    self.areas = areas
    self.target = target
  }
}

/// The target of a link or an outline item.
public enum LinkTarget: Hashable, Sendable {
  /// A place in this document.
  case destination(LinkDestination)
  /// A destination in this document whose name or page does not exist.
  case missing(name: String?)
  /// A place in another file.
  case file(String, page: PageNumber?, name: String?)
  /// An address.
  case uri(String)
  /// A file to be opened by the system.
  case launch(String)
  /// An action by name, such as `NextPage`.
  case named(String)
  /// An action of another kind, such as `JavaScript`, by its name in PDF; empty if the engine does not know it. Such
  /// actions are never run.
  case other(String)

  /// The number of a page in another document, 1 for the first.
  public typealias PageNumber = Int
}

/// A place in the document.
public struct LinkDestination: Hashable, Sendable {
  /// The page.
  public var page: PageIndex
  /// How the page is to be shown.
  public var fit: Fit
  /// The name by which it was found; nil for a direct destination.
  public var name: String?

  /// How a page is to be shown. Lengths are in points from the top left of the displayed page (see ``PageText``); nil
  /// keeps what the reader has.
  public enum Fit: Hashable, Sendable {
    /// A point at the top left of the window; `zoom` 1 is natural size.
    case point(x: Double?, y: Double?, zoom: Double?)
    /// The whole page.
    case page
    /// The width of the page, from `y` down.
    case width(y: Double?)
    /// The height of the page, from `x` on.
    case height(x: Double?)
    /// A part of the page.
    case area(Rect)
    /// The drawn content of the page.
    case content
    /// The width of the drawn content, from `y` down.
    case contentWidth(y: Double?)
    /// The height of the drawn content, from `x` on.
    case contentHeight(x: Double?)
  }

  /// A destination from its parts.
  public init(page: PageIndex, fit: Fit, name: String? = nil) {
    self.page = page
    self.fit = fit
    self.name = name
  }
}

/// A name in the document's list of destinations.
public struct NamedDestination: Hashable, Sendable {
  /// The name.
  public var name: String
  /// Where it leads; nil if the document does not have the page.
  public var place: LinkDestination?

  /// A name with its place.
  public init(name: String, place: LinkDestination?) {
    self.name = name
    self.place = place
  }
}

/// The outline of a document.
public struct DocumentOutline: Hashable, Sendable {
  /// The entries at the top; empty for a document without an outline.
  public var items: [OutlineItem]
  /// Why entries are missing; nil if all are there.
  public var incomplete: String?

  /// An outline from its parts.
  public init(items: [OutlineItem] = [], incomplete: String? = nil) {
    self.items = items
    self.incomplete = incomplete
  }
}

/// An entry of the document's outline.
public struct OutlineItem: Hashable, Sendable {
  /// The displayed title.
  public var title: String
  /// The target; nil if there is none.
  public var target: LinkTarget?
  /// Whether its children are shown at first.
  public var isOpen: Bool
  /// The entries below it.
  public var children: [OutlineItem]

  /// An entry from its parts.
  ///
  /// - Parameters:
  ///   - title: The displayed title.
  ///   - target: The target; nil if there is none.
  ///   - isOpen: Whether its children are shown at first.
  ///   - children: The entries below it.
  public init(title: String, target: LinkTarget?, isOpen: Bool, children: [OutlineItem]) {
    self.title = title
    self.target = target
    self.isOpen = isOpen
    self.children = children
  }
}

extension PageLink {
  /// The link with its areas multiplied by a factor.
  package func scaled(by factor: Double) -> PageLink {
    PageLink(
      areas: areas.map { Rect(origin: $0.origin * factor, size: $0.size * factor) },
      target: target
    )
  }
}

extension LinkTarget {
  /// The page of this document that it leads to; nil if it leads elsewhere.
  public var page: PageIndex? {
    if case .destination(let place) = self { place.page } else { nil }
  }

  /// The target with the lengths of a place in this document multiplied by a factor.
  package func scaled(by factor: (PageIndex) -> Double) -> LinkTarget {
    guard case .destination(let place) = self else { return self }
    return .destination(place.scaled(by: factor(place.page)))
  }
}

extension LinkDestination {
  /// The destination with its lengths multiplied by a factor.
  package func scaled(by factor: Double) -> LinkDestination {
    let fit: Fit =
      switch fit {
      case .point(let x, let y, let zoom):
        .point(x: x.map { $0 * factor }, y: y.map { $0 * factor }, zoom: zoom)
      case .page, .content: fit
      case .width(let y): .width(y: y.map { $0 * factor })
      case .height(let x): .height(x: x.map { $0 * factor })
      case .area(let area): .area(Rect(origin: area.origin * factor, size: area.size * factor))
      case .contentWidth(let y): .contentWidth(y: y.map { $0 * factor })
      case .contentHeight(let x): .contentHeight(x: x.map { $0 * factor })
      }
    return LinkDestination(page: page, fit: fit, name: name)
  }
}

extension OutlineItem {
  /// The pages of this document that it and the items below it lead to, in order.
  fileprivate var pages: [PageIndex] {
    [target?.page].compactMap(\.self) + children.flatMap(\.pages)
  }

  /// The item and its descendants with mapped targets.
  ///
  /// - Parameter change: Maps the target of an item to a new one.
  fileprivate func mapTargets(_ change: (LinkTarget) -> LinkTarget) -> OutlineItem {
    OutlineItem(
      title: title,
      target: target.map(change),
      isOpen: isOpen,
      children: children.map { $0.mapTargets(change) }
    )
  }
}

extension DocumentOutline {
  /// The pages of this document that the items lead to, in order.
  ///
  /// - Complexity: O(items · levels).
  public var pages: [PageIndex] { items.flatMap(\.pages) }

  /// The outline with mapped targets.
  ///
  /// - Parameter change: Maps the target of an item to a new one.
  package func mapTargets(_ change: (LinkTarget) -> LinkTarget) -> DocumentOutline {
    DocumentOutline(items: items.map { $0.mapTargets(change) }, incomplete: incomplete)
  }
}

/// A fault in a file that is repaired before the engine sees it, as other programs do.
public enum Repair: String, Hashable, Sendable, CaseIterable {
  /// Nothing leads to the pages: objects are found by looking through the file.
  case crossReference = "cross-reference"
  /// A crop box without area, or outside the media box: the page has its media box.
  case cropBox = "crop-box"
  /// /Rotate is not an integer: it is rounded.
  case rotation
  /// /Contents with elements that are not streams, or have too many filters: they are omitted.
  case contents
  /// A form without a /BBox: nothing is clipped.
  case formBox = "form-box"
  /// A font that is missing or null in /Resources: the form's font of that name is used, or Helvetica.
  case fontResource = "font-resource"
  /// A font without a name or a program: Helvetica is used.
  case fontName = "font-name"
  /// A font program that cannot be loaded: it is omitted, so that another font is used.
  case fontProgram = "font-program"
  /// A layer whose visibility on a screen differs between /AS and its default.
  case layer
  /// A field with several parents, in a form with too many paths to follow: it keeps one parent.
  case field
  /// A field without an appearance, whose border has a color but no width: it is 1 point.
  case fieldBorder = "field-border"
  /// More than 10,000 annotations on a page, besides links that are not drawn: the rest are omitted.
  case annotations
}

/// How often each repair was made.
public struct Repairs: Hashable, Sendable {
  private var counts: [Repair: Int] = [:]

  /// No repairs.
  public init() {}

  /// Whether nothing was repaired.
  public var isEmpty: Bool { counts.isEmpty }

  /// How often a repair was made.
  public subscript(repair: Repair) -> Int { counts[repair] ?? 0 }

  /// Adds a repair.
  public mutating func add(_ repair: Repair) { counts[repair, default: 0] += 1 }

  /// Adds other repairs.
  public mutating func formUnion(_ others: Repairs) {
    counts.merge(others.counts) { $0 + $1 }
  }

  /// The repairs that were made, in the order in which they are declared.
  public var kinds: [Repair] { Repair.allCases.filter { counts[$0] != nil } }
}

extension Repairs: CustomStringConvertible {
  /// Such as `form-box 2, layer 1`.
  public var description: String {
    kinds.map { "\($0.rawValue) \(self[$0])" }.joined(separator: ", ")
  }
}

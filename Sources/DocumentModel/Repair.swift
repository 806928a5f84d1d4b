/// A fault of a file that is mended before the engine sees it, as other programs mend it.
public enum Repair: String, Hashable, Sendable, CaseIterable {
  /// Nothing leads to the pages: objects are found by looking through the file.
  case crossReference = "cross-reference"
  /// A crop box without area, or outside the media box: the page has its media box.
  case cropBox = "crop-box"
  /// /Rotate is no integer: it is rounded.
  case rotation
  /// /Contents with elements that are no streams, or of more filters than content has: these are left out.
  case contents
  /// A form without a /BBox: nothing is clipped.
  case formBox = "form-box"
  /// A font that /Resources do not have, or that is null there: it is that of the form with its name, or Helvetica.
  case fontResource = "font-resource"
  /// A font without a name or a program: it is Helvetica.
  case fontName = "font-name"
  /// A font program that cannot be loaded: it is left out, so that another font is used.
  case fontProgram = "font-program"
  /// A layer that /AS shows or hides on a screen, and its default does not.
  case layer
  /// A field that is below several others, in a form with more ways to its fields than can be followed: it is left below
  /// one of them.
  case field
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

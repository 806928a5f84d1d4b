/// A page of a document, counted from 0 in document order.
///
/// Readers count pages from 1. ``number`` and ``init(number:)`` convert between the two, and nothing
/// else does.
///
/// Positions in an order of pages, and counts of pages, are plain integers. There is no arithmetic
/// beyond `Strideable`, because sums of pages mean nothing.
///
/// An integer literal is an index, never a number: `let first: PageIndex = 0` is the page that readers
/// call page 1. Literals are for constants, which are indices everywhere in Recto; numbers come from
/// outside and go through ``init(number:)``.
@frozen
public struct PageIndex: Sendable {
  /// The index as an integer, from 0; negative and too large values name no page of any document.
  public let value: Int

  /// The page at an index.
  @inlinable
  public init(_ value: Int) { self.value = value }

  /// The page with a number, counted from 1; nil for 0 and negative numbers, which no page has.
  @inlinable
  public init?(number: Int) {
    guard number >= 1 else { return nil }
    value = number - 1
  }

  /// What readers see: the page counted from 1.
  @inlinable public var number: Int { advanced(by: 1).value }
}

extension PageIndex: Hashable, Comparable {
  // Written out, so that other modules inline them.

  /// Whether both are the same page.
  @inlinable
  public static func == (left: PageIndex, right: PageIndex) -> Bool { left.value == right.value }

  /// Whether the left page comes before the right one.
  @inlinable
  public static func < (left: PageIndex, right: PageIndex) -> Bool { left.value < right.value }

  /// Hashes the index.
  @inlinable
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension PageIndex: Strideable {
  /// The number of pages from this one to another; negative if that comes first. Clamped to the range of `Int`.
  @inlinable
  public func distance(to other: PageIndex) -> Int {
    let (distance, isTooLarge) = other.value.subtractingReportingOverflow(value)
    return isTooLarge ? (other.value > value ? .max : .min) : distance
  }

  /// The page that many pages after this one, or before it for a negative number. Clamped to the range of `Int`.
  @inlinable
  public func advanced(by count: Int) -> PageIndex {
    let (sum, isTooLarge) = value.addingReportingOverflow(count)
    return PageIndex(isTooLarge ? (count > 0 ? .max : .min) : sum)
  }
}

extension PageIndex: ExpressibleByIntegerLiteral {
  /// The page at an index that is written as a literal.
  @inlinable
  public init(integerLiteral value: Int) { self.init(value) }
}

extension PageIndex: CustomDebugStringConvertible {
  /// The index with the name of its type, so that it is not mistaken for a page number.
  public var debugDescription: String { "PageIndex(\(value))" }
}

#if !hasFeature(Embedded)
  extension PageIndex: Codable {
    /// An index, which is an integer from 0.
    ///
    /// - Throws: The decoder's error if there is no integer.
    public init(from decoder: any Decoder) throws {
      self.init(try decoder.singleValueContainer().decode(Int.self))
    }

    /// Encodes the index as an integer.
    ///
    /// - Throws: The encoder's error.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }
#endif

internal import ArgumentParser

/// The value of `thumbs --size`: lengths of the longer side in pixels.
struct ThumbnailSizes: ExpressibleByArgument, Hashable, Sendable {
  /// The lengths, as they were typed.
  let values: [Int]

  /// The lengths that are accepted.
  static let range = 1...4096
  /// The most lengths that are accepted.
  static let mostValues = 16

  /// Lengths from a list with commas.
  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    let values = parts.compactMap { Int($0) }.filter(Self.range.contains)
    guard values.count == parts.count, values.count <= Self.mostValues else { return nil }
    self.values = values
  }
}

extension ValueReader<ThumbnailSizes> {
  /// One or more lengths in pixels.
  static var thumbnailSizes: Self {
    let range = ThumbnailSizes.range
    return value(
      "must be the length of the longer side, a whole number between \(range.lowerBound) and "
        + "\(range.upperBound), or up to \(ThumbnailSizes.mostValues) of them with commas"
    )
  }
}

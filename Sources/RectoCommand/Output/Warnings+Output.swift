internal import DocumentModel
internal import RectoBase

extension Warnings {
  /// The rasterizer, if it was not cairo.
  var otherRasterizer: String? { rasterizer == .cairo ? nil : rasterizer.rawValue }

  /// One line: how many, and the first.
  var summary: String {
    let words = first ?? ""
    return count == 1 ? words : "\(count) warnings, the first: \(words)"
  }
}

extension JSONWriter {
  /// Writes "repairs", the count of each repair, unless there are none.
  mutating func member(_ repairs: Repairs) {
    guard !repairs.isEmpty else { return }
    object("repairs") { object in
      for repair in repairs.kinds { object.member(repair.rawValue, repairs[repair]) }
    }
  }

  /// Writes "rasterizer" if it was not cairo, and "warnings" with their number and the first, if there are any.
  mutating func member(_ warnings: Warnings) {
    member("rasterizer", warnings.otherRasterizer)
    guard warnings.count > 0 else { return }
    object("warnings") { object in
      object.member("count", warnings.count)
      object.member("first", warnings.first)
    }
  }
}

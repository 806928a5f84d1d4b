internal import RectoGeometry
internal import RectoKit
internal import SystemPackage

extension MessagePrinter {
  /// Reports pages that cannot be measured; one line for consecutive pages with the same error.
  func print(_ failing: [MeasuredPages.Failing], path: FilePath) {
    for row in failing.prefix(Self.failingLimit) {
      print(Failure(row.error, path: path, pages: row.pages))
    }
    let rest = failing.dropFirst(Self.failingLimit).reduce(0) { $0 + $1.pages.count }
    if rest > 0 { print(code: "more", path: path, page: nil, "\(rest) more pages failed") }
  }

  /// Limits the output for a document whose pages all fail; the JSON has them all.
  private static let failingLimit = 20
}

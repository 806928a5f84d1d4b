internal import RectoBase
internal import SystemPackage

/// Documents in a stream: for each a line of JSON with its name and its length, then its bytes.
struct ContentsInput: Sendable {
  /// A document, or why it is refused.
  struct Framed: Sendable {
    /// The name.
    var name: [UInt8]
    /// The contents; nil if they are refused.
    var file: InputFile?
    /// Why they are refused.
    var reason: String?
  }

  private let input: LineInput
  /// The most bytes of a document.
  private let limit: Int

  /// The documents of a stream.
  ///
  /// - Parameter limit: The most bytes of a document; a longer one is refused.
  init(_ input: LineInput, limit: Int) {
    self.input = input
    self.limit = limit
  }

  /// The next document; nil at the end. Its failure is that of the stream, which cannot be read on.
  func next() async -> Result<Framed?, Failure> {
    guard let line = await input.next() else { return .success(nil) }
    guard case .text(let text) = line, let head = try? JSONValue(parsing: text),
      let name = head.path("path"), !name.contains(0), !name.isEmpty,
      let count = head["bytes"]?.integer, count >= 0
    else {
      let place = "a line before a document must be {\"path\":\"NAME\",\"bytes\":N}"
      return .failure(Failure(usage: place, path: "/dev/stdin"))
    }
    do throws(SpoolingError) {
      return .success(try await document(name, count))
    } catch {
      return .failure(Failure(error, path: "/dev/stdin"))
    }
  }

  /// Receives a document.
  ///
  /// - Throws: `SpoolingError` if it cannot be stored.
  private func document(_ name: [UInt8], _ count: Int) async throws(SpoolingError) -> Framed {
    let file = count <= limit ? try ReceivedFile(length: count) : nil
    var rest = count
    while rest > 0 {
      let part = await input.bytes(atMost: rest)
      guard !part.isEmpty else {
        return Framed(
          name: name,
          reason: "standard input ended after \(count - rest) of \(count) bytes"
        )
      }
      rest -= part.count
      try file?.append(part)
    }
    guard let file else {
      let reason = "more than \(limit / 1_000_000) MB; --max-input sets the limit"
      return Framed(name: name, reason: reason)
    }
    return Framed(name: name, file: try file.finish())
  }
}

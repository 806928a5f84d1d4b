/// Why the page tree reader leaves a document, or one request, to the engine.
///
/// This is not an error for the user: the engine then reads the document, and its errors are
/// reported. Only bytes that cannot be read at all are an error themselves.
package struct StructureError: Error, Hashable, Sendable {
  /// The kinds of reason.
  package enum Reason: String, Hashable, Sendable, CaseIterable {
    /// There is no PDF header in the first 1,024 bytes.
    case notPDF = "not-pdf"
    /// The trailer names an encryption dictionary.
    case encrypted = "encrypted"
    /// A required structure cannot be read.
    case damaged = "damaged"
    /// The engine would rebuild the cross-reference by scanning the file, and so may change what
    /// every object number stands for.
    case needsRepair = "needs-repair"
    /// The engine reads this linearized file through its hint tables, with another result.
    case linearized = "linearized"
    /// A legal but rare construct that this reader does not read.
    case unsupported = "unsupported"
    /// More work, depth or memory than the reader's ``ReaderLimits`` allow.
    case limit
    /// The bytes cannot be read: an error of the operating system.
    case unreadable = "unreadable"
    /// The file became shorter while it was being read.
    case changed = "changed"
  }

  /// The kind of reason.
  package var reason: Reason
  /// The exact problem, for the log.
  package var detail: String

  /// A reason in its two parts.
  package init(_ reason: Reason, _ detail: String) {
    self.reason = reason
    self.detail = detail
  }
}

extension StructureError: CustomStringConvertible {
  /// `reason: detail`.
  package var description: String { "\(reason.rawValue): \(detail)" }
}

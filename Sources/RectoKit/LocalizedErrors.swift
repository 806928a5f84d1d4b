public import DocumentModel
public import FoundationEssentials
public import PageLayout
public import RectoBase

// Makes `localizedDescription` of errors their description, in English.

extension DocumentError: LocalizedError {
  /// The operation and the reason.
  public var errorDescription: String? { description }
}

extension FileError: LocalizedError {
  /// The path, the operation and the reason.
  public var errorDescription: String? { "\(path): \(self)" }
}

extension LayoutError: LocalizedError {
  /// The field and the reason.
  public var errorDescription: String? { description }
}

extension ViewerError: LocalizedError {
  /// One line.
  public var errorDescription: String? { description }
}

extension PageExportError: LocalizedError {
  /// One line.
  public var errorDescription: String? { description }
}

extension ThumbnailError: LocalizedError {
  /// One line.
  public var errorDescription: String? { description }
}

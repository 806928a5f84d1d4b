public import DocumentModel
internal import PDFStructure
public import PageLayout
internal import RectoBase
internal import RectoGeometry

/// The fonts and images of pages.
public struct PageResources: Sendable {
  /// The fonts, each once.
  public var fonts: [DocumentFont] = []
  /// The images, each once for each page.
  public var images: [DocumentImage] = []
  /// The pages of which not all could be read.
  public var failing: [MeasuredPages.Failing] = []
}

/// What a document is made of, as the page tree reader finds it; poppler is not asked.
extension Document {
  /// The fonts and images that pages have in their resources, forms, patterns and annotations. Content is not read:
  /// they may never be drawn.
  ///
  /// - Parameter pages: The pages; each is read once.
  /// - Complexity: O(objects of the pages).
  /// - Throws: `usage` when the page tree reader cannot read the document; `cancelled`.
  public func resources(of pages: PageSequence) throws(DocumentError) -> PageResources {
    let operation = "read the resources"
    var scan = ResourceScan()
    var found = PageResources()
    for page in pages.pageRanges.joined() {
      if Task.isCancelled { throw DocumentError.cancelled.during(operation) }
      guard let problem = tree.addResources(of: page, to: &scan) else {
        throw unread(during: operation)
      }
      if let problem {
        let error = DocumentError(.damaged, during: operation, problem)
        found.failing.append(MeasuredPages.Failing(pages: Range(only: page), error: error))
      }
    }
    (found.fonts, found.images) = (scan.fonts, scan.images)
    return found
  }

  /// All named destinations.
  ///
  /// - Complexity: O(names · levels of the page tree).
  /// - Throws: `usage` when the page tree reader cannot read the document, and `damaged` when it cannot read the names.
  public func destinations() throws(DocumentError) -> [NamedDestination] {
    guard let names = tree.destinations() else {
      throw unread(during: "read the destinations")
    }
    return names
  }

  /// The files that the document contains, in the order of their names, without those of annotations.
  ///
  /// - Complexity: O(files).
  /// - Throws: `usage` when the page tree reader cannot read the document, and `damaged` when it cannot read the files.
  public func attachments() throws(DocumentError) -> [DocumentAttachment] {
    guard let files = tree.attachments() else { throw unread(during: "read the attachments") }
    return files
  }

  /// The annotations of a page that have a text or a file, in stacking order, without links and fields of forms.
  ///
  /// - Parameter page: The page.
  /// - Complexity: O(annotations of the page).
  /// - Throws: `usage` when the page tree reader cannot read the document, `damaged` when it cannot read the
  ///   annotations, and `missingPage`.
  public func annotations(of page: PageIndex) throws(DocumentError) -> [PageAnnotation] {
    guard let read = tree.annotations(of: page) else {
      throw unread(during: "read the annotations")
    }
    guard let found = read else { throw .missingPage }
    return found
  }

  /// The XMP metadata, decoded, usually XML in UTF-8; nil if there is none.
  ///
  /// - Throws: `usage` when the page tree reader cannot read the document, and `damaged` when it cannot read them.
  public func metadata() throws(DocumentError) -> [UInt8]? {
    guard let bytes = tree.metadata() else { throw unread(during: "read the metadata") }
    return bytes
  }

  /// The error of something that only the page tree reader reads.
  func unread(during operation: String) -> DocumentError {
    guard let refusal = tree.refusal else {
      return DocumentError(.damaged, during: operation, "it is damaged, or too large")
    }
    return DocumentError(.usage, during: operation, Self.unread(refusal))
  }
}

public import DocumentModel
internal import PageLayout
public import RectoBase
public import RectoGeometry
internal import SystemPackage

/// Writes pages of one document to files, one picture per page; or to one file, in a format with pages, if the template
/// is the same for all of them.
///
/// The pictures are not cached.
public struct PageExport: Sendable {
  /// The pages; nil for all. A range that extends beyond the document ends with its last page; a
  /// single page beyond it is an error of that page. Each page is written once; one file has them as they are listed.
  public var pages: PageList?
  /// The part of each page that is drawn, and its size.
  public var geometry: PictureGeometry
  /// The format and quality of the files.
  public var style: PictureStyle
  /// The paths of the files.
  public var template: FileTemplate
  /// The pyramid that each page becomes; nil for a single picture. A page is always drawn as a whole then.
  public var pyramid: PagePyramid?
  /// The prefix of a store below which the pictures become objects, each with one page; nil for files.
  public var store: StoreFolder?
  /// The files of the run, and the document, if it is one of many.
  package var library: (files: LibraryFiles, item: DocumentLibrary.Item)?
  /// Whether the pictures are in the results and not in files.
  package var isInline = false

  /// An export with its settings; nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - template: The paths of the files.
  ///   - pages: The pages; nil for all.
  ///   - geometry: The part of each page that is drawn, and its size.
  ///   - style: The format and quality of the files.
  public init(
    to template: FileTemplate = FileTemplate(),
    pages: PageList? = nil,
    geometry: PictureGeometry = PictureGeometry(size: .resolution(150)),
    style: PictureStyle = .tile
  ) {
    self.template = template
    self.pages = pages
    self.geometry = geometry
    self.style = style
  }

  /// Writes the pages of a document.
  ///
  /// A page that fails does not affect the others, except in one file, which is then not written. If a file cannot be
  /// written, no further page is begun. When the task
  /// is cancelled, files that were written are kept.
  ///
  /// - Parameters:
  ///   - document: The document. It is not overwritten.
  ///   - workers: The ``DocumentSettings/workers`` of the document: the number of pages drawn at the same time.
  ///   - isolation: The actor that `start` and `body` run on.
  ///   - start: Receives the number of pages before the first one is begun.
  ///   - body: Receives each page as soon as it is done, in any order. Returns whether to continue.
  /// - Throws: The error of a document that cannot be opened, of a template that does not fit its
  ///   pages, or of a file that cannot be written. `pageMismatch` when the reader of pages changes meanwhile: all
  ///   pages have to be written again.
  public func write(
    _ document: Document,
    workers: Int,
    isolation: isolated (any Actor)? = #isolation,
    start: (_ pageCount: Int) -> Void = { _ in },
    each body: (ExportedPage) -> Bool
  ) async throws(PageExportError) {
    let generation = document.generation
    let listed = try await PageSelection(pages, in: document)
    let inputs = library?.files.inputs ?? SparedFiles([document.identity.node])
    if library == nil, document.remoteIdentity != nil { inputs.add(document.path) }
    let folder = PictureFolder(FilePath(), sparing: inputs)
    if isTogether, listed.positionCount > 1 {
      guard store == nil else { throw .template(.onePath(pageCount: listed.positionCount)) }
      return try await writeTogether(
        listed,
        of: document,
        workers: max(1, workers),
        to: folder,
        start: start,
        each: body
      )
    }
    let selection = pages == nil ? listed : listed.distinct
    let paths = try await paths(of: selection, in: document)
    let owner = library?.item.name ?? FilePath()
    let files = NamedPictures(
      folder: folder,
      paths: paths,
      names: library?.files.names,
      owner: owner
    )
    let objects = store.map { store in
      StoredPictures(
        store.prefix,
        paths: paths,
        mediaType: style.format.mediaType,
        names: library?.files.names,
        owner: owner,
        sparing: inputs
      )
    }
    let destination: any PictureDestination =
      if isInline { InlinePictures() } else if let objects { objects } else { files }
    let writer = PageFileWriter(
      document: document,
      destination: destination,
      geometry: geometry,
      style: style,
      workers: max(1, workers),
      pyramid: pyramid.map { ($0, files) }
    )
    start(selection.count)
    var failure: PageExportError?
    await writer.write(selection) { event in
      switch event {
      case .output(let error):
        failure = failure ?? .output(error)
        return false
      case .page(let page, _):
        do throws(DocumentError) {
          try document.requireGeneration(generation)
        } catch {
          failure = failure ?? .document(error)
        }
        return failure == nil && body(page)
      }
    }
    if let failure { throw failure }
  }

  /// The file for a destination that is not a file: the picture of the only page, or of all of them in a format that
  /// can be streamed.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - workers: The number of pages drawn at the same time.
  /// - Returns: The file, and the pages with the engine's warnings.
  /// - Throws: The error of a document that cannot be opened, or of a page; `severalPages` if there is
  ///   more than one in another format.
  public func file(
    _ document: Document,
    workers: Int
  ) async throws(PageExportError) -> (
    bytes: [UInt8], pages: [(page: PageIndex, warnings: Warnings)]
  ) {
    try await document.withOneReader { () throws(PageExportError) in
      let listed = try await PageSelection(pages, in: document)
      if style.format.canBeStreamed, listed.positionCount > 1 {
        let file = try await together(listed, of: document, workers: max(1, workers))
        return (file.bytes, file.pages.map { ($0.index, $0.warnings) })
      }
      let selection = pages == nil ? listed : listed.distinct
      guard selection.count == 1, selection.parts.count == 1,
        let page = selection.runs.first?.page(at: 0)
      else { throw .severalPages(selection.count) }
      do throws(DocumentError) {
        let picture = try await document.picture(of: page, geometry: geometry, style: style)
        return (picture.bytes, [(page, picture.warnings)])
      } catch {
        throw .page(page, error)
      }
    }
  }

  /// Whether all pages go to one file.
  private var isTogether: Bool {
    style.format.hasPages && pyramid == nil && !isInline && !template.hasPage && !template.hasLabel
  }

  /// The paths of the files, which are all different.
  ///
  /// - Throws: An error of the template, or of a document whose labels cannot be read.
  func paths(
    of selection: PageSelection,
    in document: Document
  ) async throws(PageExportError) -> PagePaths {
    let fileExtension =
      pyramid == nil ? style.format.fileExtension : PagePyramid.fileExtension
    let paths =
      if let library {
        PagePaths(
          template,
          item: library.item,
          fileExtension: fileExtension,
          pageCount: selection.pageCount
        )
      } else {
        PagePaths(
          template,
          document: document.path,
          fileExtension: fileExtension,
          pageCount: selection.pageCount,
          room: pyramid == nil ? 0 : PagePyramid.longestSuffix
        )
      }
    guard selection.count > 1, !template.separatesPages, !isTogether, !isInline else {
      return paths
    }
    guard template.hasPage || template.hasLabel else {
      throw .template(.onePath(pageCount: selection.count))
    }
    var pages: [FilePath: PageIndex] = [:]
    for range in selection.runs.compactMap(\.pages) {
      let known: MeasuredPages
      do throws(DocumentError) {
        known = try await document.measure([range])
      } catch {
        throw .document(error)
      }
      var next = range.lowerBound
      while next < range.upperBound {
        let page = next
        // Pages that cannot be measured have no file.
        next = known.failing(at: page)?.pages.upperBound ?? page.advanced(by: 1)
        guard let info = known.info(of: page) else { continue }
        let path = paths.path(of: page, label: info.label)
        if let other = pages.updateValue(page, forKey: path) {
          throw .template(.samePath(path, other, page))
        }
      }
    }
    return paths
  }
}

/// Why pages are not exported.
public enum PageExportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The document cannot be opened or has no pages.
  case document(DocumentError)
  /// The document has none of the pages.
  case pages(PageListError)
  /// The template does not fit the pages.
  case template(FileTemplateError)
  /// More than one page where only one is possible; with the number of pages.
  case severalPages(Int)
  /// The only page, or one of those in one file, cannot be drawn.
  case page(PageIndex, DocumentError)
  /// A file cannot be written.
  case output(FileError)

  /// One line.
  public var description: String {
    switch self {
    case .document(let error): error.description
    case .pages(let error): error.description
    case .template(let error): error.description
    case .severalPages(let count): "one page is possible, \(count) are selected"
    case .page(_, let error): error.description
    case .output(let error): "\(error.path): \(error.operation): \(error)"
    }
  }
}

internal import DocumentModel
internal import FileSystem
internal import PageLayout
internal import PageNumbers
internal import SystemPackage

/// Makes the thumbnails of one document: decides which pages are measured and drawn together.
struct ThumbnailWriter: Sendable {
  /// The output folder.
  let folder: FilePath
  /// Files that are not overwritten.
  let inputs: Set<FileNode>
  /// The length of the longer side in pixels.
  let size: Int
  /// The format of the pictures, and what is kept of the pixels.
  let style: PictureStyle
  /// The pages that get a thumbnail.
  let pages: ThumbnailPages

  /// Pages measured before they are drawn.
  private static let pagesAtOnce = 1024

  /// Makes the thumbnails of one document; all of them again with poppler as the reader of pages if
  /// poppler contradicts the page tree reader.
  func thumbnails(
    of item: DocumentLibrary.Item,
    _ settings: DocumentSettings
  ) async -> DocumentThumbnails {
    let first = await attempt(item, settings)
    guard settings.pageReader == .auto, let mismatch = first.foundMismatch else { return first }
    var settings = settings
    settings.pageReader = .poppler
    var second = await attempt(item, settings)
    second.mismatch = mismatch
    return second
  }

  private func attempt(
    _ item: DocumentLibrary.Item,
    _ settings: DocumentSettings
  ) async -> DocumentThumbnails {
    var thumbnails = DocumentThumbnails(item)
    do throws(ThumbnailError) {
      let (document, pageCount) = try await open(item, settings)
      thumbnails.pageCount = pageCount
      let drawing = ThumbnailDrawing(
        document: document,
        folder: ThumbnailFolder(folder, sparing: inputs),
        size: size,
        style: style,
        name: item.name,
        digits: pages == .first ? nil : String(pageCount).count,
        pagesAtOnce: settings.workers * 4
      )
      let pages = try await resolved(document)
      for run in try pages.sequence(pageCount: pageCount).runs {
        await write(run, with: drawing, into: &thumbnails)
      }
      thumbnails.cacheFailure = await document.takeCacheFailure()
    } catch {
      thumbnails.failure = error
    }
    return thumbnails
  }

  /// The pages, with those of the document in place of labels.
  ///
  /// - Throws: The error of a document whose labels cannot be read.
  private func resolved(_ document: Document) async throws(ThumbnailError) -> ThumbnailPages {
    guard case .list(let list) = pages else { return pages }
    do throws(DocumentError) {
      return .list(try await document.resolving(list))
    } catch {
      throw .document(error)
    }
  }

  /// The open document, and the number of pages that it claims to have.
  ///
  /// - Throws: The error of a document that cannot be opened.
  private func open(
    _ item: DocumentLibrary.Item,
    _ settings: DocumentSettings
  ) async throws(ThumbnailError) -> (document: Document, pageCount: Int) {
    do throws(DocumentError) {
      let document = try Document(item.path, settings: settings)
      return (document, try await document.info().pageCount)
    } catch {
      throw .document(error)
    }
  }

  /// Measures, draws and writes the pages of a run, unless the disk is full.
  private func write(
    _ run: PageSequence.Run,
    with drawing: ThumbnailDrawing,
    into thumbnails: inout DocumentThumbnails
  ) async {
    var known = MeasuredPages()
    var rest = run
    while thumbnails.deviceFailure == nil, let next = rest.page(at: 0) {
      if let failing = known.failing(at: next), failing.error == .missingPage {
        // Possibly far more than there can be: they are neither drawn nor named one by one.
        let missing = failing.pages.clamped(to: rest.pages ?? 0..<0)
        thumbnails.pages.append(PageThumbnail(pages: missing, result: .failure(failing.error)))
        rest = rest.part(missing.count..<rest.count)
        continue
      }
      let portion = (0..<min(Self.pagesAtOnce, rest.count)).compactMap { rest.page(at: $0) }
      // All at once, because sizes are stored in one file for many pages. A document that cannot be
      // opened is an error of each page, and met again there.
      known = (try? await drawing.document.measure(portion)) ?? MeasuredPages()
      let present = Array(portion.prefix { known.failing(at: $0)?.error != .missingPage })
      thumbnails.take(await drawing.write(present, known), of: present)
      rest = rest.part(present.count..<rest.count)
    }
  }
}

extension DocumentThumbnails {
  /// Adds the results for pages.
  ///
  /// - Parameters:
  ///   - results: One for each page; nil for a page that was not drawn because the disk is full.
  ///   - indices: The pages.
  fileprivate mutating func take(
    _ results: [Result<Thumbnail, ThumbnailDrawing.Failure>?],
    of indices: [PageIndex]
  ) {
    for (index, result) in zip(indices, results) {
      let page = Range(only: index)
      switch result {
      case .success(let thumbnail):
        pages.append(PageThumbnail(pages: page, result: .success(thumbnail)))
      case .failure(.document(let error)):
        pages.append(PageThumbnail(pages: page, result: .failure(error)))
      case .failure(.output(let error)) where error.isDevice: deviceFailure = error
      case .failure(.output(let error)): failure = .output(error)
      case nil: break
      }
    }
  }
}

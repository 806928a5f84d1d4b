internal import DocumentModel
internal import RectoBase
internal import RectoGeometry
internal import RectoPictures

/// Several pages in one file.
extension PageExport {
  /// The pages of a file.
  struct OneFile {
    /// A page in the file.
    struct Page {
      let index: PageIndex
      let label: String?
      /// In pixels, or points.
      let size: PixelSize
      let warnings: Warnings
    }

    var bytes: [UInt8]
    var pages: [Page]
  }

  /// The most pages of a file.
  package static let mostPages = 10_000
  /// The most bytes of a file of pixels, which is in memory until all of its pages are drawn.
  private static let largestFile = 1 << 30

  /// Writes the pages of a selection, as they are listed, to one file.
  ///
  /// - Throws: As ``write(_:workers:isolation:start:each:)``; `page` for the first page that fails.
  func writeTogether(
    _ selection: PageSelection,
    of document: Document,
    workers: Int,
    to folder: PictureFolder,
    isolation: isolated (any Actor)? = #isolation,
    start: (Int) -> Void,
    each body: (ExportedPage) -> Bool
  ) async throws(PageExportError) {
    start(selection.count)
    let file = try await document.withOneReader { () throws(PageExportError) in
      try await together(selection, of: document, workers: workers)
    }
    guard !Task.isCancelled, let first = file.pages.first else { return }
    let path = try await paths(of: selection, in: document).path(of: first.index, label: nil)
    do throws(FileError) {
      _ = try await folder.write(file.bytes, as: path)
    } catch {
      throw .output(error)
    }
    for page in file.pages {
      let written = PageFile(
        file: path,
        size: page.size,
        byteCount: file.bytes.count,
        source: .rendered,
        warnings: page.warnings
      )
      guard body(ExportedPage(Range(only: page.index), label: page.label, .success(written)))
      else { return }
    }
  }

  /// Draws the pages of a selection, as they are listed, into one file.
  ///
  /// - Throws: `page` for the first page that fails, `pages` for one beyond the end, `document` for too many.
  func together(
    _ selection: PageSelection,
    of document: Document,
    workers: Int
  ) async throws(PageExportError) -> OneFile {
    guard selection.count <= Self.mostPages else {
      throw .document(
        DocumentError(
          .usage,
          during: "",
          "\(selection.count) pages in one file; the limit is \(Self.mostPages)"
        )
      )
    }
    var pages: [(index: PageIndex, info: PageInfo)] = []
    for part in selection.parts {
      switch part {
      case .missing(let missing):
        throw .pages(.missing(missing.lowerBound, pageCount: selection.pageCount))
      case .pages(let run):
        for index in (0..<run.count).compactMap({ run.page(at: $0) }) {
          do throws(DocumentError) {
            pages.append((index, try await document.page(at: index)))
          } catch {
            throw .page(index, error)
          }
        }
      }
    }
    if let stretch = selection.stretch { await document.willDraw(stretch) }
    return style.format.isVector
      ? try await vectorFile(pages, of: document)
      : try await pictureFile(pages, of: document, workers: workers)
  }

  /// One vector file.
  private func vectorFile(
    _ pages: [(index: PageIndex, info: PageInfo)],
    of document: Document
  ) async throws(PageExportError) -> OneFile {
    var sheets: [VectorSheet] = []
    for (index, info) in pages {
      do throws(DocumentError) {
        sheets.append(try geometry.sheet(of: index, info))
      } catch {
        throw .page(index, error)
      }
    }
    let drawn: (file: [UInt8], warnings: [Warnings])
    do throws(DocumentError) {
      drawn = try await document.vectorFile(sheets, style: style)
    } catch {
      throw .document(error)
    }
    return OneFile(
      bytes: drawn.file,
      pages: zip(zip(pages, sheets), drawn.warnings).map { page, warnings in
        OneFile.Page(
          index: page.0.index,
          label: page.0.info.label,
          size: page.1.wholeSize,
          warnings: warnings
        )
      }
    )
  }

  /// One TIFF, or PPMs one after the other. Pages are drawn ahead by as many as there are workers.
  private func pictureFile(
    _ pages: [(index: PageIndex, info: PageInfo)],
    of document: Document,
    workers: Int
  ) async throws(PageExportError) -> OneFile {
    var files: [[UInt8]] = []
    var drawn: [OneFile.Page] = []
    var bytes = 0
    var tasks: [Task<Result<PagePicture, DocumentError>, Never>] = []
    defer { for task in tasks { task.cancel() } }
    for (place, page) in pages.enumerated() {
      while tasks.count <= workers, place + tasks.count < pages.count {
        let index = pages[place + tasks.count].index
        tasks.append(Task { await picture(of: index, document) })
      }
      let task = tasks.removeFirst()
      let result = await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }
      do throws(DocumentError) {
        let picture = try result.get()
        bytes += picture.bytes.count
        guard bytes <= Self.largestFile else {
          throw DocumentError(
            .memoryLimit,
            during: "draw",
            "a file of more than \(Self.largestFile >> 20) MB; write one for each page, with {page}"
          )
        }
        files.append(picture.bytes)
        drawn.append(
          OneFile.Page(
            index: page.index,
            label: page.info.label,
            size: picture.size,
            warnings: picture.warnings
          )
        )
      } catch {
        throw .page(page.index, error)
      }
    }
    guard let joined = style.format == .ppm ? Array(files.joined()) : TIFFStructure.joined(files)
    else {
      throw .document(DocumentError(.fault, during: "encode", "the pages cannot be joined"))
    }
    return OneFile(bytes: joined, pages: drawn)
  }

  private func picture(
    of index: PageIndex,
    _ document: Document
  ) async -> Result<PagePicture, DocumentError> {
    do throws(DocumentError) {
      return .success(try await document.picture(of: index, geometry: geometry, style: style))
    } catch {
      return .failure(error)
    }
  }
}

internal import RectoBase
internal import RectoGeometry
internal import RectoKit
internal import SystemPackage

/// The contact sheets of a run of `recto thumbs`.
struct ThumbnailSheets: Sendable {
  /// A sheet of which all thumbnails are there.
  struct Sheet: Sendable {
    var number: Int
    var path: FilePath
    var cells: [SheetCell]
  }

  /// Draws the sheets.
  let writer: ContactSheetWriter
  private let template: SheetTemplate
  private var queue: SheetQueue<SheetCell>
  /// Whether labels have the number of the page.
  private let namesPages: Bool
  /// The numbers of documents that are being worked on.
  private var documents: [DocumentLibrary.Item: Int] = [:]
  private let capacity: Int
  /// Cells of documents in a dry run.
  private var plannedCells = 0

  /// Sheets of which none is made.
  ///
  /// - Parameters:
  ///   - capacity: The most cells of a sheet.
  ///   - cellsPerDocument: The number of pages of every document; nil if it is not known. Then labels have
  ///     the number of the page.
  init(
    _ writer: ContactSheetWriter,
    _ template: SheetTemplate,
    capacity: Int,
    cellsPerDocument: Int?
  ) {
    self.writer = writer
    self.template = template
    self.capacity = capacity
    queue = SheetQueue(capacity: capacity, cellsPerDocument: cellsPerDocument)
    namesPages = cellsPerDocument == nil
  }

  /// The number of sheets that a dry run would have written.
  var plannedCount: Int { (plannedCells + capacity - 1) / capacity }

  /// Takes note of the next document.
  mutating func add(_ item: DocumentLibrary.Item) {
    writer.spare(item.path)
    documents[item] = queue.add()
  }

  /// Takes the thumbnails of a document that has been added.
  ///
  /// - Returns: The sheets that are complete now.
  mutating func finish(_ item: DocumentLibrary.Item, _ record: ThumbnailRecord) -> [Sheet] {
    guard !record.isInterrupted, let number = documents.removeValue(forKey: item) else { return [] }
    return queue.finish(number, cells(of: item, record)).map { sheet($0) }
  }

  /// Takes the plan of a document: nothing is written.
  mutating func plan(_ record: ThumbnailRecord) {
    plannedCells += record.planned?.pageCount ?? max(1, record.pages.count)
  }

  /// The last sheet, if it is not full: there are no more documents.
  mutating func end() -> Sheet? { queue.end().map { sheet($0) } }

  private func sheet(_ sheet: SheetQueue<SheetCell>.Sheet) -> Sheet {
    Sheet(number: sheet.number, path: template.path(of: sheet.number), cells: sheet.cells)
  }

  /// The entries of pages, one for each: of several sizes the smallest that is large enough.
  private func pictured(_ entries: [ThumbnailRecord.Page]) -> [ThumbnailRecord.Page] {
    var pages: [ThumbnailRecord.Page] = []
    for entry in entries {
      guard pages.last?.number == entry.number else {
        pages.append(entry)
        continue
      }
      if let side = entry.file?.longestSide, side >= writer.style.pictureSide {
        pages[pages.count - 1] = entry
      }
    }
    return pages
  }

  /// The cells of a document: one for each page, and one for a document that failed as a whole.
  private func cells(of item: DocumentLibrary.Item, _ record: ThumbnailRecord) -> [SheetCell] {
    let name = FilePath(root: nil, [item.path.lastComponent].compactMap(\.self)).printable
    guard !record.pages.isEmpty else { return [SheetCell(label: name, picture: nil)] }
    return pictured(record.pages).map { page in
      let pages = page.lastNumber.map { "\(page.number)–\($0)" } ?? String(page.number)
      return SheetCell(
        label: namesPages ? "\(name) · \(pages)" : name,
        picture: page.file.map { file in
          SheetPicture(
            file: file.path,
            size: PixelSize(width: file.width, height: file.height)
          )
        }
      )
    }
  }
}

internal import RectoBase
internal import RectoGeometry
internal import RectoKit
internal import SystemPackage

/// The contact sheets of a run of `recto thumbs`.
struct ThumbnailSheets: Sendable {
  /// A sheet with all its thumbnails.
  struct Sheet: Sendable {
    var number: Int
    var path: FilePath
    var cells: [SheetCell]
  }

  /// Draws the sheets.
  let writer: ContactSheetWriter
  private let template: SheetTemplate
  private var queue: SheetQueue<SheetCell>
  /// Whether labels have page numbers.
  private let namesPages: Bool
  /// The numbers of documents in progress.
  private var documents: [DocumentLibrary.Item: Int] = [:]
  private let capacity: Int
  /// Cells of documents in a dry run.
  private var plannedCells = 0

  /// Sheets without thumbnails.
  ///
  /// - Parameters:
  ///   - capacity: The most cells of a sheet.
  ///   - cellsPerDocument: The number of pages of every document; nil if unknown. Then labels have page numbers.
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

  /// The number of sheets of a dry run.
  var plannedCount: Int { (plannedCells + capacity - 1) / capacity }

  /// Takes note of the next document.
  mutating func add(_ item: DocumentLibrary.Item) {
    writer.spare(item.path)
    documents[item] = queue.add()
  }

  /// Takes the thumbnails of an added document.
  ///
  /// - Returns: The sheets that are complete now.
  mutating func finish(_ item: DocumentLibrary.Item, _ record: LibraryRecord) -> [Sheet] {
    guard !record.isInterrupted, let number = documents.removeValue(forKey: item) else { return [] }
    return queue.finish(number, cells(of: item, record)).map { sheet($0) }
  }

  /// Takes the plan of a document in a dry run.
  mutating func plan(_ record: LibraryRecord) {
    plannedCells += record.planned?.pageCount ?? max(1, record.pages.count)
  }

  /// The last, incomplete sheet, if there is one.
  mutating func end() -> Sheet? { queue.end().map { sheet($0) } }

  private func sheet(_ sheet: SheetQueue<SheetCell>.Sheet) -> Sheet {
    Sheet(number: sheet.number, path: template.path(of: sheet.number), cells: sheet.cells)
  }

  /// One entry for each page: the smallest of several sizes that is large enough.
  private func pictured(_ entries: [LibraryRecord.Page]) -> [LibraryRecord.Page] {
    var pages: [LibraryRecord.Page] = []
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
  private func cells(of item: DocumentLibrary.Item, _ record: LibraryRecord) -> [SheetCell] {
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

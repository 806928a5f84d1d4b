/// Collects the cells of contact sheets until sheets are complete.
///
/// Documents are placed in the order in which they were found, and finish in any order. Only cells of incomplete
/// sheets, and of documents whose place is not known yet, are kept in memory.
public struct SheetQueue<Cell: Sendable>: Sendable {
  /// A complete sheet.
  public struct Sheet: Sendable {
    /// The number of the sheet, from 1.
    public var number: Int
    /// Its cells, in order.
    public var cells: [Cell]
  }

  /// An incomplete sheet.
  private struct OpenSheet: Sendable {
    var cells: [Cell?]
    var count = 0
  }

  private let capacity: Int
  /// The number of cells of every document; nil if it is known only when a document is done.
  private let cellsPerDocument: Int?
  /// The number of documents that have been found.
  private var documentCount = 0
  /// The first document whose place is not known.
  private var nextDocument = 0
  /// The place of the first cell of that document.
  private var nextPlace = 0
  /// Documents that are done and whose place is not known.
  private var waiting: [Int: [Cell]] = [:]
  /// Incomplete sheets.
  private var open: [Int: OpenSheet] = [:]

  /// An empty queue.
  ///
  /// - Parameters:
  ///   - capacity: The most cells of a sheet, at least 1.
  ///   - cellsPerDocument: The number of cells of every document; nil if it is known only when a document is
  ///     done: then a sheet waits for all documents before it.
  public init(capacity: Int, cellsPerDocument: Int? = nil) {
    self.capacity = max(1, capacity)
    self.cellsPerDocument = cellsPerDocument
  }

  /// Registers the next document.
  ///
  /// - Returns: Its number, from 0.
  public mutating func add() -> Int {
    documentCount += 1
    return documentCount - 1
  }

  /// Takes the cells of a document.
  ///
  /// - Parameters:
  ///   - document: The number of the document, which has no cells yet.
  ///   - cells: All cells of the document.
  /// - Returns: The sheets that are complete now.
  public mutating func finish(_ document: Int, _ cells: [Cell]) -> [Sheet] {
    if let cellsPerDocument {
      return place(cells.prefix(cellsPerDocument), at: document * cellsPerDocument)
    }
    waiting[document] = cells
    var complete: [Sheet] = []
    while let cells = waiting.removeValue(forKey: nextDocument) {
      complete += place(cells[...], at: nextPlace)
      nextDocument += 1
      nextPlace += cells.count
    }
    return complete
  }

  /// Ends the queue: there are no more documents.
  ///
  /// - Returns: The last sheet, if it is not full and no cells are missing.
  public mutating func end() -> Sheet? {
    let count = cellsPerDocument.map { documentCount * $0 } ?? nextPlace
    guard waiting.isEmpty, cellsPerDocument != nil || nextDocument == documentCount,
      let sheet = open.removeValue(forKey: count / capacity), sheet.count == count % capacity
    else { return nil }
    return Sheet(number: count / capacity + 1, cells: sheet.cells.compactMap(\.self))
  }

  /// Puts cells on their sheets.
  ///
  /// - Parameters:
  ///   - start: The place of the first one, counted over all sheets.
  /// - Returns: The sheets that are complete now.
  private mutating func place(_ cells: ArraySlice<Cell>, at start: Int) -> [Sheet] {
    var complete: [Sheet] = []
    for (offset, cell) in cells.enumerated() {
      let (number, place) = (start + offset).quotientAndRemainder(dividingBy: capacity)
      var sheet = open[number] ?? OpenSheet(cells: Array(repeating: nil, count: capacity))
      // Removed, so that its array is not copied.
      open[number] = nil
      sheet.cells[place] = cell
      sheet.count += 1
      if sheet.count == capacity {
        complete.append(Sheet(number: number + 1, cells: sheet.cells.compactMap(\.self)))
      } else {
        open[number] = sheet
      }
    }
    return complete
  }
}

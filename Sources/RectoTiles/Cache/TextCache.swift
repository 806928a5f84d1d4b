public import DocumentModel
public import RectoBase
public import RectoGeometry

/// The text of a document's pages on disk, in blocks of ``pagesPerBlock`` pages.
///
/// Text and boxes are in separate files, because a search needs boxes only for pages with hits: a search through
/// thousands of pages reads a tenth of the data.
public struct TextCache: Hashable, Sendable {
  private let directory: CacheDirectory
  private let document: CacheKey
  private let drawing: CacheKey

  /// Pages in a block.
  public static let pagesPerBlock = 16

  /// The texts of a document.
  ///
  /// - Parameters:
  ///   - document: The key of the document.
  ///   - drawing: The key of the program's drawings: text comes from the same libraries.
  ///   - directory: The cache.
  public init(document: CacheKey, drawing: CacheKey, in directory: CacheDirectory) {
    self.directory = directory
    self.document = document
    self.drawing = drawing
  }

  /// The pages of the block that holds a page.
  public static func block(around page: PageIndex) -> Range<PageIndex> {
    Range(blockOf: pagesPerBlock, around: page)
  }

  /// The UTF-8 of the known pages of a block, without their boxes.
  public func texts(inBlockOf page: PageIndex) -> [PageIndex: [UInt8]] {
    record(page, .texts).contents()?.pages ?? [:]
  }

  /// The text of the known pages of a block, with their boxes.
  public func pages(inBlockOf page: PageIndex) -> [PageIndex: PageText] {
    let texts = texts(inBlockOf: page)
    guard !texts.isEmpty, let boxes = record(page, .boxes).contents()?.pages else { return [:] }
    return texts.reduce(into: [:]) { pages, text in
      // Two processes may have written the two files.
      pages[text.key] = boxes[text.key].flatMap {
        PageText(utf8: text.value, encodedBoxes: $0, checking: nil)
      }
    }
  }

  /// Stores the text of pages of one block, in addition to the stored text.
  ///
  /// If two processes store different pages of one block at the same time, some may be lost; they are read again when
  /// needed.
  ///
  /// - Parameters:
  ///   - pages: The text of pages; styles are not stored.
  ///   - page: A page of the block.
  /// - Throws: `FileError` when a file cannot be written.
  public func store(
    _ pages: [PageIndex: PageText],
    inBlockOf page: PageIndex
  ) throws(FileError) {
    let block = Self.block(around: page)
    let isWhole = pages.count == block.count
    for part in [TextRecord.Part.boxes, .texts] {
      let record = record(page, part)
      var merged = isWhole ? [:] : record.contents()?.pages ?? [:]
      for (index, text) in pages where block.contains(index) {
        merged[index] = part == .texts ? text.utf8 : text.boxBytes
      }
      try record.store(merged, of: document)
    }
    directory.keepLimits()
  }

  private func record(_ page: PageIndex, _ part: TextRecord.Part) -> TextRecord {
    let first = Self.block(around: page).lowerBound
    return TextRecord(.text(of: drawing, from: first), part, in: directory)
  }
}

extension CacheKey {
  /// The key of the text of a block of pages.
  fileprivate static func text(of drawing: CacheKey, from first: PageIndex) -> CacheKey {
    var digest = Digest("recto text 1")
    digest.add(drawing)
    digest.add(first.value)
    return digest.key()
  }
}

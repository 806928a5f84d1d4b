public import DocumentModel
public import RectoBase
public import RectoGeometry
internal import SystemPackage

/// What was learned about one document, on disk.
///
/// The info of the whole lie in one file, those of the pages in files of ``pagesPerFile`` pages
/// each, so that a question about three pages of a million reads one small file. Each file ends in
/// a digest of itself; one that does not fit is ignored and written anew.
public struct DocumentRecord: Hashable, Sendable {
  private let directory: CacheDirectory
  private let folder: FilePath
  private let key: CacheKey
  private let shard: CacheShard

  /// Pages in one file.
  public static let pagesPerFile = RecordedPages.count

  /// The record of the document named by `key`.
  ///
  /// - Parameters:
  ///   - key: The key of the document.
  ///   - file: Its key without a password; nil if it has none.
  ///   - directory: The cache.
  public init(_ key: CacheKey, of file: CacheKey? = nil, in directory: CacheDirectory) {
    self.directory = directory
    self.key = key
    let file = file ?? key
    shard = CacheShard(.documents, of: file)
    folder = directory.path(.documents, file, file == key ? "" : "-\(key.hexadecimal)")
  }

  /// The record in a folder of the cache; nil if no record has such a name.
  init?(folder name: String, in directory: CacheDirectory) {
    guard let file = CacheKey(hexadecimal: name.prefix(32)) else { return nil }
    var key: CacheKey?
    if name.utf8.count > 32 {
      key = CacheKey(hexadecimal: name.dropFirst(33))
      guard key != nil, key != file, name.dropFirst(32).first == "-" else { return nil }
    }
    self.init(key ?? file, of: file, in: directory)
  }

  /// What the document says of itself, if that is known.
  public func info() -> DocumentInfo? {
    info(isUse: true)
  }

  /// As above.
  ///
  /// - Parameter isUse: Whether this counts as a use of the record.
  /// - Returns: What the document says of itself; nil if that is not known.
  func info(isUse: Bool) -> DocumentInfo? {
    read("facts", limit: Self.infoLimit, isUse: isUse) { reader throws(ByteCodingError) in
      try reader.readDocumentInfo()
    }
  }

  /// Whether every file of the record is what it has to be; one that is being written does not count.
  ///
  /// - Throws: `FileError` when the folder cannot be listed.
  func isWhole() throws(FileError) -> Bool {
    for entry in try Files.entries(of: folder) {
      let name = entry.name.string
      guard !name.hasPrefix(Files.temporaryPrefix) else { continue }
      if name == "facts" {
        guard info(isUse: false) != nil else { return false }
      } else {
        guard name.hasPrefix("pages-"), let number = Int(name.dropFirst(6)),
          (0...Int(Int32.max)).contains(number),
          recorded(in: PageIndex(number * Self.pagesPerFile), isUse: false) != nil
        else { return false }
      }
    }
    return true
  }

  /// Keeps what the document says of itself.
  ///
  /// - Throws: `FileError` when the record cannot be written.
  public func store(_ info: DocumentInfo) throws(FileError) {
    try write("facts") { $0.write(info) }
    directory.keepLimits()
  }

  /// Forgets all that was learned.
  ///
  /// - Throws: `FileError` when a file of the record cannot be removed.
  public func discard() throws(FileError) { try Files.removeTree(folder) }

  /// What is known of the pages in the file that holds a page, in order.
  public func pages(around index: PageIndex) -> [(index: PageIndex, info: PageInfo)] {
    recorded(around: index).known
  }

  private func recorded(around index: PageIndex) -> RecordedPages {
    let first = Self.first(index)
    return recorded(in: first, isUse: true) ?? RecordedPages(first: first)
  }

  /// What the file says that begins with a page; nil if there is none, or it is damaged.
  private func recorded(in first: PageIndex, isUse: Bool) -> RecordedPages? {
    read(
      Self.name(first),
      limit: Self.pagesLimit,
      isUse: isUse
    ) { reader throws(ByteCodingError) in
      try RecordedPages(&reader, first: first)
    }
  }

  /// Keeps info of pages on top of those that are there.
  ///
  /// A file is written once if its pages follow each other; of two infos of a page the later one counts.
  ///
  /// Two processes that learn different pages of one file at the same moment can lose what one of
  /// them learned; it is learned again when it is asked for.
  ///
  /// - Throws: `FileError` when the record cannot be written.
  public func store(_ pages: [(index: PageIndex, info: PageInfo)]) throws(FileError) {
    var hasWritten = false
    defer { if hasWritten { directory.keepLimits() } }
    var rest = pages[...]
    while let first = rest.first.map({ Self.first($0.index) }) {
      let block = Range(blockOf: Self.pagesPerFile, around: first)
      var merged = recorded(around: first)
      var isNews = false
      while let (index, info) = rest.first, block.contains(index) {
        if merged.take(info, at: index) { isNews = true }
        rest.removeFirst()
      }
      guard isNews else { continue }
      hasWritten = true
      try write(Self.name(first)) { merged.write(to: &$0) }
    }
  }

  private static func first(_ index: PageIndex) -> PageIndex {
    Range(blockOf: pagesPerFile, around: index).lowerBound
  }

  private static func name(_ index: PageIndex) -> String { "pages-\(index.value / pagesPerFile)" }

  /// Bytes of a file with the info of a document, with room to spare.
  private static let infoLimit = DocumentInfo.titleLimit + 256
  /// Bytes of a file with the info of pages: each has eleven numbers at the most, and its label.
  private static let pagesLimit = pagesPerFile * (PageInfo.labelLimit + 128) + 256

  private func read<Value>(
    _ name: String,
    limit: Int,
    isUse: Bool,
    _ body: (inout ByteReader) throws(ByteCodingError) -> Value
  ) -> Value? {
    // A link is not followed.
    guard Files.entryStatus(of: folder)?.type == .directory else { return nil }
    let path = folder.appending(name)
    let interval = isUse ? CacheDirectory.useInterval : nil
    guard let bytes = directory.read(path, in: shard, limit: limit, noting: interval),
      let content = SealedBytes.open(bytes, as: header(name))
    else { return nil }
    var reader = ByteReader(content)
    do {
      let value = try body(&reader)
      try reader.finish()
      return value
    } catch {
      return nil
    }
  }

  private func write(_ name: String, _ body: (inout ByteWriter) -> Void) throws(FileError) {
    var writer = ByteWriter(capacity: 1 << 14)
    body(&writer)
    let bytes = SealedBytes.seal(writer.bytes, as: header(name))
    // Whatever else is in the place of the folder is not written through.
    if let status = Files.entryStatus(of: folder), status.type != .directory {
      try Files.remove(folder)
    }
    try directory.write(bytes, to: folder.appending(name), in: shard)
  }

  /// The name it belongs to is part of it, so that a record file copied to another document's folder is
  /// rejected.
  private func header(_ name: String) -> String { "recto record 5 \(key.hexadecimal) \(name)" }
}

public import DocumentModel
public import RectoBase
public import RectoGeometry
internal import SystemPackage

/// The info of one document and its pages, on disk.
///
/// The document's info is in one file, that of the pages in files of ``pagesPerFile`` pages each,
/// so that looking up three pages of a million reads one small file. Each file ends with its
/// digest; a file with a wrong digest is ignored and rewritten.
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

  /// The document's info, if it is known.
  public func info() -> DocumentInfo? {
    info(isUse: true)
  }

  /// As above.
  ///
  /// - Parameter isUse: Whether this counts as a use of the record.
  /// - Returns: The document's info; nil if it is not known.
  func info(isUse: Bool) -> DocumentInfo? {
    read("facts", limit: Self.infoLimit, isUse: isUse) { reader throws(ByteCodingError) in
      try reader.readDocumentInfo()
    }
  }

  /// Whether every file of the record is valid; files being written are ignored.
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

  /// Stores the document's info.
  ///
  /// - Throws: `FileError` when the record cannot be written.
  public func store(_ info: DocumentInfo) throws(FileError) {
    try write("facts") { $0.write(info) }
    directory.keepLimits()
  }

  /// Removes the record.
  ///
  /// - Throws: `FileError` when a file of the record cannot be removed.
  public func discard() throws(FileError) { try Files.removeTree(folder) }

  /// The known pages in the same file as a page, in order.
  public func pages(around index: PageIndex) -> [(index: PageIndex, info: PageInfo)] {
    recorded(around: index).known
  }

  private func recorded(around index: PageIndex) -> RecordedPages {
    let first = Self.first(index)
    return recorded(in: first, isUse: true) ?? RecordedPages(first: first)
  }

  /// The pages of the file that begins with a page; nil if it is missing or damaged.
  private func recorded(in first: PageIndex, isUse: Bool) -> RecordedPages? {
    read(
      Self.name(first),
      limit: Self.pagesLimit,
      isUse: isUse
    ) { reader throws(ByteCodingError) in
      try RecordedPages(&reader, first: first)
    }
  }

  /// Stores info of pages, in addition to stored info.
  ///
  /// A file is written once if its pages are consecutive; the last info of a page counts.
  ///
  /// If two processes store different pages of one file at the same time, some may be lost; they
  /// are measured again when needed.
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

  /// The most bytes of a file with a document's info, with room to spare.
  private static let infoLimit = DocumentInfo.titleLimit + 256
  /// The most bytes of a file with the info of pages: each has at most eleven numbers, and a label.
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
    // Does not write through a link or file in place of the folder.
    if let status = Files.entryStatus(of: folder), status.type != .directory {
      try Files.remove(folder)
    }
    try directory.write(bytes, to: folder.appending(name), in: shard)
  }

  /// It includes the name, so that a file copied to another document's folder is rejected.
  private func header(_ name: String) -> String { "recto record 5 \(key.hexadecimal) \(name)" }
}

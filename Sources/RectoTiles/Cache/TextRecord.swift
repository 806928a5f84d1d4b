internal import DocumentModel
internal import RectoBase
internal import RectoGeometry
internal import SystemPackage

/// A file with the text of several pages, or with the boxes of its characters.
struct TextRecord {
  /// The stored data of each page.
  enum Part: String, CaseIterable {
    case texts = ""
    case boxes = "-boxes"
  }

  private let key: CacheKey
  private let part: Part
  private let directory: CacheDirectory

  /// The record with a key.
  init(_ key: CacheKey, _ part: Part, in directory: CacheDirectory) {
    self.key = key
    self.part = part
    self.directory = directory
  }

  /// The record with the name of an entry; nil if no record has such a name.
  init?(named name: String, in directory: CacheDirectory) {
    guard let key = CacheKey(hexadecimal: name.prefix(32)),
      let part = Part(rawValue: String(name.dropFirst(32)))
    else { return nil }
    self.init(key, part, in: directory)
  }

  private var shard: CacheShard { CacheShard(.texts, of: key) }

  /// The path of the file.
  var path: FilePath { directory.path(.texts, key, part.rawValue) }

  /// The length of the file in bytes; 0 if there is none.
  var length: Int { Files.entryStatus(of: path).map { Int($0.size) } ?? 0 }

  /// The document of the pages; nil if the file is missing or damaged.
  var document: CacheKey? { contents(isUse: false)?.document }

  /// Whether the file is valid.
  var isWhole: Bool { contents(isUse: false) != nil }

  /// The document and the bytes of each page; nil if the file is missing or damaged.
  ///
  /// - Returns: The document, and bytes by page.
  func contents(isUse: Bool = true) -> (document: CacheKey, pages: [PageIndex: [UInt8]])? {
    let interval = isUse ? CacheDirectory.useInterval : nil
    guard let bytes = directory.read(path, in: shard, limit: Self.largest, noting: interval),
      let content = SealedBytes.open(bytes, as: header)
    else { return nil }
    var reader = ByteReader(content)
    do throws(ByteCodingError) {
      let high = UInt64(bitPattern: Int64(try reader.readInt()))
      let low = UInt64(bitPattern: Int64(try reader.readInt()))
      var pages: [PageIndex: [UInt8]] = [:]
      for _ in 0..<(try reader.readCount(ofSize: 16)) {
        let page = try reader.readPageIndex()
        pages[page] = try reader.readBytes()
      }
      try reader.finish()
      return (CacheKey(high: high, low: low), pages)
    } catch {
      return nil
    }
  }

  /// Writes the file. Bytes beyond its limit are dropped.
  ///
  /// - Throws: `FileError` when it cannot be written.
  func store(_ pages: [PageIndex: [UInt8]], of document: CacheKey) throws(FileError) {
    let length = pages.values.reduce(64) { $0 + $1.count + 16 }
    guard length <= Self.largest else { return }
    var writer = ByteWriter(capacity: length)
    writer.write(Int(Int64(bitPattern: document.high)))
    writer.write(Int(Int64(bitPattern: document.low)))
    writer.write(pages.count)
    for (page, bytes) in pages.sorted(by: { $0.key < $1.key }) {
      writer.write(page)
      writer.write(bytes)
    }
    try directory.write(SealedBytes.seal(writer.bytes, as: header), to: path, in: shard)
  }

  /// The most bytes of a file: enough for sixteen pages with the most characters.
  private static let largest = 64 << 20

  private var header: String { "recto text 1 \(key.hexadecimal)\(part.rawValue)" }
}

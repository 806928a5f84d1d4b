internal import DocumentModel
public import RectoBase
internal import SystemPackage

/// The contents of a cache.
public struct CacheContents: Hashable, Sendable {
  /// Tiles whose pictures exist.
  public var tiles = 0
  /// Picture files; fewer than tiles if tiles look the same.
  public var pictures = 0
  /// Bytes in pictures.
  public var tileBytes = 0
  /// Documents with a record.
  public var documents = 0
  /// Bytes in the records.
  public var documentBytes = 0
  /// Bytes in the text of pages.
  public var textBytes = 0
  /// Bytes in parts of documents on servers.
  public var partBytes = 0
  /// Bytes in all entries, each in whole blocks of 4 KiB. The limit applies to this.
  public var bytes = 0
  /// The last use of the least recently used entry, in seconds since 1970; nil for an empty cache. Not every use is
  /// recorded.
  public var oldest: Double?
  /// Hits and misses since the cache was created or cleared.
  public var lookups = CacheLookups()
  /// Why something could not be counted; nil if everything was.
  public var failure: FileError?
  /// The contents by document, most bytes first.
  public var byDocument: [DocumentContents] = []

  /// A cache's contents for a document.
  public struct DocumentContents: Hashable, Sendable {
    /// The key of the document without a password.
    public var key: CacheKey
    /// Its title and page count, if they are known.
    public var title: String?
    /// The number of its pages.
    public var pageCount: Int?
    /// Tiles whose pictures exist.
    public var tiles = 0
    /// Bytes in their pictures, which other documents may share.
    public var bytes = 0
  }
}

extension CacheDirectory {
  /// Counts the entries. Skips directories that cannot be listed.
  ///
  /// - Complexity: O(*n*) in the number of entries.
  public func contents() -> CacheContents {
    var contents = CacheContents()
    guard Files.entryStatus(of: current) != nil else { return contents }
    var pictures: [CacheKey: Int] = [:]
    var tables: [CacheKey] = []
    var documents: [FilePath.Component] = []
    let now = currentTime()
    var oldest = now
    for shard in 0..<CacheShard.count {
      let entries: [CacheEntry]
      do throws(FileError) {
        entries = try self.entries(of: shard, at: now)
      } catch {
        contents.failure = contents.failure ?? error
        continue
      }
      for entry in entries {
        contents.bytes += entry.bytes
        oldest = min(oldest, entry.used)
        let name = entry.name.string
        switch entry.kind {
        case .pictures:
          guard let key = CacheKey(hexadecimal: name.prefix(32)) else { continue }
          pictures[key] = length(.pictures, key, ".png")
        case .tables: tables += [CacheKey(hexadecimal: name)].compactMap(\.self)
        case .documents: documents.append(entry.name)
        case .texts: contents.textBytes += TextRecord(named: name, in: self)?.length ?? 0
        case .parts: contents.partBytes += length(.parts, CacheKey(hexadecimal: name), "")
        case .contents, .stores, .engines: continue
        }
      }
    }
    contents.pictures = pictures.count
    contents.tileBytes = pictures.values.reduce(0, +)
    contents.documents = documents.count
    contents.documentBytes = documents.reduce(0) { $0 + bytes(ofDocument: $1.string) }
    contents.byDocument = byDocument(tables, pictures, documents)
    contents.tiles = contents.byDocument.reduce(0) { $0 + $1.tiles }
    if contents.bytes > 0 { contents.oldest = Double(oldest) / 1e9 }
    // Counters that cannot be opened, such as on a read-only file system, count as zero.
    if (try? check()) != nil { contents.lookups = (try? usage.lookups()) ?? CacheLookups() }
    return contents
  }

  private func length(_ kind: CacheShard.Kind, _ key: CacheKey?, _ suffix: String) -> Int {
    guard let key else { return 0 }
    return Files.entryStatus(of: path(kind, key, suffix)).map { min(Int($0.size), largestLength) }
      ?? 0
  }

  private func bytes(ofDocument name: String) -> Int {
    guard let key = CacheKey(hexadecimal: name.prefix(32)) else { return 0 }
    var bytes = 0
    let folder = path(.documents, key, String(name.dropFirst(32)))
    // A directory that cannot be listed cannot be used either.
    try? Files.forEachEntry(of: folder) { bytes += min(Int($1.size), largestLength) }
    return bytes
  }

  /// The contents by document, most bytes first.
  ///
  /// - Parameters:
  ///   - documents: The names of the records of documents.
  private func byDocument(
    _ tables: [CacheKey],
    _ pictures: [CacheKey: Int],
    _ documents: [FilePath.Component]
  ) -> [CacheContents.DocumentContents] {
    var all: [CacheKey: CacheContents.DocumentContents] = [:]
    var seen: [CacheKey: Set<CacheKey>] = [:]
    for name in documents {
      guard let key = CacheKey(hexadecimal: name.string.prefix(32)) else { continue }
      let info = DocumentRecord(folder: name.string, in: self)?.info(isUse: false)
      all[key] = .init(key: key, title: info?.title, pageCount: info?.pageCount)
    }
    for table in tables {
      let (document, rows, _) = self.table(table).contents()
      guard let document else { continue }
      for row in rows {
        guard let length = pictures[row.picture] else { continue }
        all[document, default: .init(key: document)].tiles += 1
        if seen[document, default: []].insert(row.picture).inserted {
          all[document, default: .init(key: document)].bytes += length
        }
      }
    }
    return all.values.sorted { ($1.bytes, $0.key.hexadecimal) < ($0.bytes, $1.key.hexadecimal) }
  }

  /// A table as it is on disk, without recording a use.
  func table(_ key: CacheKey) -> TileTable {
    let limit = 2 * TileTable.largest
    return TileTable(
      (try? Files.entry(at: path(.tables, key), limit: limit, touchingIfOlderThan: nil)) ?? []
    )
  }

  /// Removes the entries of documents: tiles and records. Pictures that other documents use are kept.
  ///
  /// - Throws: A refusal when the cache is not this user's own; `FileError` when an entry cannot be
  ///   listed or removed.
  /// - Complexity: O(*n*) in the number of entries.
  public func clear(_ documents: Set<CacheKey>) throws(FileError) {
    try check()
    var own: Set<CacheKey> = []
    var others: Set<CacheKey> = []
    let now = currentTime()
    for shard in 0..<CacheShard.count {
      for entry in try entries(of: shard, at: now) {
        switch entry.kind {
        case .tables:
          guard let key = CacheKey(hexadecimal: entry.name.string) else { continue }
          let (found, rows, _) = table(key).contents()
          if let found, documents.contains(found) {
            own.formUnion(rows.lazy.map(\.picture))
            try Files.removeEntry(path(.tables, key))
          } else {
            others.formUnion(rows.lazy.map(\.picture))
          }
        case .texts:
          guard let record = TextRecord(named: entry.name.string, in: self),
            let document = record.document, documents.contains(document)
          else { continue }
          try Files.removeEntry(record.path)
        case .pictures, .documents, .contents, .parts, .stores, .engines: continue
        }
      }
    }
    for picture in own.subtracting(others) {
      try Files.removeEntry(path(.pictures, picture, ".png"))
    }
    for document in documents {
      let shard = CacheShard(.documents, of: document)
      for entry in try entries(of: shard.number, at: now)
      where entry.kind == .documents && entry.name.string.hasPrefix(document.hexadecimal) {
        try Files.removeEntry(shard.folder(in: current).appending(entry.name))
      }
    }
    for shard in 0..<CacheShard.count { try trim(shard, nil, at: now) }
  }
}

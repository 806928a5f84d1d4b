public import DocumentModel
public import RectoBase
public import RectoGeometry
internal import RectoPictures
public import SystemPackage

/// The name of a tile in the cache.
public struct CachedTileKey: Hashable, Sendable {
  /// The key of the document.
  let document: CacheKey
  /// The key of the table that lists the tile, with others that are often needed together.
  let table: CacheKey
  /// The key of the tile.
  let tile: CacheKey
  /// The rectangle of the tile in pixels from the page's top left.
  public let part: PixelRect

  /// The name of a part of a page.
  ///
  /// - Parameters:
  ///   - document: The key of the document.
  ///   - drawing: The key of the drawing that it is a part of.
  ///   - raster: The page at its scale.
  ///   - part: The rectangle in pixels from the page's top left.
  public init(document: CacheKey, drawing: CacheKey, raster: PageRaster, part: PixelRect) {
    self.part = part
    self.document = document
    table = .table(of: drawing, raster: raster, part: part)
    tile = .tile(of: drawing, raster: raster, part: part)
  }
}

/// Tiles on disk: a file for each distinct picture, named by the digest of its bytes, and tables that map tiles to
/// pictures.
///
/// Files are written without `fsync`, so every tile is checked when it is read: the row of the table has a checksum,
/// and the length and checksum of the picture. Invalid files are removed and count as a miss, so a torn write costs
/// drawing one tile again.
public struct TileCache: Hashable, Sendable {
  private let directory: CacheDirectory

  /// The tiles in `directory`.
  public init(_ directory: CacheDirectory) {
    self.directory = directory
  }

  /// A tile that was found.
  public struct Found: Hashable, Sendable {
    /// The PNG file's bytes.
    public var bytes: [UInt8]
    /// The path of the file.
    public var path: FilePath
  }

  /// Tiles' bytes and paths, in order; nil for missing and damaged ones.
  ///
  /// - Parameter keys: The name of each tile.
  /// - Returns: One for each tile.
  public func tiles(_ keys: [CachedTileKey]) -> [Found?] {
    var tables: [CacheKey: TileTable] = [:]
    let found = keys.map { key in
      let table = tables[key.table] ?? table(key.table)
      tables[key.table] = table
      return table.row(of: key.tile).flatMap { picture($0, size: key.part.size) }
    }
    let misses = found.count { $0 == nil }
    directory.usage.count(CacheLookups(hits: found.count - misses, misses: misses))
    // A cache that does not exist yet is created when something is stored.
    if let key = keys.first, directory.isUsable(CacheShard(.tables, of: key.table)) {
      directory.usage.flushLookups()
    }
    return found
  }

  /// Stores tiles.
  ///
  /// - Parameter tiles: The name and the bytes of each tile.
  /// - Returns: The paths of the pictures, in order.
  /// - Throws: `FileError` when a tile cannot be written.
  @discardableResult
  public func store(
    _ tiles: [(key: CachedTileKey, bytes: [UInt8])]
  ) throws(FileError) -> [FilePath] {
    var rows: [CacheKey: [TileTable.Row]] = [:]
    var documents: [CacheKey: CacheKey] = [:]
    var paths: [FilePath] = []
    var failure: FileError?
    for (key, bytes) in tiles {
      let row = TileTable.Row(of: key, bytes)
      do throws(FileError) {
        paths.append(try store(bytes, of: row))
      } catch {
        // On a full disk, those before are kept.
        failure = error
        break
      }
      rows[key.table, default: []].append(row)
      documents[key.table] = key.document
    }
    for (table, rows) in rows {
      try list(rows, in: table, of: documents[table] ?? table)
    }
    if let failure { throw failure }
    directory.usage.flushLookups()
    directory.keepLimits()
    return paths
  }

  /// The path of a picture's file, whether or not it exists.
  func path(ofPicture picture: CacheKey) -> FilePath {
    directory.path(.pictures, picture, ".png")
  }
}

// MARK: Pictures

extension TileCache {
  /// The use of a picture is recorded at most this often, in seconds: less than the time for which recently used
  /// entries are kept.
  private static let useInterval = 2

  /// The picture of a row; nil if its file is missing or does not match the row.
  private func picture(_ row: TileTable.Row, size: PixelSize) -> Found? {
    guard row.length <= PictureStructure.largest(size, .tile) else { return nil }
    let path = path(ofPicture: row.picture)
    let shard = CacheShard(.pictures, of: row.picture)
    // Recorded more often than other uses, because the answer names this file.
    guard
      let bytes = directory.read(path, in: shard, limit: row.length, noting: Self.useInterval),
      bytes.count == row.length, bytes.withUnsafeBytes({ Checksum.crc32($0) }) == row.checksum
    else {
      // A miss whether or not this succeeds; drawing it again replaces it.
      if directory.isUsable(shard) { try? Files.removeEntry(path) }
      return nil
    }
    return Found(bytes: bytes, path: path)
  }

  /// Writes a picture unless its file exists.
  ///
  /// - Returns: The path of the file.
  /// - Throws: `FileError` when it cannot be written.
  private func store(_ bytes: [UInt8], of row: TileTable.Row) throws(FileError) -> FilePath {
    let path = path(ofPicture: row.picture)
    let shard = CacheShard(.pictures, of: row.picture)
    if directory.read(path, in: shard, limit: bytes.count, noting: 0) != bytes {
      try directory.write(bytes, to: path, in: shard)
    }
    return path
  }
}

// MARK: Tables

extension TileCache {
  /// The rows of a table; none if it is missing.
  private func table(_ key: CacheKey) -> TileTable {
    let shard = CacheShard(.tables, of: key)
    return TileTable(
      directory.read(directory.path(.tables, key), in: shard, limit: 2 * TileTable.largest) ?? []
    )
  }

  /// Adds rows to a table.
  ///
  /// - Parameters:
  ///   - rows: The rows; existing ones are skipped.
  /// - Throws: `FileError` when the table cannot be written.
  private func list(
    _ rows: [TileTable.Row],
    in key: CacheKey,
    of document: CacheKey
  ) throws(FileError) {
    let path = directory.path(.tables, key)
    let shard = CacheShard(.tables, of: key)
    let table = table(key)
    let old = table.contents().rows
    let known = Set(old)
    let news = rows.filter { !known.contains($0) }
    guard !news.isEmpty else { return }
    var added = TileTable(of: document)
    for row in news { added.append(row) }
    let length = Int(Files.entryStatus(of: path)?.size ?? 0)
    let isAppended =
      length == table.bytes.count && !table.isCut
      && length + added.bytes.count <= TileTable.largest
    if isAppended {
      let bytes = length == 0 ? added.bytes : Array(added.bytes.dropFirst(TileTable.rowLength))
      do throws(FileError) {
        return try directory.append(bytes, to: path, in: shard, of: length)
      } catch {
        // The existing file is not only ours.
        guard error.errno == .invalidArgument || Files.entryStatus(of: path)?.type != .regular
        else { throw error }
      }
    }
    // Replaces a foreign file, or a table that is too long. Rows added meanwhile are lost, which is a miss.
    var whole = TileTable(of: document)
    for row in old.suffix(TileTable.largest / TileTable.rowLength / 2) where !news.contains(row) {
      whole.append(row)
    }
    for row in news { whole.append(row) }
    try directory.write(whole.bytes, to: path, in: shard)
  }
}

extension TileCache.Found: BriefValue {
  /// The bytes, and the file.
  public var description: String { "\(bytes.count) bytes, \(path)" }
}

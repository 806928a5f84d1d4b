internal import RectoGeometry
internal import RectoKit
internal import RectoTiles
internal import SystemPackage

/// Which documents have thumbnails for desktops that are up to date, or are known to fail.
struct DesktopState: Sendable {
  private let thumbnails: DesktopThumbnails
  private let sizes: [Int]
  private let retriesFailed: Bool

  /// The state of the thumbnails of a run; nil if they are not for desktops.
  ///
  /// - Parameters:
  ///   - retriesFailed: Whether documents that failed are tried again.
  init?(_ run: ThumbnailRun, retriesFailed: Bool) {
    guard case .desktop(let thumbnails) = run.destination else { return nil }
    self.thumbnails = thumbnails
    sizes = run.sizes
    self.retriesFailed = retriesFailed
  }

  /// The record of a document that needs no work; nil for others. Blocks.
  func settled(_ document: LibrarySource.FoundDocument) -> LibraryRecord? {
    let state = thumbnails.state(
      of: document.item.path,
      sizes: sizes,
      retriesFailed: retriesFailed
    )
    guard let state else { return nil }
    var record = LibraryRecord(path: document.path)
    record.isUnchanged = true
    switch state {
    case .failed(let code, let message):
      record.error = LibraryRecord.ErrorText(code: code, message: message)
    case .upToDate(let files, let pageCount):
      record.pageCount = pageCount
      record.pages = files.map { file in
        var page = LibraryRecord.Page(number: 1)
        page.file = LibraryRecord.Picture(
          path: file.file,
          longestSide: files.count > 1 ? file.longestSide : nil,
          width: file.size.width,
          height: file.size.height,
          bytes: file.byteCount,
          source: Tile.Source.disk.rawValue
        )
        return page
      }
    }
    return record
  }
}

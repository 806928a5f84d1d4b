internal import DocumentModel
internal import FoundationEssentials
internal import PageLayout
internal import RectoBase
internal import RectoGeometry
internal import RectoKit
internal import RectoTiles
internal import RenderWorkers
internal import SystemPackage

/// The parts of replies and events. `docs/SERVE.md` describes them.
extension JSONWriter {
  /// The beginning of every reply.
  mutating func reply(to request: ServeRequest) {
    member("reply", request.name ?? "request")
    if let id = request.id { member("id", json: id) }
  }

  mutating func failure(code: String, _ message: String) {
    object("error") { error in
      error.member("code", code)
      error.member("message", message)
    }
  }

  /// Writes the members about an opened document.
  mutating func document(_ opened: ServedDocument.Opened) {
    member("pages", opened.info.pageCount)
    member("title", opened.info.title)
    shown(opened.viewer.document.shown)
    if opened.pictures != nil { member("rtl", opened.info.isRightToLeft) }
    pictures(opened.pictures)
  }

  /// Where pictures of a document are fetched.
  mutating func pictures(_ pictures: (any PublishedPictures)?) {
    guard let pictures else { return }
    member("thumbnails", pictures.thumbnails)
    member("pictures", pictures.pages)
  }

  /// Writes a scene: geometry, viewport, spreads and their tiles.
  mutating func scene(_ scene: ViewerScene) {
    let layout = scene.documentLayout.layout
    member("geometry", scene.geometry)
    content(layout)
    window(scene.viewpoint)
    turn(scene.turn, progress: scene.turnProgress)
    member("zoom", scene.viewpoint.zoom)
    member("pixelScale", scene.scale)
    member("tileSize", scene.tileSide)
    if let refusal = scene.refusal {
      object("refusal") { object in
        object.member("code", refusal.code.rawValue)
        object.member("message", refusal.description)
      }
    }
    let drawings = scene.drawings()
    var index = 0
    array("spreads") { array in
      for spread in scene.spreads {
        array.spread(spread, of: scene.documentLayout, window: scene.window) { object, page in
          object.drawing(drawings[index], of: page, in: scene)
          index += 1
        }
      }
    }
  }

  /// Writes the raster of a page and its visible tiles, or its error.
  ///
  /// - Parameters:
  ///   - drawing: The page's drawing, its error, or nil while its size is unknown.
  private mutating func drawing(
    _ drawing: Result<TileWindow.Page, DocumentError>?,
    of page: LaidOutPage,
    in scene: ViewerScene
  ) {
    switch drawing {
    case nil: break
    case .failure(let error): self.error(error)
    case .success(let placed):
      raster(placed.raster)
      pagePixels(page, scale: scene.scale)
      array("tiles") { array in
        for key in scene.tiles(of: placed) {
          array.object { object in
            object.tile(key)
            object.rect("frame", key.frame(in: page.frame, scale: scene.scale))
          }
        }
      }
    }
  }

  /// Writes the raster of a page; tiles of equal rasters belong together.
  private mutating func raster(_ raster: PageRaster) {
    object("raster") { object in
      object.member("width", raster.size.width)
      object.member("height", raster.size.height)
      object.member("rotation", raster.rotation.degrees)
    }
  }

  private mutating func tile(_ key: TileKey) {
    member("column", key.tile.column)
    member("row", key.tile.row)
    rect("pixels", key.part)
  }

  /// The body of a `tile` event.
  mutating func tile(
    _ key: TileKey,
    _ tile: Tile,
    _ pictures: PictureTransport,
    _ address: String?
  ) {
    member("page", key.raster.pageIndex.number)
    raster(key.raster)
    self.tile(key)
    if pictures == .url {
      member("url", address ?? "")
      member("bytes", tile.bytes.count)
    } else {
      bytes(tile.bytes, file: tile.cached, pictures)
    }
    member("source", tile.source.rawValue)
    if let incomplete = tile.incomplete { member("incomplete", incomplete) }
  }

  /// Writes a picture (unless it follows the line) and its length.
  ///
  /// - Parameters:
  ///   - file: Its file; nil if there is none.
  mutating func bytes(_ picture: [UInt8], file: FilePath?, _ pictures: PictureTransport) {
    switch (pictures, file) {
    case (.file, let file?): path(file, as: "file")
    case (.bytes, _): member("follows", true)
    case (.file, nil), (.base64, _), (.url, _):
      member("data", Data(picture).base64EncodedString())
    }
    member("bytes", picture.count)
  }

  /// Writes the transition between two scenes; nothing if one of them shows too many pages.
  mutating func transition(from before: ViewerScene, to scene: ViewerScene) {
    guard before.refusal == nil, scene.refusal == nil else { return }
    transition(
      Transition(from: before.viewpoint, to: scene.viewpoint),
      progress: nil
    ) { start in
      start.member("geometry", before.geometry)
    }
  }

  /// Writes the moved spreads.
  mutating func invalidation(_ invalidation: Invalidation) {
    object("invalidation") { object in
      if let spreads = invalidation.spreads {
        object.object("spreads") { $0.stretch(spreads) }
      }
      object.array("changed") { array in
        for spreads in invalidation.changed { array.object { $0.stretch(spreads) } }
      }
      object.array("displaced") { array in
        for stretch in invalidation.displaced {
          array.object { object in
            object.stretch(stretch.spreads)
            object.point("by", stretch.distance)
          }
        }
      }
      object.size("contentSizeAdjustment", invalidation.contentSizeAdjustment)
      object.point("offsetAdjustment", invalidation.offsetAdjustment)
    }
  }

  private mutating func stretch(_ spreads: Range<Int>) {
    member("first", spreads.lowerBound)
    member("count", spreads.count)
  }

  /// Writes the body of a `hello` event: the guarantees for clients.
  mutating func hello(_ pictures: PictureTransport) {
    member("program", Version.text)
    member("protocol", Self.serveProtocol)
    array("operations") { array in for name in ServeRequest.Operation.names { array.value(name) } }
    array("events") { array in for name in Self.eventNames { array.value(name) } }
    member("pictures", pictures.rawValue)
    array("transports") { array in
      let all = pictures == .url ? [.url] : PictureTransport.ofStream
      for transport in all { array.value(transport.rawValue) }
    }
    array("formats") { array in
      let all = pictures == .url ? [.png] : PictureFormat.allCases
      for format in all { array.value(format.rawValue) }
    }
  }

  /// Increases when something that clients rely on changes or is removed, not for additions.
  private static let serveProtocol = 1

  private static let eventNames = [
    "hello", "tile", "geometry", "hits", "error", "changed", "reloaded", "reopened", "idle",
  ]

  /// Writes the processes of the workers.
  mutating func workers(_ statistics: WorkerBudget.Statistics) {
    object("workers") { object in
      object.member("processes", statistics.processes)
      object.member("busy", statistics.busy)
      object.member("bytes", statistics.bytes)
    }
  }

  /// The body of a `stats` reply.
  mutating func statistics(_ statistics: QueueStatistics) {
    object("tiles") { object in
      object.member("rendered", statistics.rendered)
      object.member("disk", statistics.disk)
      object.member("memory", statistics.memory)
      object.member("failed", statistics.failed)
      object.member("stale", statistics.stale)
      object.member("cancelled", statistics.cancelled)
      object.member("killed", statistics.killed)
    }
    object("memory") { object in
      object.member("tiles", statistics.tilesHeld)
      object.member("bytes", statistics.bytesHeld)
    }
    object("queue") { object in
      object.member("drawing", statistics.drawing)
      object.member("looking", statistics.looking)
      object.member("waiting", statistics.waiting)
      for urgency in TileUrgency.allCases.reversed() {
        object.member("\(urgency)", statistics.queued[urgency] ?? 0)
      }
    }
  }
}

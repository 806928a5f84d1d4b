internal import DocumentModel
internal import PageLayout
internal import RectoBase
internal import RectoGeometry
internal import RectoKit
internal import SystemPackage

/// The parts of a layout's JSON, in the order they are printed. `docs/COMMAND.md` describes them.
extension JSONWriter {
  mutating func document(_ path: FilePath, _ info: DocumentInfo, _ shown: ShownContent) {
    object("document") { object in
      object.input(path)
      object.member("pages", info.pageCount)
      object.member("title", info.title)
      object.shown(shown)
    }
  }

  mutating func content(_ layout: Layout) {
    object("content") { object in
      object.member("width", layout.contentSize.width)
      object.member("height", layout.contentSize.height)
      object.member("exact", layout.isContentExact)
    }
  }

  /// Writes the viewport, its anchor, the reader's place and the current page.
  mutating func window(_ viewpoint: Viewpoint) {
    let layout = viewpoint.layout
    rect("viewport", viewpoint.window)
    if let anchor = viewpoint.anchor() {
      object("anchor") { object in
        object.member("page", anchor.page.number)
        if anchor.occurrence > 0 { object.member("occurrence", anchor.occurrence) }
        object.member("fraction", layout.fraction(of: anchor))
        object.member("across", layout.fractionAcross(of: anchor))
      }
    }
    if let place = viewpoint.place { self.place(place) }
    if let current = viewpoint.current { member("current", current.number) }
  }

  /// Writes a place without rounding, so that it restores the same window.
  private mutating func place(_ place: Place) {
    object("place") { object in
      object.member("page", place.anchor.page.number)
      if place.anchor.occurrence > 0 { object.member("occurrence", place.anchor.occurrence) }
      object.member(exact: "x", place.anchor.place.x)
      object.member(exact: "y", place.anchor.place.y)
      object.object("at") { at in
        at.member(exact: "x", place.point.x)
        at.member(exact: "y", place.point.y)
      }
      let current = place.current
      if current.page != place.anchor.page || current.occurrence != place.anchor.occurrence {
        object.object("current") { object in
          object.member("page", current.page.number)
          if current.occurrence > 0 { object.member("occurrence", current.occurrence) }
        }
      }
      if place.progress != 0 { object.member(exact: "progress", place.progress) }
    }
  }

  /// Writes a page turn from the current spread to the next.
  ///
  /// - Parameters:
  ///   - turn: The turn; nil writes nothing.
  ///   - progress: The progress of the turn, 0 to 1; nil writes nothing.
  mutating func turn(_ turn: PageTurn?, progress: Double?) {
    guard let turn, let progress else { return }
    let curl = turn.places.curl(at: progress)
    object("turn") { object in
      object.member("progress", curl.progress)
      object.array("fold") { array in
        array.object { $0.coordinates(curl.fold.0) }
        array.object { $0.coordinates(curl.fold.1) }
      }
      for (name, quad) in [
        ("front", curl.front), ("back", curl.back), ("revealed", curl.revealed),
      ] {
        object.quad(name, quad)
      }
      object.member("spine", turn.places.spineEdge(at: progress))
      object.array("pages") { array in
        for page in turn.pages {
          array.object { object in
            let place = turn.place(of: page, at: progress)
            object.member("spread", page.spread)
            object.member("index", page.page.page.value)
            object.member("number", page.page.page.number)
            object.member("part", page.part.rawValue)
            object.rect("frame", place.frame)
            if let clip = place.clip { object.rect("clip", clip) }
          }
        }
      }
    }
  }

  mutating func quad(_ key: String, _ quad: Quad) {
    array(key) { array in
      for corner in quad.corners { array.object { $0.coordinates(corner) } }
    }
  }

  /// Writes a point.
  mutating func point(_ key: String, _ point: Point) {
    object(key) { $0.coordinates(point) }
  }

  private mutating func coordinates(_ point: Point) {
    member("x", point.x)
    member("y", point.y)
  }

  mutating func size(_ key: String, _ size: Size) {
    object(key) { object in
      object.member("width", size.width)
      object.member("height", size.height)
    }
  }

  /// Writes a spread and its pages.
  ///
  /// - Parameters:
  ///   - documentLayout: The layout with its known pages.
  ///   - window: The viewport, for visible parts; nil omits them.
  ///   - pixelScale: Device pixels per layout unit, for the places of pages in pixels; nil omits them.
  ///   - page: Writes additional members of a page; without it, pages that failed get "error".
  mutating func spread(
    _ spread: LaidOutSpread,
    of documentLayout: DocumentLayout,
    window: Rect?,
    pixelScale: Double? = nil,
    page: ((inout JSONWriter, LaidOutPage) -> Void)? = nil
  ) {
    object { object in
      object.member("index", spread.index)
      object.rect("frame", spread.frame)
      object.member("exact", spread.isExact)
      object.view(documentLayout.layout.view(ofSpread: spread.index))
      object.array("pages") { array in
        for laidOut in spread.pages {
          array.object { object in
            object.page(laidOut, info: documentLayout.pages.info(of: laidOut.page), window: window)
            if let pixelScale { object.pagePixels(laidOut, scale: pixelScale) }
            if let page {
              page(&object, laidOut)
            } else if let failing = documentLayout.pages.failing(at: laidOut.page) {
              object.error(failing.error)
            }
          }
        }
      }
    }
  }

  /// Writes a spread's own zoom and pan, unless they are the defaults.
  private mutating func view(_ view: SpreadView) {
    guard view != SpreadView() else { return }
    object("view") { object in
      object.member("zoom", view.zoom)
      object.point("pan", view.pan)
    }
  }

  mutating func rect(_ key: String, _ rect: Rect) {
    object(key) { object in
      object.member("x", rect.minX)
      object.member("y", rect.minY)
      object.member("width", rect.width)
      object.member("height", rect.height)
    }
  }

  /// A rectangle in device pixels.
  mutating func rect(_ key: String, _ rect: PixelRect) {
    object(key) { object in
      object.member("x", rect.x)
      object.member("y", rect.y)
      object.member("width", rect.width)
      object.member("height", rect.height)
    }
  }

  /// Writes the pixels that a page's frame snaps to: the place of its tiles.
  mutating func pagePixels(_ page: LaidOutPage, scale: Double) {
    rect("place", page.frame.snapped(scale: scale))
  }

  mutating func error(_ error: DocumentError, as name: String = "error") {
    self.error(code: error.code.rawValue, error.description, as: name)
  }

  /// Writes the members of a page.
  ///
  /// - Parameters:
  ///   - info: The info of the page, if known.
  ///   - window: The viewport, for visible parts; nil omits them.
  private mutating func page(_ page: LaidOutPage, info: PageInfo?, window: Rect?) {
    member("index", page.page.value)
    member("number", page.page.number)
    member("label", info?.label ?? String(page.page.number))
    rect("frame", page.frame)
    size("size", page.size)
    member("rotation", (page.rotation + (info?.rotation ?? .none)).degrees)
    member("scale", page.scale)
    member("exact", page.isExact)
    if let window {
      rect("visible", page.visible(in: window) ?? Rect.zero)
      member("fraction", page.visibleFraction(in: window))
    }
  }
}

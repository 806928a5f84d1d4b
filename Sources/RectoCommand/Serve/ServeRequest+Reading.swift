internal import DocumentModel
internal import PageLayout
internal import RectoGeometry
internal import RectoKit

extension ServeRequest.Operation {
  /// Reads the members of an operation.
  ///
  /// - Throws: A request error that names the member.
  init(_ name: String, _ fields: inout RequestFields) throws(RequestError) {
    switch name {
    case "open": self = .open(try ServeRequest.Opening(&fields))
    case "reload": self = .reload(document: try fields.document())
    case "layout":
      let document = try fields.document()
      self = .layout(
        document: document,
        try fields.members("layout"),
        try ViewerMove(&fields)
      )
    case "view": self = .view(document: try fields.document(), try ViewerMove(&fields))
    case "zoom": self = .zoom(document: try fields.document(), try ViewerZoom(&fields))
    case "page":
      self = .page(
        document: try fields.document(),
        try fields.required("at", fields.point("at")),
        geometry: try fields.integer("geometry", atLeast: 1)
      )
    case "destination":
      let document = try fields.document()
      if let name = try fields.string("name") {
        let keepsZoom = try fields.bool("keepZoom") ?? false
        self = .namedDestination(document: document, name, keepsZoom: keepsZoom)
        return
      }
      self = .destination(
        document: document,
        page: try fields.required("page", fields.page("page")),
        try Destination(&fields),
        keepsZoom: try fields.bool("keepZoom") ?? false
      )
    case "text", "links", "outline", "annotations", "attachments", "pages", "search", "select",
      "picture":
      let document = try fields.document()
      self = .content(document: document, try ContentRequest(name, &fields))
    case "settings": self = .settings(pictures: try fields.string("pictures"))
    case "stats": self = .stats
    case "cancel": self = .cancel
    case "close": self = .close(document: try fields.document())
    default: throw RequestError("op: unknown operation \"\(name)\"")
    }
  }
}

extension RequestFields {
  /// Takes the number of a document.
  ///
  /// - Throws: A request error if the value is not a positive integer.
  fileprivate mutating func document() throws(RequestError) -> Int? {
    try integer("document", atLeast: 1)
  }
}

extension ServeRequest.Opening {
  /// Reads the members of `open`.
  ///
  /// - Throws: A request error that names the member.
  fileprivate init(_ fields: inout RequestFields) throws(RequestError) {
    self.init(path: try fields.required("path", fields.string("path")))
    password = try fields.string("password")
    box = try fields.oneOf("box")
    annotations = try fields.oneOf("annotations")
    layers = try fields.flags("layers")?.map { .init($0.key, isOn: $0.value) }
      .sorted { ($0.isOn ? 0 : 1, $0.name) < ($1.isOn ? 0 : 1, $1.name) }
    layout = try fields.members("layout")
    tileSide = try fields.integer("tile", atLeast: 16, atMost: Self.largestTile)
    move = try ViewerMove(&fields)
  }

  /// Pixels of a tile's side: less than on the command line, since clients share the memory.
  private static let largestTile = 2048
}

extension ViewerMove {
  /// Reads the members that position the viewport.
  ///
  /// - Throws: A request error that names the member.
  fileprivate init(_ fields: inout RequestFields) throws(RequestError) {
    self.init()
    if let (x, y) = try fields.coordinates("offset") { place = .coordinates(x: x, y: y) }
    if var anchor = try fields.object("anchor") {
      try requireNoPlace(fields, "anchor")
      place = .page(
        try anchor.required("page", anchor.page("page")),
        occurrence: try anchor.integer("occurrence", atLeast: 0) ?? 0,
        fraction: try anchor.number("fraction") ?? 0,
        across: try anchor.number("across")
      )
      try anchor.finish()
    }
    if var chosen = try fields.object("place") {
      try requireNoPlace(fields, "place")
      place = .place(try PageLayout.Place(&chosen))
    }
    let spread = try fields.integer("spread", atLeast: 0)
    let progress = try fields.number("progress", in: 0...1)
    if spread != nil || progress != nil {
      try requireNoPlace(fields, spread == nil ? "progress" : "spread")
      place = .spread(spread, progress: progress)
    }
    distance = try fields.distance("by")
    geometry = try fields.integer("geometry", atLeast: 1)
    viewport = try fields.size("viewport")
    zoom = try fields.positive("zoom", atMost: LayoutConfiguration.largestZoom)
    scale = try fields.positive("scale", atMost: 1000)
    overscan = try fields.insets("overscan")
    velocity = try fields.distance("velocity") ?? .zero
  }

  /// Checks that only one member sets the target.
  ///
  /// - Throws: A request error that names the second one.
  private func requireNoPlace(_ fields: RequestFields, _ member: String) throws(RequestError) {
    let first =
      switch place {
      case nil: nil as String?
      case .offset, .coordinates: "offset"
      case .page: "anchor"
      case .place: "place"
      case .spread: "spread"
      }
    guard let first else { return }
    throw fields.error(member, "cannot be used with \(first)")
  }
}

extension PageLayout.Place {
  /// Reads the members of a place in the form of a scene.
  ///
  /// - Throws: A request error that names the member.
  init(_ fields: inout RequestFields) throws(RequestError) {
    let page = try fields.required("page", fields.page("page"))
    let anchor = Anchor(
      page: page,
      occurrence: try fields.integer("occurrence", atLeast: 0) ?? 0,
      place: Point(x: try fields.number("x") ?? 0.5, y: try fields.number("y") ?? 0)
    )
    let point = try fields.coordinates("at")
    var current: PageOccurrence?
    if var object = try fields.object("current") {
      current = PageOccurrence(
        page: try object.required("page", object.page("page")),
        occurrence: try object.integer("occurrence", atLeast: 0) ?? 0
      )
      try object.finish()
    }
    self.init(
      anchor,
      at: Point(x: point?.x ?? 0.5, y: point?.y ?? 0),
      current: current,
      progress: try fields.number("progress") ?? 0
    )
    try fields.finish()
  }
}

extension ViewerZoom {
  /// Reads the members of `zoom`.
  ///
  /// - Throws: A request error that names the member.
  fileprivate init(_ fields: inout RequestFields) throws(RequestError) {
    let limit = LayoutConfiguration.largestZoom
    let factor = try fields.positive("factor", atMost: limit)
    let zoom = try fields.positive("zoom", atMost: limit)
    let change: ViewerZoom.Change
    switch (factor, zoom) {
    case (let factor?, nil): change = .by(factor)
    case (nil, let zoom?): change = .to(zoom)
    default: throw fields.error("factor", "exactly one of factor and zoom is needed")
    }
    self.init(change: change, about: try fields.point("about"))
  }
}

extension Destination {
  /// Reads the members of `destination`.
  ///
  /// - Throws: A request error that names the member.
  fileprivate init(_ fields: inout RequestFields) throws(RequestError) {
    let type = try fields.required("type", fields.string("type"))
    switch type {
    case "XYZ":
      self = .xyz(
        left: try fields.number("left"),
        top: try fields.number("top"),
        zoom: try fields.number("zoom", in: 0...LayoutConfiguration.largestZoom)
      )
    case "Fit", "FitB": self = .fit
    case "FitH", "FitBH": self = .fitHorizontal(top: try fields.number("top"))
    case "FitV", "FitBV": self = .fitVertical(left: try fields.number("left"))
    case "FitR":
      self = .fitRectangle(
        left: try fields.required("left", fields.number("left")),
        bottom: try fields.required("bottom", fields.number("bottom")),
        right: try fields.required("right", fields.number("right")),
        top: try fields.required("top", fields.number("top"))
      )
    default:
      throw fields.error(
        "type",
        "must be XYZ, Fit, FitH, FitV, FitR, FitB, FitBH or FitBV, is \"\(type)\""
      )
    }
  }
}

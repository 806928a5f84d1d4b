internal import Geometry
internal import PageLayout
internal import PageNumbers
internal import RectoKit

/// One line of a client. `docs/SERVE.md` describes them all.
struct ServeRequest {
  /// What the client calls it; comes back with the reply.
  var id: JSONValue?
  /// The name of the operation; nil when not even that could be read.
  var name: String?
  var operation: Result<Operation, RequestError>
  /// Whether the reply includes the transition from the previous scene.
  var wantsTransition = false

  enum Operation {
    case open(Opening)
    /// Layout options to change; null restores the default.
    case layout(document: Int?, [String: JSONValue])
    case view(document: Int?, ViewerMove)
    case zoom(document: Int?, ViewerZoom)
    case page(document: Int?, Point, geometry: Int?)
    case destination(document: Int?, page: PageIndex, Destination, keepsZoom: Bool)
    case stats
    case close(document: Int?)
  }

  /// A document to open.
  struct Opening {
    var path: String
    var password: String?
    var layout: [String: JSONValue] = [:]
    var move = ViewerMove()
  }

  /// A request to open a file with the settings of the command line.
  init(opening path: String) {
    name = "open"
    operation = .success(.open(Opening(path: path)))
  }

  /// Reads a line.
  init(_ line: LineInput.Line) {
    guard case .text(let text) = line else {
      operation = .failure(
        RequestError("line too long; the limit is \(LineInput.maximumLength) bytes")
      )
      return
    }
    do throws(JSONSyntaxError) {
      guard case .object(var members) = try JSONValue(parsing: text) else {
        operation = .failure(RequestError("a request must be an object"))
        return
      }
      id = members.removeValue(forKey: "id")
      guard case .string(let name)? = members.removeValue(forKey: "op") else {
        operation = .failure(RequestError("op: missing or not a string"))
        return
      }
      self.name = name
      do throws(RequestError) {
        if Self.changingScene.contains(name) {
          var fields = RequestFields(members, of: name)
          wantsTransition = try fields.bool("transition") ?? false
          members["transition"] = nil
        }
        operation = .success(try Self.operation(name, members))
      } catch {
        operation = .failure(error)
      }
    } catch {
      operation = .failure(RequestError("\(error)"))
    }
  }

  /// The operations that come from one scene to another.
  private static let changingScene: Set<String> = ["layout", "view", "zoom", "destination"]

  /// Reads the members of an operation.
  ///
  /// - Throws: A request error that names the member.
  private static func operation(
    _ name: String,
    _ members: [String: JSONValue]
  ) throws(RequestError) -> Operation {
    var fields = RequestFields(members, of: name)
    let operation: Operation
    switch name {
    case "open": operation = .open(try opening(&fields))
    case "layout":
      let document = try fields.integer("document")
      guard case .object(let options)? = fields.take("layout") ?? .object([:]) else {
        throw fields.error("layout", "must be an object")
      }
      operation = .layout(document: document, options)
    case "view": operation = .view(document: try fields.integer("document"), try move(&fields))
    case "zoom": operation = .zoom(document: try fields.integer("document"), try zoom(&fields))
    case "page":
      operation = .page(
        document: try fields.integer("document"),
        try fields.required("at", fields.point("at")),
        geometry: try fields.integer("geometry")
      )
    case "destination":
      operation = .destination(
        document: try fields.integer("document"),
        page: try fields.required("page", fields.page("page")),
        try destination(&fields),
        keepsZoom: try fields.bool("keepZoom") ?? false
      )
    case "stats": operation = .stats
    case "close": operation = .close(document: try fields.integer("document"))
    default: throw RequestError("op: unknown operation \"\(name)\"")
    }
    try fields.finish()
    return operation
  }

  /// Reads the members of `open`.
  ///
  /// - Throws: A request error that names the member.
  private static func opening(_ fields: inout RequestFields) throws(RequestError) -> Opening {
    var opening = Opening(path: try fields.required("path", fields.string("path")))
    opening.password = try fields.string("password")
    guard case .object(let options)? = fields.take("layout") ?? .object([:]) else {
      throw fields.error("layout", "must be an object")
    }
    opening.layout = options
    opening.move = try move(&fields)
    return opening
  }

  /// Reads the members that position the viewport.
  ///
  /// - Throws: A request error that names the member.
  private static func move(_ fields: inout RequestFields) throws(RequestError) -> ViewerMove {
    var move = ViewerMove()
    let offset = try fields.point("offset")
    if let offset { move.place = .offset(offset) }
    if var anchor = try fields.object("anchor") {
      guard offset == nil else { throw fields.error("anchor", "cannot be used with offset") }
      let page = try anchor.required("page", anchor.page("page"))
      move.place = .page(page, fraction: try anchor.number("fraction") ?? 0)
      try anchor.finish()
    }
    move.distance = try fields.point("by")
    move.geometry = try fields.integer("geometry")
    move.viewport = try fields.size("viewport")
    move.zoom = try fields.number("zoom")
    move.scale = try fields.number("scale")
    if let scale = move.scale, !(scale > 0 && scale <= 1000) {
      throw fields.error("scale", "must be above 0 and at most 1000")
    }
    move.velocity = try fields.point("velocity") ?? .zero
    return move
  }

  /// Reads the members of `zoom`.
  ///
  /// - Throws: A request error that names the member.
  private static func zoom(_ fields: inout RequestFields) throws(RequestError) -> ViewerZoom {
    let factor = try fields.number("factor")
    let zoom = try fields.number("zoom")
    let change: ViewerZoom.Change
    switch (factor, zoom) {
    case (let factor?, nil): change = .by(factor)
    case (nil, let zoom?): change = .to(zoom)
    default: throw fields.error("factor", "exactly one of factor and zoom is needed")
    }
    return ViewerZoom(change: change, about: try fields.point("about"))
  }

  /// Reads the members of `destination`.
  ///
  /// - Throws: A request error that names the member.
  private static func destination(
    _ fields: inout RequestFields
  ) throws(RequestError) -> Destination {
    let type = try fields.required("type", fields.string("type"))
    switch type {
    case "XYZ":
      return .xyz(
        left: try fields.number("left"),
        top: try fields.number("top"),
        zoom: try fields.number("zoom")
      )
    case "Fit", "FitB": return .fit
    case "FitH", "FitBH": return .fitHorizontal(top: try fields.number("top"))
    case "FitV", "FitBV": return .fitVertical(left: try fields.number("left"))
    case "FitR":
      return .fitRectangle(
        left: try fields.required("left", fields.number("left")),
        bottom: try fields.required("bottom", fields.number("bottom")),
        right: try fields.required("right", fields.number("right")),
        top: try fields.required("top", fields.number("top"))
      )
    default: throw fields.error("type", "must be XYZ, Fit, FitH, FitV, FitR, FitB, FitBH or FitBV")
    }
  }
}

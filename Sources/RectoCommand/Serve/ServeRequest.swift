internal import DocumentModel
internal import PageLayout
internal import RectoGeometry
internal import RectoKit

/// One line of a client. `docs/SERVE.md` describes them all.
struct ServeRequest {
  /// The client's id: JSON that the reply repeats unchanged.
  var id: [UInt8]?
  /// The name of the operation; nil if it could not be read.
  var name: String?
  var operation: Result<Operation, RequestError>
  /// The length of the line.
  private(set) var byteCount = 0
  /// Whether the reply includes the transition from the previous scene.
  var wantsTransition = false

  private static let null = Array("null".utf8)
  /// The longest `id` in bytes.
  static let longestID = 1024

  enum Operation {
    case open(Opening)
    /// Opens the file of a document again.
    case reload(document: Int?)
    /// Layout options to change (null restores the default), and the target in the layout.
    case layout(document: Int?, [String: JSONValue], ViewerMove)
    case view(document: Int?, ViewerMove)
    case zoom(document: Int?, ViewerZoom)
    case page(document: Int?, Point, geometry: Int?)
    case destination(document: Int?, page: PageIndex, Destination, keepsZoom: Bool)
    /// Goes to a destination by its name.
    case namedDestination(document: Int?, String, keepsZoom: Bool)
    case content(document: Int?, ContentRequest)
    /// The transport of later pictures; nil only queries it. The available ones depend on the conversation.
    case settings(pictures: String?)
    case stats
    /// Cancels the requests with the id of this one.
    case cancel
    case close(document: Int?)

    /// All names, in the order of the reference.
    static let names = [
      "open", "reload", "layout", "view", "zoom", "page", "destination", "text", "links", "outline",
      "annotations", "attachments", "pages", "search", "select", "picture", "settings", "stats",
      "cancel", "close",
    ]
  }

  /// A document to open.
  struct Opening {
    var path: String
    var password: String?
    /// What is shown; nil for that of the command line.
    var box: ShownBox?
    var annotations: ShownAnnotations?
    var layers: [ShownContent.LayerChange]?
    var layout: [String: JSONValue] = [:]
    /// The side of tiles in device pixels; nil for that of the command line.
    var tileSide: Int?
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
    byteCount = text.count
    operation = .failure(RequestError("a request must be an object"))
    do throws(JSONSyntaxError) {
      let value = try JSONValue(parsing: text, member: "id", text: &id)
      guard case .object(let members) = value else { return }
      do throws(RequestError) {
        operation = .success(try read(members))
      } catch {
        operation = .failure(error)
      }
    } catch {
      operation = .failure(RequestError("\(error)"))
    }
    if let id, id.count > Self.longestID { self.id = nil }
  }

  /// Reads the members of a request.
  ///
  /// - Throws: A request error that names the member.
  private mutating func read(
    _ members: [String: JSONValue]
  ) throws(RequestError) -> Operation {
    var members = members
    members["id"] = nil
    switch members.removeValue(forKey: "op") {
    case .string(let name)?: self.name = name
    case nil: throw RequestError("op: missing")
    default: throw RequestError("op: must be a string")
    }
    let name = name ?? ""
    if let id, id.count > Self.longestID {
      throw RequestError("id: longer than \(Self.longestID) bytes")
    }
    // As in members, null counts as missing.
    if name == "cancel", id ?? Self.null == Self.null { throw RequestError("cancel.id: missing") }
    var fields = RequestFields(members, of: name)
    if Self.changingScene.contains(name) {
      wantsTransition = try fields.bool("transition") ?? false
    }
    let operation = try Operation(name, &fields)
    try fields.finish()
    return operation
  }

  /// Whether it can be cancelled while it runs.
  var canBeCancelled: Bool {
    switch operation {
    case .success(.open), .success(.reload), .success(.content): true
    default: false
    }
  }

  /// The operations that change the scene.
  private static let changingScene: Set<String> = ["layout", "view", "zoom", "destination"]
}

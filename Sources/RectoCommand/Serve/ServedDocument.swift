internal import DocumentModel
internal import PageLayout
internal import RectoBase
internal import RectoGeometry
internal import RectoKit
internal import RectoTiles
internal import SystemPackage

/// One document of a client: its viewer, replies and events.
///
/// Requests for one document are performed one by one in their order of arrival; documents do not wait for each other.
/// A scene is written before the queue gets the new window, so that no tile precedes the geometry it belongs to. From
/// then on ``SentTiles`` drops events that were on its way for an older one.
///
/// Changing the viewer, writing the scene and moving the queue's focus is one turn; turns of requests and measuring do
/// not overlap, so scenes are written in the order in which they are made.
actor ServedDocument {
  /// The state shared by all documents of a session.
  struct Context: Sendable {
    var settings: DocumentSettings
    var viewport: Size
    var scale: Double
    var tileSide: Int
    /// Whether pages outside the window are measured as well.
    var measuresAll: Bool
    var queue: RenderQueue
    var output: LineOutput
    /// Reports changes of files; nil reports nothing.
    var watcher: FileWatcher?
    /// Bounds the outlines being read and written at the same time.
    var outlines = TaskGate(2)
    /// How documents on servers are fetched; nil if all are files.
    var remote: RemoteOptions?
    /// Whether changed files are opened again without a request.
    var reloads = false
    /// The host of documents and pictures; nil if requests name paths, and pictures are in the output.
    var host: (any ViewerHost)?
  }

  /// Callbacks of the session.
  struct Notices: Sendable {
    /// Called when the queue has the document under this name.
    var opened: @Sendable (SourceID) async -> Void
    /// Nothing is being measured any more.
    var measured: @Sendable () async -> Void
  }

  /// The document while it is open.
  struct Opened {
    var viewer: Viewer
    /// Its name in the queue.
    var source: SourceID
    var info: DocumentInfo
    var options: LayoutOptions
    /// The addresses of pictures; nil if pictures are in the output.
    var pictures: (any PublishedPictures)?

    /// Whether the viewer shows the pages of the current page reader.
    var isCurrent: Bool { viewer.generation == viewer.document.generation }

    /// Consecutive pages, as far as the document has them.
    func pages(from first: PageIndex, count: Int) -> Range<PageIndex> {
      (first..<first.advanced(by: count)).clamped(to: Range(pageCount: info.pageCount))
    }
  }

  private enum State {
    case opening
    case open(Opened)
    case closed
  }

  /// The number in requests.
  nonisolated let number: Int
  let path: FilePath
  /// The document as the host knows it; nil without one.
  let hosted: HostedDocument?
  /// Where it is, if that is on a server.
  let address: RemoteAddress?
  let context: Context
  let notices: Notices
  var settings: DocumentSettings
  /// Allows one outline at a time for this document, so that other clients get theirs in between.
  let outlineTurn = TaskGate(1)
  /// Leaves a worker for tiles, if there are several, while page pictures are drawn.
  let pictureTurn: TaskGate
  var measuring: Task<Void, Never>?
  var watching: Task<Void, Never>?
  var following: Task<Void, Never>?
  /// The identity of the file last reported as changed.
  var reportedChange: FileIdentity?
  /// Whether drawing or measuring has found the file changed.
  var hasChangedBytes = false
  var sent = SentTiles()
  var isEnding = false
  private var state = State.opening
  private var isTurnTaken = false
  private var waitingForTurn: [CheckedContinuation<Void, Never>] = []

  /// A document that has not been opened yet.
  ///
  /// - Parameters:
  ///   - number: The number by which requests name the document.
  ///   - hosted: The document as the host knows it; nil without one.
  ///   - address: Where it is on a server; nil for a file.
  ///   - context: The state shared by all documents of the session.
  init(
    _ number: Int,
    path: FilePath,
    hosted: HostedDocument? = nil,
    address: RemoteAddress? = nil,
    context: Context,
    notices: Notices
  ) {
    self.number = number
    self.path = path
    self.hosted = hosted
    self.address = address
    self.context = context
    self.notices = notices
    settings = context.settings
    pictureTurn = TaskGate(context.settings.workers - 1)
  }

  /// The opened document; nil before and after.
  var opened: Opened? {
    if case .open(let opened) = state { opened } else { nil }
  }

  /// Whether it has been opened and not been closed.
  var isOpen: Bool { opened != nil }

  /// Whether sizes are still being measured.
  var isMeasuring: Bool { measuring != nil }

  /// Records the opened document.
  func take(_ opened: Opened) { state = .open(opened) }

  /// Records that nothing is open any more.
  func takeClosed() { state = .closed }

  // MARK: Turns

  /// Waits until no other turn is active; the caller must end this one.
  func takeTurn() async {
    guard isTurnTaken else {
      isTurnTaken = true
      return
    }
    await withCheckedContinuation { waitingForTurn.append($0) }
  }

  func endTurn() {
    if waitingForTurn.isEmpty {
      isTurnTaken = false
    } else {
      waitingForTurn.removeFirst().resume()
    }
  }

  // MARK: Scenes

  /// Writes a scene, then lets the queue draw it.
  ///
  /// - Parameters:
  ///   - source: The name of the document in the queue.
  ///   - line: Writes the reply or event.
  func send(
    _ scene: ViewerScene,
    _ source: SourceID,
    _ line: @escaping LineOutput.Line
  ) async {
    // One step: an event is written before this line, or is checked against this scene.
    sent.show(scene)
    context.output.add(line)
    await context.output.flush()
    await focus(on: scene, source)
  }

  func focus(on scene: ViewerScene, _ source: SourceID) async {
    let pages = scene.spreads.flatMap(\.pages).map(\.page)
    if let first = pages.min(), let last = pages.max() {
      opened?.viewer.document.willShow(first..<last.advanced(by: 1))
    }
    await context.queue.focus(source, on: scene.tileWindow(reachesOut: !isEnding))
  }

  func reply(
    _ request: ServeRequest,
    _ body: @escaping @Sendable (inout JSONWriter) -> Void
  ) async {
    let number = number
    await context.output.write { line in
      line.reply(to: request)
      line.member("document", number)
      body(&line)
    }
  }

  func refuse(_ request: ServeRequest, _ error: any Error) async {
    let (code, message) = error.forClient
    await reply(request) { $0.failure(code: code, message) }
  }
}

extension Error {
  /// The stable code and the message for a client.
  var forClient: (code: String, message: String) {
    switch self {
    case let error as RequestError: ("usage", error.message)
    case let error as ViewerError: ("usage", error.description)
    case let error as LayoutError: Failure(error).forClient
    case let error as DocumentError: (error.code.rawValue, error.description)
    case let failure as Failure: (failure.code, failure.messageForClient)
    default: ("fault", "\(self)")
    }
  }
}

extension Failure {
  /// The option as a request names it, the page, and what is wrong.
  fileprivate var messageForClient: String {
    (option.map { "\($0.requested): " } ?? "") + (page.map { "page \($0.number): " } ?? "")
      + message
  }
}

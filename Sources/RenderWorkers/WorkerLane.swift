internal import DocumentModel
internal import Geometry
internal import SystemPackage
internal import TileRender
internal import WorkerProtocol

/// One place in the pool: a worker process, started when first needed and replaced when it dies.
///
/// Every call blocks, on a queue of the lane's own.
actor WorkerLane {
  private let executor = QueueExecutor(label: "recto.worker-lane")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let settings: WorkerPool.Settings
  private let document: FileDescriptor
  private var process: WorkerProcess?
  /// What the process has open.
  private var opened: (window: DocumentWindow?, document: OpenedDocument)?
  /// Set when a window could not be opened: the whole document serves from then on.
  private var areWindowsRefused = false

  /// Pages after which a worker is replaced: poppler keeps what it has seen until it ends.
  private static let pagesPerProcess = 1_000

  init(_ settings: WorkerPool.Settings, document: FileDescriptor) {
    self.settings = settings
    self.document = document
  }

  /// Opens the document, in a new process if there is none.
  func open() throws(DocumentError) -> OpenedDocument {
    try readyProcess(window: nil).document
  }

  /// Measures pages as far as it goes: fewer results than pages come with the reason.
  func measure(
    _ pages: Range<Int>
  ) -> (results: [Result<PageFacts, DocumentError>], failure: DocumentError?) {
    var results: [Result<PageFacts, DocumentError>] = []
    do {
      let process = try readyProcess(window: nil).process
      try converse(process, .measure(pages), seconds: settings.limits.measure) { reply in
        guard case .measured(_, let batch) = reply else { return true }
        results += batch
        return false
      }
    } catch {
      return (results, error.during("measure"))
    }
    return (results, nil)
  }

  /// Draws parts of a page.
  func draw(
    _ raster: PageRaster,
    parts: [PixelRect],
    isOneOff: Bool,
    window: DocumentWindow?
  ) throws(DocumentError) -> DrawnPage {
    var pictures: [[UInt8]] = []
    var complaints = Complaints()
    do {
      let process = try readyProcess(window: areWindowsRefused ? nil : window).process
      let request = WorkerRequest.draw(raster, parts: parts, isOneOff: isOneOff)
      try converse(process, request, seconds: settings.limits.draw) { reply in
        switch reply {
        case .picture(let bytes):
          pictures.append(bytes)
          return false
        case .done(let all):
          complaints = all
          return true
        default: return true
        }
      }
    } catch {
      throw error.during("draw")
    }
    guard pictures.count == parts.count else {
      throw DocumentError(.fault, during: "draw", "the worker left out a picture")
    }
    return DrawnPage(pictures: pictures, complaints: complaints)
  }

  /// Ends the process; the next call starts another.
  func close() {
    process = nil
    opened = nil
  }

  private func converse(
    _ process: WorkerProcess,
    _ request: WorkerRequest,
    seconds: Double,
    until last: (WorkerReply) -> Bool
  ) throws(DocumentError) {
    defer {
      let isTired =
        process.drawn >= Self.pagesPerProcess
        || process.residentMemory > settings.limits.memory / 2
      if !process.isUsable || isTired {
        self.process = nil
        opened = nil
      }
    }
    try process.converse(request, seconds: seconds, memory: settings.limits.memory, until: last)
  }

  /// The process, started if need be, with the wanted part of the document open.
  private func readyProcess(
    window: DocumentWindow?
  ) throws(DocumentError) -> (process: WorkerProcess, document: OpenedDocument) {
    if let process, let opened, opened.window == window { return (process, opened.document) }
    do throws(DocumentError) {
      return try open(window)
    } catch {
      // The page tree reader and the engine disagree about this file: the engine has the last word.
      guard window != nil, error.code == .damaged || error.code == .passwordNeeded else {
        throw error.during("open")
      }
      areWindowsRefused = true
      return try open(nil)
    }
  }

  private func open(
    _ window: DocumentWindow?
  ) throws(DocumentError) -> (process: WorkerProcess, document: OpenedDocument) {
    let process: WorkerProcess
    if let running = self.process {
      process = running
    } else {
      process = try WorkerProcess(executable: settings.executable, document: document.rawValue)
    }
    self.process = process
    opened = nil
    var answer: OpenedDocument?
    do throws(DocumentError) {
      let request = WorkerRequest.open(password: settings.password, window: window)
      try converse(process, request, seconds: settings.limits.open) { reply in
        if case .opened(let facts, let engine) = reply {
          answer = OpenedDocument(facts: facts, engine: engine)
        }
        return true
      }
    } catch {
      throw error.during("open")
    }
    guard let answer else { throw DocumentError(.fault, during: "open", "an odd reply") }
    opened = (window, answer)
    return (process, answer)
  }
}

extension DocumentError {
  /// The same error with the operation named, unless it names one already.
  func during(_ operation: String) -> DocumentError {
    self.operation.isEmpty ? DocumentError(code, during: operation, detail) : self
  }
}

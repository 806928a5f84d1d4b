internal import DocumentModel
internal import SystemPackage
internal import Tiles

/// A session with one client: lines in, replies and events out.
actor ServeSession {
  private let context: ServedDocument.Context
  private let options: LayoutOptions
  private var documents: [Int: ServedDocument] = [:]
  private var sources: [SourceID: ServedDocument] = [:]
  /// The last request of each document; the next one waits for it.
  private var last: [Int: Task<Void, Never>] = [:]
  private var pending: [Int: Int] = [:]
  private var opened = 0
  private var hasReportedIdle = false
  private var whenIdle: CheckedContinuation<Void, Never>?

  /// Requests for one document that may wait; then the client is not read from any more.
  private static let pendingLimit = 64

  /// A session whose documents are laid out by `options` unless requests override them.
  init(_ context: ServedDocument.Context, options: LayoutOptions) {
    self.context = context
    self.options = options
  }

  /// Replies to requests until the end of the input, then draws what the viewports show.
  ///
  /// - Parameters:
  ///   - input: The lines of standard input.
  ///   - file: A document to open first, as if the client had requested it.
  func run(_ input: LineInput, opening file: String?) async {
    let events = Task { await passOnEvents() }
    if let file { await answer(ServeRequest(opening: file)) }
    while let line = await input.next() { await answer(ServeRequest(line)) }
    for task in last.values { await task.value }
    for document in documents.values { await document.end() }
    await withCheckedContinuation { continuation in
      whenIdle = continuation
      hasReportedIdle = false
      Task { await context.queue.repeatIdle() }
    }
    for document in documents.values { await document.close() }
    await context.queue.shutdown()
    await events.value
  }

  // MARK: Requests

  private func answer(_ request: ServeRequest) async {
    let operation: ServeRequest.Operation
    do throws(RequestError) {
      operation = try request.operation.get()
    } catch {
      return await refuse(request, error.message)
    }
    switch operation {
    case .stats: await reportStatistics(request)
    case .open(let opening): await open(opening, request)
    case .view(let number, _), .zoom(let number, _), .layout(let number, _),
      .page(let number, _, _), .destination(let number, _, _, _), .close(let number):
      guard let document = document(number) else {
        let words =
          number.map { "document: no document \($0) is open" }
          ?? "document: needed because several are open"
        return await refuse(request, documents.isEmpty ? "no document is open" : words)
      }
      await enqueue(document) { await document.perform(operation, request) }
      if case .close = operation { forget(document.number) }
    }
  }

  /// Opens a document under the next number.
  private func open(_ opening: ServeRequest.Opening, _ request: ServeRequest) async {
    opened += 1
    let number = opened
    let document = ServedDocument(
      number,
      path: FilePath(argument: opening.path),
      context: context,
      notices: ServedDocument.Notices(
        opened: { await self.register(number, $0) },
        measured: { await self.context.queue.repeatIdle() }
      )
    )
    let options: LayoutOptions
    do throws(RequestError) {
      options = try self.options.changed(by: opening.layout)
    } catch {
      return await refuse(request, error.message)
    }
    documents[number] = document
    await enqueue(document) {
      await document.open(opening, options: options, request)
      if await !document.isOpen { await self.forget(number) }
    }
  }

  /// The document that is meant; without a number, the only one there is.
  private func document(_ number: Int?) -> ServedDocument? {
    if let number { return documents[number] }
    return documents.count == 1 ? documents.values.first : nil
  }

  private func enqueue(
    _ document: ServedDocument,
    _ work: @escaping @Sendable () async -> Void
  ) async {
    let number = document.number
    let previous = last[number]
    hasReportedIdle = false
    pending[number, default: 0] += 1
    let task = Task {
      await previous?.value
      await work()
      await self.finished(number)
    }
    last[number] = task
    if pending[number, default: 0] >= Self.pendingLimit { await task.value }
  }

  private func finished(_ number: Int) async {
    pending[number, default: 1] -= 1
    if pending[number] == 0 {
      pending[number] = nil
      last[number] = nil
    }
    await context.queue.repeatIdle()
  }

  private func register(_ number: Int, _ source: SourceID) {
    sources[source] = documents[number]
  }

  private func forget(_ number: Int) {
    documents[number] = nil
    sources = sources.filter { $0.value.number != number }
  }

  private func refuse(_ request: ServeRequest, _ message: String) async {
    await context.output.write { line in
      line.reply(to: request)
      line.failure(code: "usage", message)
    }
  }

  private func reportStatistics(_ request: ServeRequest) async {
    let statistics = await context.queue.statistics()
    let numbers = documents.keys.sorted()
    await context.output.write { line in
      line.reply(to: request)
      line.array("documents") { array in for number in numbers { array.value(number) } }
      line.statistics(statistics)
    }
  }

  // MARK: Events

  /// Writes `idle` if no work is left; once until the next request.
  ///
  /// Called only for the idle event of the queue, which follows all tiles. What ends elsewhere, a
  /// request or measuring, has the queue give it once more.
  private func reportIdle() async {
    guard !hasReportedIdle, pending.isEmpty else { return }
    for document in documents.values where await document.isMeasuring { return }
    for document in documents.values { await document.reportCache() }
    guard await context.queue.isQuiet, pending.isEmpty, !hasReportedIdle else { return }
    // In one step with the check of pending requests, so that later replies follow.
    hasReportedIdle = true
    context.output.add { $0.member("event", "idle") }
    await context.output.flush()
    whenIdle?.resume()
    whenIdle = nil
  }

  private func passOnEvents() async {
    for await event in context.queue.events {
      switch event {
      case .tile(let source, let key, let tile):
        await sources[source]?.deliver(key, tile, from: source)
      case .failed(let source, let raster, let error):
        await sources[source]?.reportFailure(of: raster, error, from: source)
      case .idle: await reportIdle()
      }
    }
  }
}

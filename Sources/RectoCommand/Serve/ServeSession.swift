internal import DocumentModel
internal import RectoBase
internal import RectoKit
internal import RectoTiles
internal import RenderWorkers
internal import SystemPackage

/// A session with one client: lines in, replies and events out.
actor ServeSession {
  private let context: ServedDocument.Context
  private let options: LayoutOptions
  private var documents: [Int: ServedDocument] = [:]
  private var sources: [SourceID: ServedDocument] = [:]
  /// The last request of each document; the next one waits for it.
  private var last: [Int: Task<Void, Never>] = [:]
  private var pending: [Int: Int] = [:]
  /// Unanswered requests that no other one waits for.
  private var aside: [Int: Task<Void, Never>] = [:]
  /// The unanswered requests by their order of arrival.
  private(set) var requests: [Int: Pending] = [:]
  private var lastRequest = 0
  /// Bytes of the unanswered requests.
  private var requestBytes = 0
  private var opened = 0
  private var hasReportedIdle = false
  private var whenIdle: CheckedContinuation<Void, Never>?

  /// A request that was not answered yet.
  struct Pending {
    var request: ServeRequest
    /// The document, for a request that no other one waits for.
    var aside: Int?
    var isRunning = false
    var task: Task<Void, Never>?
  }

  /// The most waiting requests for one document; above that, reading from the client stops.
  private static let pendingLimit = 64
  /// The most bytes of waiting requests, likewise.
  private static let pendingBytesLimit = 1 << 20

  /// A session with the default layout options `options`.
  init(_ context: ServedDocument.Context, options: LayoutOptions) {
    self.context = context
    self.options = options
  }

  /// Replies to requests until the end of the input, then draws the viewports.
  ///
  /// - Parameters:
  ///   - file: A document to open first, as if the client had requested it.
  func run(_ input: LineInput, opening file: String?) async {
    let events = await greet()
    if let file { await answer(ServeRequest(opening: file)) }
    while let line = await input.next() { await answer(ServeRequest(line)) }
    for task in last.values { await task.value }
    for task in aside.values { await task.value }
    for document in documents.values { await document.end() }
    await withCheckedContinuation { continuation in
      whenIdle = continuation
      hasReportedIdle = false
      Task { await context.queue.repeatIdle() }
    }
    await close(events)
  }

  /// Replies to requests until the client is gone. Then drops waiting requests, and cancels running ones.
  func run(
    _ lines: some AsyncSequence<[UInt8], Never> & Sendable,
    until end: AsyncStream<Never>
  ) async {
    let events = await greet()
    let reading = Task {
      for await line in lines where !Task.isCancelled {
        let isTooLong = line.count > LineInput.maximumLength
        await answer(ServeRequest(isTooLong ? .tooLong : .text(line)))
      }
    }
    for await _ in end {}
    reading.cancel()
    // The reading task can wait for a request, and can add the current one.
    var tasks = dropRequests()
    await reading.value
    tasks += dropRequests()
    for task in tasks { await task.value }
    await close(events)
  }

  /// Cancels all requests; waiting ones are not answered.
  ///
  /// - Returns: The tasks of running requests.
  private func dropRequests() -> [Task<Void, Never>] {
    let tasks = requests.values.compactMap(\.task)
    requests = requests.filter { $0.value.isRunning }
    for task in tasks { task.cancel() }
    return tasks
  }

  /// Writes the `hello` event, and starts to write events.
  private func greet() async -> Task<Void, Never> {
    context.output.add(pictures: nil) { line, pictures in
      line.member("event", "hello")
      line.hello(pictures)
    }
    await context.output.flush()
    return Task { await passOnEvents() }
  }

  private func close(_ events: Task<Void, Never>) async {
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
    case .settings(let pictures): await set(pictures, request)
    case .cancel: await cancel(request)
    case .open(let opening): await open(opening, request)
    case .reload(let number), .view(let number, _), .zoom(let number, _), .layout(let number, _, _),
      .page(let number, _, _), .destination(let number, _, _, _),
      .namedDestination(let number, _, _),
      .close(let number):
      guard let document = await document(number, for: request) else { return }
      guard case .close = operation else {
        return await enqueue(request, for: document) { await document.perform(operation, request) }
      }
      await enqueue(request, for: document) {
        await self.cancelAside(of: document.number)
        await document.perform(operation, request)
      }
      forget(document.number)
    case .content(let number, let content):
      guard let document = await document(number, for: request) else { return }
      await enqueue(request, for: document, isAside: true) {
        await document.answer(content, request)
      }
    }
  }

  /// The document of a request; refuses the request and returns nil if there is none.
  private func document(_ number: Int?, for request: ServeRequest) async -> ServedDocument? {
    if let document = document(number) { return document }
    let words =
      number.map { "document: no document \($0) is open" }
      ?? "document: needed because several are open"
    await refuse(request, documents.isEmpty ? "no document is open" : words)
    return nil
  }

  /// Opens a document under the next number.
  private func open(_ opening: ServeRequest.Opening, _ request: ServeRequest) async {
    var hosted: HostedDocument?
    if let host = context.host {
      hosted = host.document(named: opening.path)
      guard hosted != nil else {
        return await refuse(request, "open.path: there is no such document")
      }
    }
    let address =
      hosted.map(\.address) ?? (context.remote != nil ? RemoteAddress(opening.path) : nil)
    if hosted == nil, address?.isPrefix ?? (RemoteAddress.malformed(opening.path) != nil) {
      return await refuse(request, "open.path: \(DocumentInput.noAddress)")
    }
    opened += 1
    let number = opened
    let document = ServedDocument(
      number,
      path: hosted?.path ?? address?.path ?? FilePath(argument: opening.path),
      hosted: hosted,
      address: address,
      context: context,
      // Weak: the session holds the document.
      notices: ServedDocument.Notices(
        opened: { [weak self] in await self?.register(number, $0) },
        measured: { [queue = context.queue] in await queue.repeatIdle() }
      )
    )
    let options: LayoutOptions
    do throws(RequestError) {
      options = try self.options.changed(by: opening.layout)
    } catch {
      return await refuse(request, error.message)
    }
    documents[number] = document
    await enqueue(request, for: document) {
      await document.open(opening, options: options, request)
      if await !document.isOpen { await self.forget(number) }
    }
  }

  /// The document with a number; without a number, the only one.
  private func document(_ number: Int?) -> ServedDocument? {
    if let number { return documents[number] }
    return documents.count == 1 ? documents.values.first : nil
  }

  /// Performs a request after earlier ones for the same document.
  ///
  /// - Parameters:
  ///   - isAside: Whether no later request waits for it, because it may take long.
  private func enqueue(
    _ request: ServeRequest,
    for document: ServedDocument,
    isAside: Bool = false,
    _ work: @escaping @Sendable () async -> Void
  ) async {
    lastRequest += 1
    let ticket = lastRequest
    let number = document.number
    let previous = last[number]
    hasReportedIdle = false
    requestBytes += request.byteCount
    requests[ticket] = Pending(
      request: request,
      aside: isAside ? number : nil,
      isRunning: previous == nil
    )
    let task = Task {
      await previous?.value
      if self.begin(ticket) { await work() }
      await self.finished(number, ticket, request.byteCount)
    }
    requests[ticket]?.task = task
    if isAside {
      aside[ticket] = task
    } else {
      pending[number, default: 0] += 1
      last[number] = task
    }
    let count = isAside ? aside.count : pending[number, default: 0]
    if count >= Self.pendingLimit || requestBytes >= Self.pendingBytesLimit { await task.value }
  }

  /// Begins a request whose turn has come.
  ///
  /// - Returns: Whether to perform it; false if it was answered as cancelled.
  private func begin(_ ticket: Int) -> Bool {
    requests[ticket]?.isRunning = true
    return requests[ticket] != nil
  }

  /// Cancels the requests with the id of a request.
  ///
  /// A waiting one is answered now. One that opens a file or reads text is answered by its task; other running ones end
  /// normally.
  private func cancel(_ cancellation: ServeRequest) async {
    for (ticket, pending) in requests where pending.request.id == cancellation.id {
      if !pending.isRunning {
        requests[ticket] = nil
        await context.output.write { line in
          line.reply(to: pending.request)
          line.failure(code: "cancelled", "cancelled before it began")
        }
      } else if pending.request.canBeCancelled {
        pending.task?.cancel()
      }
    }
  }

  /// Cancels the requests of a document that no other one waits for, and waits until they have been answered.
  private func cancelAside(of number: Int) async {
    let tasks = requests.values.filter { $0.aside == number }.compactMap(\.task)
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }

  /// Changes the settings of the session, and replies with all of them.
  private func set(_ name: String?, _ request: ServeRequest) async {
    let available = context.host == nil ? PictureTransport.ofStream : [.url]
    let pictures = available.first { $0.rawValue == name }
    if let name, pictures == nil {
      let fields = RequestFields([:], of: "settings")
      let error = fields.error("pictures", mustBeOneOf: available.map(\.rawValue), name)
      return await refuse(request, error.message)
    }
    context.output.add(pictures: pictures) { line, pictures in
      line.reply(to: request)
      line.member("pictures", pictures.rawValue)
    }
    await context.output.flush()
  }

  private func finished(_ number: Int, _ ticket: Int, _ byteCount: Int) async {
    requests[ticket] = nil
    requestBytes -= byteCount
    if aside.removeValue(forKey: ticket) == nil { pending[number, default: 1] -= 1 }
    if pending[number] == 0 {
      pending[number] = nil
      last[number] = nil
    }
    await context.queue.repeatIdle()
  }

  private func register(_ number: Int, _ source: SourceID) {
    sources[source] = documents[number]
    // A changed file can be opened without a request.
    hasReportedIdle = false
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
    let workers = context.settings.budget?.statistics
    await context.output.write { line in
      line.reply(to: request)
      line.array("documents") { array in for number in numbers { array.value(number) } }
      line.statistics(statistics)
      if let workers { line.workers(workers) }
    }
  }

  // MARK: Events

  /// Writes `idle` if no work is left; once until the next request.
  ///
  /// Called only for the idle event of the queue, which follows all tiles. When other work ends (a
  /// request or measuring), the queue sends that event once more.
  private func reportIdle() async {
    guard !hasReportedIdle, pending.isEmpty, aside.isEmpty else { return }
    let request = lastRequest
    for document in documents.values where await document.isMeasuring { return }
    for document in documents.values { await document.reportCache() }
    guard await context.queue.isQuiet, pending.isEmpty, aside.isEmpty, !hasReportedIdle else {
      return
    }
    // A request may have been received and answered since.
    guard request == lastRequest else { return }
    // In one step with the check of pending requests, so that later replies come after the event.
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

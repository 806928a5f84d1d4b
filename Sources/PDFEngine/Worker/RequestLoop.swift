// SPDX-License-Identifier: GPL-2.0-or-later

internal import CLinux
public import DocumentModel
internal import Glibc
internal import RectoBase
internal import SystemPackage

/// Reads requests and writes replies until the parent closes the pipe.
public struct RequestLoop: Sendable {
  /// The descriptor that replies are written to.
  public let replies: Int32
  /// The layers of the sandbox of this process.
  public let layers: [SandboxLayer]
  /// Why all requests fail; nil if they do not.
  private let refusal: DocumentError?

  /// A loop that has read nothing yet.
  ///
  /// - Parameters:
  ///   - replies: The descriptor that replies are written to.
  ///   - layers: The layers of the sandbox of this process.
  ///   - requiresSandbox: Whether all requests fail unless the required layers are in force.
  init(replies: Int32, layers: [SandboxLayer], requiresSandbox: Bool) {
    self.replies = replies
    self.layers = layers
    refusal = requiresSandbox ? DocumentError(requiring: layers) : nil
  }

  /// Answers requests as they come in.
  public func run() {
    var reader = FrameReader()
    var session: DrawingSession?
    var sheet: SheetDrawing?
    var document = WorkerRequest.documentDescriptor
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      do {
        var hadPassword = false
        while let payload = try reader.next() {
          guard let request = request(payload) else { continue }
          if case .open(password: .some, _, _, _) = request {
            hadPassword = true
            PasswordTraces.beginWiping()
          }
          answer(request, in: document, &session, &sheet)
        }
        if hadPassword {
          if reader.isEmpty { reader = FrameReader() }
          buffer.initializeMemory(as: UInt8.self, repeating: 0)
          PasswordTraces.endWiping()
        }
      } catch {
        sendRefusal(error)
        return
      }
      var next: Int32 = -1
      var count = recto_receive_descriptors(0, buffer.baseAddress, buffer.count, &next, 1, 1)
      // Requests come from a file or a pipe in tests.
      if count < 0, errno == ENOTSOCK { count = read(0, buffer.baseAddress, buffer.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      if next >= 0 {
        // The request with it opens it. What is open was mapped or read.
        close(document)
        document = next
      }
      reader.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  /// The request in a payload; nil after replying to an invalid one. Later requests can still be read.
  private func request(_ payload: ArraySlice<UInt8>) -> WorkerRequest? {
    do {
      return try WorkerRequest(payload: payload)
    } catch {
      sendRefusal(error)
      return nil
    }
  }

  private func sendRefusal(_ error: any Error) {
    send(.failed(DocumentError(.fault, during: "read a request", "\(error)")))
  }

  /// Answers the given requests.
  ///
  /// - Returns: The document that is then open.
  /// - Throws: The error of an invalid request.
  func run(_ requests: [WorkerRequest]) throws -> DrawingSession? {
    var reader = FrameReader()
    var session: DrawingSession?
    var sheet: SheetDrawing?
    for request in requests {
      Frame.framed(request.payload).withUnsafeBytes { reader.append($0) }
      while let payload = try reader.next() {
        let request = try WorkerRequest(payload: payload)
        answer(request, in: WorkerRequest.documentDescriptor, &session, &sheet)
      }
    }
    return session
  }

  /// Answers one request.
  ///
  /// - Parameters:
  ///   - document: The descriptor of the document.
  ///   - session: The open document; nil as long as there is none.
  ///   - sheet: The contact sheet that is being drawn; nil if there is none.
  private func answer(
    _ request: WorkerRequest,
    in document: Int32,
    _ session: inout DrawingSession?,
    _ sheet: inout SheetDrawing?
  ) {
    do throws(DocumentError) {
      if case .describe = request {
        send(.description(FontReport.description(with: layers)))
        return
      }
      if let refusal { throw refusal }
      if case .open(let password, let subset, let text, let rasterizer) = request {
        // The parent trusts it only before a document was read.
        send(.engine(DrawingSession.engine))
        // The old one is closed first, so that two documents are never in memory at once.
        session = nil
        let opened = try DrawingSession(
          descriptor: document,
          password: password,
          subset: subset,
          text: text,
          rasterizer: rasterizer
        )
        session = opened
        send(.opened(opened.info))
        return
      }
      if case .beginSheet(let size) = request {
        sheet = try SheetDrawing(size)
        send(.done(Warnings()))
        return
      }
      guard let session else {
        try answer(request, sheet)
        return
      }
      switch request {
      case .open, .describe, .beginSheet, .drawOnSheet, .encodeSheet: break
      case .measure(let pages):
        session.measure(pages, batchSize: WorkerReply.largestBatch) {
          send(.measured(first: $0, $1))
        }
        send(.done(Warnings()))
      case .draw(let drawing):
        var sheet: Warnings?
        let (warnings, isEmbedded) = try session.draw(drawing, afterSheet: { sheet = $0 }) {
          if let warnings = sheet.take() {
            send(.sheet($0, warnings))
          } else {
            send(.picture($0))
          }
        }
        send(.done(warnings, isEmbedded: isEmbedded))
      case .properties: send(.properties(session.properties))
      case .readText(let pages, let hasStyles):
        TextCollection.during {
          session.readText(of: pages, hasStyles: hasStyles) {
            send(.text($0))
          }
        }
        send(.done(Warnings()))
      case .links(let page): send(.links(try session.links(of: page)))
      case .outline: send(.outline(session.outline()))
      case .destination(let name): send(.destination(session.destination(named: name)))
      }
    } catch {
      send(.failed(error))
    }
  }

  /// Answers a request of a process without a document.
  ///
  /// - Throws: The error to reply.
  private func answer(_ request: WorkerRequest, _ sheet: SheetDrawing?) throws(DocumentError) {
    guard let sheet else {
      throw DocumentError(.fault, during: "answer", "neither a document nor a sheet is open")
    }
    switch request {
    case .drawOnSheet(let item): try sheet.draw(item)
    case .encodeSheet(let size, let style): send(.picture(try sheet.file(size, style)))
    default: throw DocumentError(.fault, during: "answer", "no document is open")
    }
    send(.done(Warnings()))
  }

  private func send(_ reply: WorkerReply) {
    let (start, picture) = reply.parts
    let pipe = FileDescriptor(rawValue: replies)
    do {
      try pipe.writeAll(Frame.framed(start, rest: picture.count))
      try pipe.writeAll(picture)
    } catch {
      // The parent does not read any more.
      _exit(0)
    }
  }
}

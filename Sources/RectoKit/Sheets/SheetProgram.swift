internal import DocumentModel
internal import Glibc
internal import RectoBase
internal import RectoPictures
internal import RenderWorkers
internal import SystemPackage

/// A running `recto-sheet`: one request, one reply.
struct SheetProgram: ~Copyable {
  /// Seconds for a sheet.
  static let patience = 60.0

  private let process: pid_t
  private let socket: Int32
  private let deadline = monotonicSeconds() + Self.patience

  /// Starts the program.
  ///
  /// - Throws: `DocumentError` when it cannot be started.
  init(_ program: FilePath) throws(DocumentError) {
    (process, socket) = try WorkerProcesses.start(helper: program)
  }

  deinit {
    close(socket)
    WorkerProcesses.end(process)
  }

  /// Draws a sheet; blocks.
  ///
  /// - Returns: The file of the sheet, checked, and the pictures that are missing in it.
  /// - Throws: `timeLimit`; `fault` if the program ends, or sends an invalid sheet.
  consuming func draw(
    _ request: SheetRequest
  ) throws(DocumentError) -> (file: [UInt8], unreadable: [SheetReply.Unreadable]) {
    try send(Frame.framed(request.payload))
    let largest = PictureStructure.largest(request.size, request.style)
    let limit = SheetReply.largestPayload(to: request, largestFile: largest)
    let reply: SheetReply
    do {
      reply = try SheetReply(
        payload: try receive(atMost: limit),
        pictureCount: request.pictures.count
      )
    } catch let error as DocumentError {
      throw error
    } catch {
      throw Self.fault("recto-sheet sends what is no reply")
    }
    switch reply {
    case .failed(let reason): throw Self.fault(reason)
    case .sheet(let file, let unreadable):
      guard PictureStructure.isPicture(file, size: request.size, request.style) else {
        throw Self.fault("recto-sheet sends what is no such sheet")
      }
      return (file, unreadable)
    }
  }

  private static func fault(_ reason: String) -> DocumentError {
    DocumentError(.fault, during: "draw a sheet", reason)
  }

  /// Waits until the socket is ready.
  ///
  /// - Throws: `timeLimit` when that takes too long.
  private borrowing func wait(for events: Int32) throws(DocumentError) {
    while true {
      let milliseconds = (deadline - monotonicSeconds()) * 1000
      guard milliseconds > 0 else {
        throw DocumentError(
          .timeLimit,
          during: "draw a sheet",
          "the sheet was not done after \(Int(Self.patience)) s"
        )
      }
      var end = pollfd(fd: socket, events: Int16(events), revents: 0)
      let status = poll(&end, 1, Int32(milliseconds.rounded(.up)))
      if status > 0 { return }
      guard status == 0 || errno == EINTR else {
        throw Self.fault(String(cString: strerror(errno)))
      }
    }
  }

  /// Sends bytes.
  ///
  /// - Throws: `timeLimit` or `fault`.
  private borrowing func send(_ bytes: [UInt8]) throws(DocumentError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      try wait(for: POLLOUT)
      let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
      let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, flags) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR && errno != EAGAIN {
        throw Self.fault("recto-sheet has ended")
      }
    }
  }

  /// Receives the reply.
  ///
  /// - Throws: `timeLimit` or `fault`; `ByteCodingError` for one that is too long.
  private borrowing func receive(atMost limit: Int) throws -> ArraySlice<UInt8> {
    var reader = FrameReader()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      if let payload = try reader.next(atMost: limit) { return payload }
      try wait(for: POLLIN)
      let count = recv(socket, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
      if count > 0 {
        reader.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
        throw Self.fault("recto-sheet has ended")
      }
    }
  }
}

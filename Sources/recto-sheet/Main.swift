internal import CLinux
internal import DocumentModel
internal import Glibc
internal import RectoBase
internal import RectoGeometry
internal import RectoPictures
internal import RectoSandbox
internal import SystemPackage

/// Draws a contact sheet for a parent process.
///
/// Pictures come from workers, so they are decoded in a sandbox like that of a worker. Standard input and output are
/// one socket, for the request and the reply. Not meant to be started by hand.
@main
enum Main {
  /// Seconds after which the process exits by itself, in case the parent ended without killing it.
  private static let mostSeconds: UInt32 = 120

  static func main() {
    let replies = takeOutput()
    limitProcess()
    reply(answer(), to: replies)
  }

  /// The answer to the request.
  private static func answer() -> SheetReply {
    do {
      let request = try readRequest()
      // Some copies of the sheet, one picture, and memory for the libraries.
      try limitMemory(to: (1 << 30) + request.size.width * request.size.height * 20)
      var sandbox = Sandbox(
        reading: ReadableFiles.paths() + ReadableFiles.folders(of: request.pictures.map(\.file))
      )
      let drawing = try SheetDrawing(request)
      try drawing.loadFonts()
      PictureEncoder.loadLibraries()
      // After dropping privileges, which resets it.
      guard recto_end_with_parent() == 0 else { exit(70) }
      // Pango starts a thread for each new combination of fonts.
      sandbox.seal(startsThreads: true)
      return try drawing.reply()
    } catch {
      return .failed("\(error)")
    }
  }

  /// Reads the request.
  ///
  /// - Throws: `ByteCodingError` for invalid bytes.
  private static func readRequest() throws -> SheetRequest {
    var reader = FrameReader()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      if let payload = try reader.next(atMost: SheetRequest.largestPayload) {
        return try SheetRequest(payload: payload)
      }
      let count = read(0, buffer.baseAddress, buffer.count)
      if count < 0, errno == EINTR { continue }
      // No command waits for an answer.
      guard count > 0 else { exit(count == 0 && reader.isEmpty ? 64 : 70) }
      reader.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  private static func reply(_ reply: SheetReply, to output: Int32) {
    do {
      try FileDescriptor(rawValue: output).writeAll(Frame.framed(reply.payload))
    } catch {
      // The parent does not read any more.
      _exit(0)
    }
  }

  /// The reply owns standard output: whatever a library prints must not come before it.
  ///
  /// - Returns: The former standard output.
  private static func takeOutput() -> Int32 {
    let replies = dup(1)
    let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
    guard replies >= 0, null >= 0, dup2(null, 1) >= 0 else { exit(70) }
    close(null)
    return replies
  }

  /// Drops rights that the process does not need.
  private static func limitProcess() {
    signal(SIGPIPE, SIG_IGN)
    alarm(mostSeconds)
    guard recto_drop_privileges() == 0, limit(RLIMIT_CORE, to: 0) else { exit(70) }
  }

  /// Limits the memory of the process.
  ///
  /// - Throws: `fault` when the system refuses.
  private static func limitMemory(to bytes: Int) throws(DocumentError) {
    guard limit(RLIMIT_DATA, to: bytes) else {
      throw DocumentError(.fault, during: "limit memory", String(cString: strerror(errno)))
    }
  }

  private static func limit(_ resource: __rlimit_resource, to value: Int) -> Bool {
    var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
    return setrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0
  }
}

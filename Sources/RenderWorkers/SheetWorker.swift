package import DocumentModel
internal import Glibc
package import RectoGeometry
package import SystemPackage

/// A worker that draws one contact sheet. All calls block.
package struct SheetWorker {
  private let worker: WorkerProcess
  private let size: PixelSize
  private let memory: Int
  private let deadline = Deadline(after: seconds)

  /// Seconds for a sheet.
  package static let seconds = 60.0

  /// Starts a worker and begins a sheet.
  ///
  /// - Parameters:
  ///   - executable: The worker program.
  ///   - size: The size of the sheet in pixels.
  /// - Throws: `DocumentError` when the worker cannot be started, and as ``draw(_:)``.
  package init(_ executable: FilePath, _ size: PixelSize) throws(DocumentError) {
    // In place of a document.
    let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard nothing >= 0 else {
      throw DocumentError(.fault, during: "start a worker", String(cString: strerror(errno)))
    }
    defer { close(nothing) }
    worker = try WorkerProcess(alone: executable, document: nothing, drawsSheet: true)
    self.size = size
    // Some copies of the sheet, one picture, and memory for the libraries.
    memory = (1 << 30) + size.width * size.height * 20
    try answer(.beginSheet(size))
  }

  /// Draws something on the sheet.
  ///
  /// - Throws: `damaged` for a picture that cannot be decoded: its frame stays empty. Others end the sheet:
  ///   `timeLimit` after ``seconds``; `fault` when the worker ends, or replies with anything else.
  package func draw(_ item: SheetItem) throws(DocumentError) { try answer(.drawOnSheet(item)) }

  /// The file of the sheet, checked.
  ///
  /// - Throws: As ``draw(_:)``.
  package func file(_ style: PictureStyle) throws(DocumentError) -> [UInt8] {
    var file: [UInt8] = []
    try answer(.encodeSheet(size, style)) { if case .picture(let bytes) = $0 { file = bytes } }
    return file
  }

  private func answer(
    _ request: WorkerRequest,
    _ take: (WorkerReply) -> Void = { _ in }
  ) throws(DocumentError) {
    do throws(DocumentError) {
      try worker.send(
        request,
        by: deadline,
        memory: memory,
        cancellation: Cancellation(),
        ahead: { nil },
        take
      )
    } catch {
      let codes: [DocumentError.Code] = [.damaged, .timeLimit]
      let code = codes.contains(error.code) ? error.code : .fault
      throw DocumentError(code, during: "draw a sheet", error.detail)
    }
  }
}

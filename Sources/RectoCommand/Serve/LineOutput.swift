internal import ArgumentParser
internal import RectoBase
internal import Synchronization

/// Writes lines to standard output on its own queue, so that a slow reader blocks only its own
/// output.
///
/// The order of lines is fixed when they are added, without waiting, so lines that an actor adds in
/// one step reach the client in that order. They are formatted and written later.
actor LineOutput {
  /// Makes a line.
  typealias Line = @Sendable (inout JSONWriter) -> Void
  /// Makes a line for a picture transport.
  typealias PictureLine = @Sendable (inout JSONWriter, PictureTransport) -> Void

  private let executor = QueueExecutor(label: "recto.output")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Added and unwritten lines. Callers wait for their line, so there are few.
  private struct Added {
    var lines: [(line: PictureLine, pictures: PictureTransport, picture: [UInt8])] = []
    /// How the next pictures are sent.
    var pictures: PictureTransport
  }

  private let added: Mutex<Added>
  private let put: @Sendable ([UInt8]) throws(Failure) -> Void

  /// Lines that go through `put`, one at a time; by default to standard output.
  init(
    pictures: PictureTransport = .file,
    _ put: @escaping @Sendable ([UInt8]) throws(Failure) -> Void = { (bytes) throws(Failure) in
      try StandardStreams.write(bytes)
    }
  ) {
    added = Mutex(Added(pictures: pictures))
    self.put = put
  }

  /// Appends a line.
  nonisolated func add(_ line: @escaping Line) { add([], nil) { writer, _ in line(&writer) } }

  /// Appends a line about a picture, which follows the line if pictures are sent as bytes.
  nonisolated func add(picture: [UInt8], _ line: @escaping PictureLine) { add(picture, nil, line) }

  /// Appends a line, and changes how later pictures are sent; nil keeps it.
  nonisolated func add(pictures: PictureTransport?, _ line: @escaping PictureLine) {
    add([], pictures, line)
  }

  /// Appends a line.
  ///
  /// - Parameters:
  ///   - pictures: How pictures are sent from here on; nil keeps it.
  private nonisolated func add(
    _ picture: [UInt8],
    _ pictures: PictureTransport?,
    _ line: @escaping PictureLine
  ) {
    added.withLock { added in
      added.pictures = pictures ?? added.pictures
      added.lines.append((line, added.pictures, picture))
    }
  }

  /// Writes all lines that were added.
  ///
  /// Ends the process if the reader is gone (exit code 0) or if writing fails (74).
  func flush() {
    while let (line, pictures, picture) = next() {
      var writer = JSONWriter()
      writer.object { line(&$0, pictures) }
      writer.newline()
      do throws(Failure) {
        try put(writer.take())
        if pictures == .bytes, !picture.isEmpty { try put(picture) }
      } catch {
        MessagePrinter(style: .text).print(error)
        Shutdown.end(with: error.exitCode.rawValue)
      }
    }
  }

  private func next() -> (PictureLine, PictureTransport, [UInt8])? {
    added.withLock { $0.lines.isEmpty ? nil : $0.lines.removeFirst() }
  }

  /// Appends a line and writes all lines.
  func write(_ line: @escaping Line) {
    add(line)
    flush()
  }
}

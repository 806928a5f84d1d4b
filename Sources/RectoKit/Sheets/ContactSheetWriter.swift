public import DocumentModel
public import RectoBase
internal import RectoGeometry
internal import RenderWorkers
public import SystemPackage

/// Draws contact sheets and writes each to a file, one after the other.
///
/// Each sheet is drawn by a worker of its own, so that this process neither decodes pictures nor loads a text library.
/// Starting it and waiting for it blocks, so that happens on a separate queue.
public actor ContactSheetWriter {
  private let executor = QueueExecutor(label: "recto.sheets")
  /// The queue.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// How the sheets look.
  public nonisolated let style: ContactSheetStyle
  private let program: FilePath
  private let inputs = SparedFiles()
  /// The most bytes of a picture.
  private static let mostBytes = 64 << 20

  /// Why a sheet was not written.
  public enum SheetError: Error, Sendable, CustomStringConvertible {
    /// It could not be drawn.
    case drawing(DocumentError)
    /// Its file could not be written.
    case output(FileError)

    /// One line.
    public var description: String {
      switch self {
      case .drawing(let error): error.description
      case .output(let error): "\(error.path): \(error.operation): \(error)"
      }
    }
  }

  /// A writer that has written nothing.
  ///
  /// - Parameters:
  ///   - style: How the sheets look.
  ///   - program: The path of `recto-worker`; nil to find it as `WorkerProgram.locate()` does.
  /// - Throws: `fault` when there is no such program.
  public init(_ style: ContactSheetStyle, program: FilePath? = nil) throws(DocumentError) {
    self.style = style
    self.program = if let program { program } else { try WorkerProgram.locate() }
  }

  /// Protects a file from being overwritten.
  public nonisolated func spare(_ path: FilePath) { inputs.add(path) }

  /// Draws a sheet and writes it. Creates missing directories.
  ///
  /// - Parameters:
  ///   - cells: From the top left, row by row; at least one, at most the capacity of the style.
  ///   - path: The path of the file.
  /// - Returns: The sheet.
  /// - Throws: ``SheetError``.
  public func write(_ cells: [SheetCell], to path: FilePath) throws(SheetError) -> WrittenSheet {
    try requireNoThumbnail(path, cells)
    let (file, size, unreadable): ([UInt8], PixelSize, [WrittenSheet.Unreadable])
    do throws(DocumentError) {
      (file, size, unreadable) = try drawn(cells)
    } catch {
      throw .drawing(error)
    }
    do throws(FileError) {
      let parent = path.removingLastComponent()
      if !parent.isEmpty { try Files.createDirectory(parent) }
      try Files.writeOutput(file, to: path) { inputs.contains($0) }
    } catch {
      throw .output(error)
    }
    return WrittenSheet(size: size, byteCount: file.count, unreadable: unreadable)
  }

  /// Checks that a sheet does not overwrite one of its pictures.
  ///
  /// - Throws: ``SheetError``.
  private func requireNoThumbnail(_ path: FilePath, _ cells: [SheetCell]) throws(SheetError) {
    guard let node = Files.node(of: path),
      cells.contains(where: { $0.picture.flatMap { Files.node(of: $0.file) } == node })
    else { return }
    let reason = "this is one of the thumbnails on it; not overwritten"
    throw .drawing(DocumentError(.usage, during: "", reason))
  }

  /// The file of a sheet, its size, and the pictures that are missing on it.
  ///
  /// - Throws: `DocumentError` when the sheet cannot be drawn.
  private func drawn(
    _ cells: [SheetCell]
  ) throws(DocumentError) -> ([UInt8], PixelSize, [WrittenSheet.Unreadable]) {
    let geometry = try SheetGeometry(cells, style)
    let worker = try SheetWorker(program, geometry.size)
    var unreadable: [WrittenSheet.Unreadable] = []
    for (cell, frame) in zip(cells, geometry.pictures) {
      guard let picture = cell.picture else {
        try worker.draw(.cross(frame))
        continue
      }
      var failure: String?
      var bytes: [UInt8] = []
      do throws(FileError) {
        bytes = try Files.contents(of: picture.file, limit: Self.mostBytes)
      } catch {
        failure = "\(error)"
      }
      do throws(DocumentError) {
        try worker.draw(.picture(bytes, frame))
      } catch {
        guard error.code == .damaged else { throw error }
        failure = failure ?? error.detail
      }
      if let failure {
        unreadable.append(WrittenSheet.Unreadable(file: picture.file, reason: failure))
      }
    }
    for label in geometry.labels where !label.text.isEmpty {
      try worker.draw(.label(label.text, fontSize: label.fontSize, label.frame))
    }
    return (try worker.file(style.style), geometry.size, unreadable)
  }
}

public import DocumentModel
public import RectoBase
internal import RectoGeometry
internal import RenderWorkers
public import SystemPackage

/// Draws contact sheets and writes each to a file, one after the other.
///
/// Each sheet is drawn by a `recto-sheet` process, so that this process neither decodes pictures nor loads a text
/// library. Starting it and waiting for it blocks, so that happens on a separate queue.
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
  ///   - program: The path of `recto-sheet`; nil to find it next to the running program, or in
  ///     `../libexec/recto` from there.
  /// - Throws: `fault` when there is no such program.
  public init(_ style: ContactSheetStyle, program: FilePath? = nil) throws(DocumentError) {
    self.style = style
    if let program {
      self.program = program
    } else {
      self.program = try WorkerProgram.locate("recto-sheet", variable: "RECTO_SHEET")
    }
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
    let request = try request(cells)
    let (file, unreadable) = try drawn(request)
    do throws(FileError) {
      let parent = path.removingLastComponent()
      if !parent.isEmpty { try Files.createDirectory(parent) }
      try Files.writeOutput(file, to: path) { inputs.contains($0) }
    } catch {
      throw .output(error)
    }
    return WrittenSheet(
      size: request.size,
      byteCount: file.count,
      unreadable: unreadable.map {
        let file = FilePath(bytes: request.pictures[$0.index].file)
        return WrittenSheet.Unreadable(file: file, reason: $0.reason)
      }
    )
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

  /// The request to the program.
  ///
  /// - Throws: ``SheetError``.
  private func request(_ cells: [SheetCell]) throws(SheetError) -> SheetRequest {
    let geometry: SheetGeometry
    do throws(DocumentError) {
      geometry = try SheetGeometry(cells, style)
    } catch {
      throw .drawing(error)
    }
    let frames = Array(zip(cells, geometry.pictures))
    return SheetRequest(
      size: geometry.size,
      style: style.style,
      fontSize: geometry.fontSize,
      pictures: frames.compactMap { cell, frame in
        cell.picture.map { SheetRequest.Picture(file: $0.file.bytes, frame: frame) }
      },
      missing: frames.compactMap { cell, frame in cell.picture == nil ? frame : nil },
      labels: zip(cells, geometry.labels).compactMap { cell, frame in
        guard style.hasLabels, !cell.label.isEmpty else { return nil }
        return SheetRequest.Label(text: cell.label, frame: frame)
      }
    )
  }

  /// The drawn sheet.
  ///
  /// - Throws: ``SheetError``.
  private func drawn(
    _ request: SheetRequest
  ) throws(SheetError) -> (file: [UInt8], unreadable: [SheetReply.Unreadable]) {
    do throws(DocumentError) {
      return try SheetProgram(program).draw(request)
    } catch {
      throw .drawing(error)
    }
  }
}

internal import DocumentModel
internal import PNGCoding
internal import RectoBase
internal import RectoGeometry
internal import SystemPackage

/// Writes desktop thumbnails on its own queue.
actor DesktopFolder {
  private let executor = QueueExecutor(label: "recto.desktop-thumbnails")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// The thumbnails.
  nonisolated let thumbnails: DesktopThumbnails

  private typealias Key = DesktopThumbnails.Key

  /// A folder whose directories are created when the first file is written.
  init(_ thumbnails: DesktopThumbnails) { self.thumbnails = thumbnails }

  /// A document as currently named in thumbnails.
  ///
  /// - Throws: `FileError` if it cannot be found, or is in a thumbnail directory.
  func subject(_ path: FilePath) throws(FileError) -> DesktopThumbnails.Subject {
    try thumbnails.subject(path)
  }

  /// Writes a thumbnail.
  ///
  /// - Parameters:
  ///   - subject: The document, as it was before it was opened.
  ///   - size: The length of the longer side in pixels.
  /// - Throws: `FileError` if it cannot be written.
  func write(
    _ picture: [UInt8],
    of subject: DesktopThumbnails.Subject,
    pageCount: Int,
    size: Int
  ) throws(FileError) -> WrittenFile {
    let path = thumbnails.path(subject, size: size)
    let pages = PNGText(keyword: Key.pages, text: String(pageCount))
    let count = try write(picture, with: texts(of: subject) + [pages], to: path)
    return WrittenFile(path: path, byteCount: count)
  }

  /// Records that a document failed, or that it did not.
  ///
  /// - Parameters:
  ///   - error: Why it failed, if the document is the cause; nil removes an earlier record.
  ///   - subject: The document, as it was before it was opened.
  /// - Throws: `FileError` if the file cannot be written or removed.
  func note(
    _ error: DocumentError?,
    of subject: DesktopThumbnails.Subject
  ) throws(FileError) {
    let path = thumbnails.failurePath(subject)
    guard let error else { return try Files.remove(path) }
    let reason = [
      PNGText(keyword: Key.code, text: error.code.rawValue),
      PNGText(keyword: Key.message, text: String(error.description.filter { $0 != "\0" })),
    ]
    _ = try write(Self.emptyPicture, with: texts(of: subject) + reason, to: path)
  }

  private func texts(of subject: DesktopThumbnails.Subject) -> [PNGText] {
    [
      PNGText(keyword: Key.uri, text: subject.uri),
      PNGText(keyword: Key.time, text: String(subject.modified)),
      PNGText(keyword: Key.size, text: String(subject.size)),
      PNGText(keyword: Key.type, text: "application/pdf"),
      PNGText(keyword: Key.program, text: thumbnails.program),
    ]
  }

  /// Writes a picture with texts, and returns the number of bytes. No other user may read it: it shows what
  /// may be a private document.
  private func write(
    _ picture: [UInt8],
    with texts: [PNGText],
    to path: FilePath
  ) throws(FileError) -> Int {
    let bytes: [UInt8]
    do throws(PNGError) {
      bytes = try PNGMetadata(texts: texts).added(to: picture)
    } catch {
      // Cannot happen: the keywords are valid, and no text has U+0000 or gigabytes.
      throw FileError("write", path, .invalidArgument)
    }
    let folder = path.removingLastComponent()
    try Files.createDirectory(folder, permissions: .ownerReadWriteExecute)
    try Files.write(bytes, to: path, permissions: .ownerReadWrite)
    return bytes.count
  }

  /// One transparent pixel; nothing if there is no memory for an encoder.
  private static let emptyPicture: [UInt8] = {
    guard var encoder = try? PNGEncoder() else { return [] }
    let pixel: [UInt32] = [0]
    return
      (try? encoder.picture(
        pixel.span.bytes,
        stride: 4,
        size: PixelSize(width: 1, height: 1),
        alpha: .premultiplied
      )) ?? []
  }()
}

/// The desktop thumbnails of one document.
struct DesktopPictures: PictureDestination {
  /// Writes them.
  let folder: DesktopFolder
  /// The document, as it was before it was opened.
  let subject: DesktopThumbnails.Subject
  /// The number of its pages.
  let pageCount: Int

  func path(of page: PageIndex, label: String?, size: Int) -> FilePath {
    folder.thumbnails.path(subject, size: size)
  }

  func write(
    _ bytes: [UInt8],
    of page: PageIndex,
    label: String?,
    size: Int
  ) async throws(FileError) -> WrittenFile {
    try await folder.write(bytes, of: subject, pageCount: pageCount, size: size)
  }
}

extension DocumentThumbnails {
  /// Why the document failed, if the document is the cause, so that it would fail again. Lack of time or memory counts,
  /// because limits are generous.
  var lastingError: DocumentError? {
    let error: DocumentError?
    if case .document(let own) = failure {
      error = own
    } else if failure == nil, case .failure(let own)? = pages.first?.result {
      error = own
    } else {
      error = nil
    }
    switch error?.code {
    case .unreadable, .changed, .cancelled, .output, .io, .usage, .fault, .passwordWrong: return nil
    default: return error
    }
  }
}

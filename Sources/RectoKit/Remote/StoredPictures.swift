internal import DocumentModel
internal import RectoBase
internal import RectoGeometry
internal import RectoTiles
internal import SystemPackage

/// Pictures of one document that become objects of a store, below a prefix.
struct StoredPictures: PictureDestination {
  /// Write at the same time, because each waits for the store.
  private let writers: [ObjectWriter]
  private let prefix: RemoteDocument
  private let paths: PagePaths
  /// The objects of all documents; nil if their keys always differ.
  private let names: TakenNames?
  /// The document as an owner of names; unique.
  private let owner: FilePath
  /// Objects that are not overwritten.
  private let inputs: SparedFiles

  private static let width = 4

  /// The objects of one document.
  ///
  /// - Parameters:
  ///   - prefix: See ``RemoteAddress/isPrefix``.
  ///   - paths: The keys after the prefix.
  ///   - mediaType: The media type of the pictures.
  ///   - inputs: Objects that are not overwritten.
  init(
    _ prefix: RemoteDocument,
    paths: PagePaths,
    mediaType: String,
    names: TakenNames?,
    owner: FilePath,
    sparing inputs: SparedFiles
  ) {
    self.inputs = inputs
    self.prefix = prefix
    self.paths = paths
    self.names = names
    self.owner = owner
    writers = (0..<Self.width).map { _ in ObjectWriter(mediaType) }
  }

  func path(of page: PageIndex, label: String?, size: Int) -> FilePath {
    shown(paths.path(of: page, label: label, size: size))
  }

  private func shown(_ path: FilePath) -> FilePath {
    prefix.address.path.appending(path.components)
  }

  func write(
    _ bytes: [UInt8],
    of page: PageIndex,
    label: String?,
    size: Int
  ) async throws(FileError) -> WrittenFile {
    let path = paths.path(of: page, label: label, size: size)
    let shown = shown(path)
    guard !inputs.contains(object: shown) else {
      throw FileError("write", shown, refusal: .isInput)
    }
    if let names, !names.take(path, for: owner) {
      throw FileError("write", shown, refusal: .isOutput)
    }
    guard let key = String(validating: path.bytes, as: UTF8.self),
      let address = prefix.address.object(key), !address.isPrefix
    else { throw FileError("write", shown, refusal: .noKey) }
    do throws(DocumentError) {
      let writer = writers[page.value % Self.width]
      try await writer.write(bytes, to: RemoteDocument(address, prefix.access))
    } catch {
      throw FileError("write", shown, error)
    }
    return WrittenFile(path: shown, byteCount: bytes.count)
  }
}

/// Writes objects one after the other. Its own queue waits for the store.
private actor ObjectWriter {
  private let executor = QueueExecutor(label: "recto.object-writer")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let mediaType: String

  init(_ mediaType: String) {
    self.mediaType = mediaType
    FetchPool.enter()
  }

  deinit { FetchPool.leave() }

  func write(_ bytes: [UInt8], to object: RemoteDocument) throws(DocumentError) {
    let server = try DocumentServer(object.address, object.access)
    let upload = FetchRequest.Upload(bytes, digest: bytes.sha256, mediaType: mediaType)
    try server.exchange([.upload(upload)], naming: nil) { _ in }
  }
}

extension FileError {
  /// The error of an object that cannot be written. None of the same store can.
  fileprivate init(_ operation: String, _ path: FilePath, _ error: DocumentError) {
    self.init(operation, path, .ioError)
    detail = error.detail
  }
}

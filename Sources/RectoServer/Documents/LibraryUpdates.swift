internal import DocumentModel
internal import RectoBase
internal import RectoCommand
internal import RectoKit
internal import SystemPackage

/// Serves documents that appear in folders and below prefixes of stores, and no longer those that are gone.
///
/// Folders are searched on its own queue, after each change and once a minute; stores are asked every ten minutes.
actor LibraryUpdates {
  private let executor = QueueExecutor(label: "recto.served-library")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// What is known of an address.
  private struct Known: Equatable {
    /// The document or the prefix, and how it is fetched.
    var document: RemoteDocument
    /// The objects of the prefix.
    var objects: [ListedObject] = []
  }

  private let command: ServerCommand
  private var known: [RemoteAddress: Known] = [:]
  /// Lists that have begun before the server.
  private var begun: [RemoteAddress: ObjectListing] = [:]
  /// What was warned about already.
  private var warnings: Set<String> = []
  /// Why an address could not be listed the last time.
  private var failures: [RemoteAddress: DocumentError] = [:]

  /// From a change to the search, at least: files that are copied together are found together.
  private static let pause = Duration.milliseconds(250)
  /// A pause has so many times the duration of the last search: folders that change all the time take little work.
  private static let restShare = 9
  /// From one list of a store to the next one, and after one that has failed.
  private static let (interval, retry) = (Duration.seconds(600), Duration.seconds(30))

  init(_ command: ServerCommand) { self.command = command }

  private var addresses: [RemoteAddress] {
    command.inputs.compactMap { input in
      if case .address(let address) = input { address } else { nil }
    }
  }

  /// The changes below the folders from the moment of the call; nil if there are none.
  func changes() -> AsyncStream<Void>? {
    let folders = command.inputs.compactMap { input -> FilePath? in
      guard case .path(let path) = input, (try? Files.status(of: path))?.type == .directory else {
        return nil
      }
      return path
    }
    guard !folders.isEmpty else { return nil }
    return FolderWatcher.changes(below: folders, isOfInterest: DocumentLibrary.isDocument)
  }

  /// Learns how documents on servers are fetched, and the first objects of each prefix.
  ///
  /// - Returns: The addresses of which this is not known, and why.
  func begin() async -> [(FilePath, DocumentError)] {
    await withDiscardingTaskGroup { group in
      for address in addresses { group.addTask { await self.begin(address) } }
    }
    return addresses.compactMap { address in failures[address].map { (address.path, $0) } }
  }

  private func begin(_ address: RemoteAddress) async {
    do throws(DocumentError) {
      let document = try command.document(at: address)
      var objects: [ListedObject] = []
      if address.isPrefix {
        let listing = ObjectListing(document)
        objects = try await listing.next() ?? []
        begun[address] = listing
      }
      known[address] = Known(document: document, objects: objects.filter(\.isDocument))
    } catch {
      failures[address] = error
    }
  }

  /// The documents that are known now; those in folders are searched for.
  func library() -> ServedLibrary {
    var library = DocumentLibrary()
    for input in command.inputs {
      switch input {
      case .path(let path): library.add(path)
      case .address(let address):
        guard let known = known[address] else {
          library.skip()
          continue
        }
        guard address.isPrefix else {
          library.add(known.document)
          continue
        }
        let source = library.pathCount
        library.skip()
        for key in library.add(known.objects, below: known.document, source) {
          warn(FilePath(bytes: key), "is not served: its key cannot be part of a path")
        }
      }
    }
    return ServedLibrary(
      library,
      in: command.followsLinks ? nil : command.inputs.map(\.path),
      warn: warn
    )
  }

  private func warn(_ path: FilePath, _ reason: String) {
    if warnings.insert("\(path): \(reason)").inserted { command.warn(path, reason) }
  }

  /// Keeps the served documents up to date until the task is cancelled.
  ///
  /// - Parameter changes: The changes in folders since before the documents were found; nil if there are none.
  func run(_ changes: AsyncStream<Void>?, _ documents: OpenDocuments) async {
    await withDiscardingTaskGroup { group in
      if let changes { group.addTask { await self.search(after: changes, documents) } }
      for address in Set(addresses) {
        group.addTask { await self.keepListing(address, documents) }
      }
    }
  }

  private func search(after changes: AsyncStream<Void>, _ documents: OpenDocuments) async {
    var pause = Self.pause
    for await _ in changes {
      // It throws only when it is cancelled.
      try? await Task.sleep(for: pause)
      guard !Task.isCancelled else { return }
      let duration = ContinuousClock().measure { documents.library = library() }
      pause = max(Self.pause, duration * Self.restShare)
    }
  }

  private func keepListing(_ address: RemoteAddress, _ documents: OpenDocuments) async {
    var pause = failures[address] == nil ? Duration.zero : Self.retry
    while true {
      guard (try? await Task.sleep(for: pause)) != nil else { return }
      do throws(DocumentError) {
        try await list(address, documents)
        failures[address] = nil
        pause = Self.interval
      } catch {
        // What was listed before is still served.
        if failures.updateValue(error, forKey: address) != error {
          command.warn(address.path, "\(error)")
        }
        pause = Self.retry
      }
    }
  }

  /// Lists the objects of a prefix, and learns again how they are fetched: credentials may be temporary.
  ///
  /// - Throws: `DocumentError` if that fails.
  private func list(
    _ address: RemoteAddress,
    _ documents: OpenDocuments
  ) async throws(DocumentError) {
    let begun = begun.removeValue(forKey: address)
    var new =
      if begun != nil, let known = known[address] { known } else {
        Known(document: try command.document(at: address))
      }
    if address.isPrefix {
      let listing = begun ?? ObjectListing(new.document)
      let isFirst = known[address].map { $0.objects.count <= new.objects.count } ?? true
      var published = new.objects.count
      do throws(DocumentError) {
        while let objects = try await listing.next() {
          new.objects += objects.filter(\.isDocument)
          // Of the first list, as it comes: what is shown need not wait for a million objects.
          guard isFirst, new.objects.count >= 2 * published else { continue }
          published = new.objects.count
          publish(new, at: address, documents)
        }
      } catch {
        if isFirst { publish(new, at: address, documents) }
        throw error
      }
    }
    publish(new, at: address, documents)
  }

  private func publish(_ new: Known, at address: RemoteAddress, _ documents: OpenDocuments) {
    guard known[address] != new else { return }
    known[address] = new
    documents.library = library()
  }
}

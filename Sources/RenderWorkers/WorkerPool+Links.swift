public import DocumentModel
public import RectoGeometry

/// Links, the outline and destinations as poppler finds them.
extension WorkerPool {
  /// Reads the links of a page in a worker.
  ///
  /// - Throws: `DocumentError` when no worker can be started, the document cannot be opened or the page be
  ///   read; `cancelled`.
  public func links(of page: PageIndex) async throws(DocumentError) -> [PageLink] {
    guard case .links(let links) = try await answer(to: .links(page), during: "read links") else {
      return []
    }
    return links
  }

  /// Reads the outline in a worker.
  ///
  /// - Throws: `DocumentError` when no worker can be started or the document cannot be opened;
  ///   `cancelled`.
  public func outline() async throws(DocumentError) -> DocumentOutline {
    guard case .outline(let outline) = try await answer(to: .outline, during: "read the outline")
    else { return DocumentOutline() }
    return outline
  }

  /// Finds a destination by its name in a worker.
  ///
  /// - Returns: The destination; nil when the document does not have it.
  /// - Throws: `DocumentError` when no worker can be started or the document cannot be opened;
  ///   `cancelled`.
  public func destination(named name: String) async throws(DocumentError) -> LinkDestination? {
    let answer = try await answer(to: .destination(name), during: "find a destination")
    guard case .destination(let place) = answer else { return nil }
    return place
  }

  private func answer(
    to request: WorkerRequest,
    during operation: String
  ) async throws(DocumentError) -> WorkerReply {
    let slot = try await acquire(for: nil, operation)
    defer { release(slot) }
    return try await run(on: slot) { (worker, cancellation) async throws(DocumentError) in
      try await worker.answer(to: request, during: operation, cancellation)
    }
  }
}

internal import DocumentModel
internal import RectoBase
internal import RectoGeometry

extension WorkerSlot {
  /// Makes pictures of a page of the subset, or of the whole document if that is nil.
  ///
  /// Opening and drawing are one call, because a waiting request has to wait for each hop to the
  /// slot and back.
  ///
  /// - Parameters:
  ///   - rasterizer: The rasterizer.
  ///   - deadline: When everything must be done, including opening and a second try.
  /// - Returns: The pictures, or the error of drawing the page.
  /// - Throws: Why the document cannot be opened, which is not the page's fault.
  func draw(
    _ drawing: PageDrawing,
    in subset: DocumentSubset?,
    with rasterizer: Rasterizer,
    by deadline: Deadline?,
    _ cancellation: Cancellation
  ) async throws(DocumentError) -> (Result<DrawnPage, DocumentError>, Deadline) {
    try await enter(for: WorkerPurpose(drawing.purpose), cancellation)
    defer { rest() }
    return try await repeating(failure: \.0.error) { () async throws(DocumentError) in
      let deadline = deadline ?? Deadline(after: settings.limits.draw)
      let end =
        rasterizer == .auto && SecondTry.isAllowed(settings)
        ? SecondTry.firstDeadline(deadline) : deadline
      try await ready(subset, with: rasterizer, by: end, cancellation)
      return (pictures(for: .draw(drawing), by: end, cancellation), deadline)
    }
  }

  /// How long pages are drawn before other requests get their turn, in seconds.
  private static let turn = 0.1

  /// Draws pages of the subset, or of the whole document if that is nil, until none is available.
  ///
  /// Each page is sent while the previous one is being drawn; its time starts when that is done.
  ///
  /// - Parameters:
  ///   - cancellation: Cancels the pages.
  func draw(
    _ pages: PageSupply,
    in subset: DocumentSubset?,
    _ cancellation: Cancellation,
    isWanted: @Sendable () -> Bool
  ) async {
    do throws(DocumentError) {
      try await enter(for: .pictures, cancellation)
    } catch {
      return
    }
    defer { rest() }
    let turn = Deadline(after: Self.turn)
    func next(isAhead: Bool) -> PageSupply.Page? {
      guard !turn.hasPassed || !isWanted() else { return nil }
      return pages.next(isAhead: isAhead, cancellation)
    }
    var ahead: PageSupply.Page?
    while let page = ahead.take() ?? next(isAhead: false) {
      let wasAhead = process?.hasRequestAhead == true
      do throws(DocumentError) {
        var result = try await repeating(failure: \.error) { () async throws(DocumentError) in
          try await draw(page, in: subset, cancellation) {
            guard let process, process.drawn < settings.limits.pages, !hasGrown(process),
              ahead == nil
            else { return nil }
            ahead = next(isAhead: true)
            return ahead?.request
          }
        }
        // The memory may have been used by the previous page, or by the next one, which had begun.
        if case .failure(let error) = result, error.code == .memoryLimit, wasAhead || ahead != nil {
          result = try await draw(page, in: subset, cancellation) { nil }
        }
        result = await triedAgain(page, result, in: subset, cancellation)
        pages.finish(page, result)
      } catch {
        pages.finish(page, opening: error)
      }
    }
  }

  /// Returns the result of a page. If a rasterizer failed, and there is time, the page is drawn again with the other
  /// one.
  ///
  /// - Parameters:
  ///   - cancellation: Cancels the page.
  /// - Returns: The final result.
  private func triedAgain(
    _ page: PageSupply.Page,
    _ result: Result<DrawnPage, DocumentError>,
    in subset: DocumentSubset?,
    _ cancellation: Cancellation
  ) async -> Result<DrawnPage, DocumentError> {
    guard case .failure(let error) = result, SecondTry.isAllowed(settings),
      SecondTry.isDue(after: error, by: pageDeadline), process?.hasRequestAhead != true
    else { return result }
    do throws(DocumentError) {
      let other = SecondTry.rasterizer(for: page.raster.pageIndex, in: subset)
      try await ready(subset, with: other, by: pageDeadline, cancellation)
    } catch {
      return error.code == .cancelled ? .failure(error) : result
    }
    switch pictures(for: page.request, by: pageDeadline, cancellation) {
    case .success(let drawn): return .success(drawn)
    // The first error is the page's.
    case .failure(let second): return second.code == .cancelled ? .failure(second) : result
    }
  }

  /// Draws a page, which may have been sent already.
  ///
  /// - Parameters:
  ///   - cancellation: Cancels the page.
  /// - Returns: The pictures, or the error of drawing the page.
  /// - Throws: Why the document cannot be opened, which is not the page's fault.
  private func draw(
    _ page: PageSupply.Page,
    in subset: DocumentSubset?,
    _ cancellation: Cancellation,
    ahead: () -> WorkerRequest?
  ) async throws(DocumentError) -> Result<DrawnPage, DocumentError> {
    pageDeadline = Deadline(after: settings.limits.draw)
    let deadline =
      SecondTry.isAllowed(settings) ? SecondTry.firstDeadline(pageDeadline) : pageDeadline
    if process?.hasRequestAhead != true {
      try await ready(subset, with: settings.rasterizer, by: deadline, cancellation)
    }
    return pictures(for: page.request, by: deadline, cancellation, ahead: ahead)
  }

  /// The pictures of a request to the process, or its error.
  private func pictures(
    for request: WorkerRequest,
    by deadline: Deadline,
    _ cancellation: Cancellation,
    ahead: () -> WorkerRequest? = { nil }
  ) -> Result<DrawnPage, DocumentError> {
    var pictures: [[UInt8]] = []
    var sheets: [Warnings] = []
    var warnings = Warnings()
    var isEmbedded = false
    do throws(DocumentError) {
      try send(request, by: deadline, cancellation, ahead: ahead) { reply in
        switch reply {
        case .picture(let bytes): pictures.append(bytes)
        case .sheet(let bytes, let warnings):
          pictures.append(bytes)
          sheets.append(warnings)
        case .done(let all, let embedded): (warnings, isEmbedded) = (all, embedded)
        default: break
        }
      }
    } catch {
      return .failure(error.during(request.operation(after: pictures.count)))
    }
    return .success(
      DrawnPage(
        pictures: pictures,
        warnings: warnings,
        sheets: sheets,
        isEmbedded: isEmbedded
      )
    )
  }
}

extension WorkerRequest {
  /// What a worker does after it has sent some of the pictures, for messages: the page is named if there are several.
  fileprivate func operation(after pictures: Int) -> String {
    guard case .draw(let drawing) = self, case .sheets(let sheets) = drawing.pictures,
      sheets.count > 1, pictures < sheets.count, let page = sheets[pictures].pages.first
    else { return "draw" }
    return "draw page \(page.raster.pageIndex.number)"
  }
}

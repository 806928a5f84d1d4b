public import DocumentModel
internal import RectoGeometry

extension WorkerPool {
  /// Draws a page, preferably in a worker that has it open.
  ///
  /// When the task is cancelled, its worker is killed and the page counts as not tried. A page that
  /// killed its workers twice in a row is quarantined: from then on its error is thrown at once, at
  /// every scale after crashes, at the same and larger scales after limits.
  ///
  /// - Parameters:
  ///   - drawing: The page and the pictures to make of it.
  ///   - subset: Pages that can be opened without the others; nil opens the whole document.
  /// - Returns: A picture for each that is asked for, in order, with what poppler warned about.
  /// - Throws: `DocumentError` when any of them failed; `usage` or `pageSize` for pictures that do not fit the raster;
  ///   `cancelled` when the task is, or the pool is closed.
  public func draw(
    _ drawing: PageDrawing,
    subset: DocumentSubset?
  ) async throws(DocumentError) -> DrawnPage {
    try drawing.check()
    if drawing.pages.count > 1 { return try await drawTogether(drawing, subset: subset) }
    let raster = drawing.raster
    if let error = quarantine.error(for: raster) { throw error }
    let slot = try await acquire(for: raster.pageIndex, "draw", WorkerPurpose(drawing.purpose))
    defer { release(slot) }
    // Another request may have drawn the page while this one waited.
    if let error = quarantine.error(for: raster) { throw error }
    return try await run(on: slot) { (worker, cancellation) async throws(DocumentError) in
      var drawing = drawing
      if drawnDirectly.contains(raster.pageIndex) { drawing = drawing.direct }
      let hasFailed = drawnByOther[raster.pageIndex].map { $0 <= raster.scale } ?? false
      let other = SecondTry.rasterizer(for: raster.pageIndex, in: subset)
      let rasterizer = hasFailed ? other : rasterizer
      var (result, deadline) = try await worker.draw(
        drawing,
        in: subset,
        with: rasterizer,
        by: nil,
        cancellation
      )
      note(result, of: raster)
      // A recording holds all images of a page at once; when it is drawn directly, they are freed
      // one by one.
      if case .failure(let error) = result, error.code == .memoryLimit, !drawing.isDirect {
        drawnDirectly.insert(raster.pageIndex)
        (result, _) = try await worker.draw(
          drawing.direct,
          in: subset,
          with: rasterizer,
          by: deadline,
          cancellation
        )
        note(result, of: raster)
      }
      guard case .failure(let error) = result, triesAgain, !hasFailed,
        SecondTry.isDue(after: error, by: deadline)
      else { return try result.get() }
      let again = drawing
      return try await drawAgain(raster, after: error) { () async throws(DocumentError) in
        try await worker.draw(
          again,
          in: subset,
          with: other,
          by: deadline,
          cancellation
        ).0.get()
      }
    }
  }

  /// Draws several pages for one file. A page that fails makes all of it fail; it may not be the first one, so nothing
  /// is learned about pages.
  private func drawTogether(
    _ drawing: PageDrawing,
    subset: DocumentSubset?
  ) async throws(DocumentError) -> DrawnPage {
    let slot = try await acquire(for: drawing.raster.pageIndex, "draw")
    defer { release(slot) }
    return try await run(on: slot) { (worker, cancellation) async throws(DocumentError) in
      try await worker.draw(drawing, in: subset, with: rasterizer, by: nil, cancellation).0
        .get()
    }
  }

  /// Draws a page again.
  ///
  /// - Parameters:
  ///   - error: Why it was not drawn.
  /// - Returns: The pictures, with what poppler warned about.
  /// - Throws: The first error, which is the page's; `cancelled`.
  private func drawAgain(
    _ raster: PageRaster,
    after error: DocumentError,
    _ draw: () async throws(DocumentError) -> DrawnPage
  ) async throws(DocumentError) -> DrawnPage {
    let drawn: DrawnPage
    do throws(DocumentError) {
      drawn = try await draw()
    } catch let second {
      throw second.code == .cancelled ? second : error
    }
    note(.success(drawn), of: raster)
    let known = drawnByOther[raster.pageIndex] ?? .infinity
    drawnByOther[raster.pageIndex] = min(known, raster.scale)
    return drawn
  }

  /// Draws pages in a worker, which gets each request before it has finished the previous one.
  ///
  /// Cancellation and failing pages are handled as in the function above. If other requests wait,
  /// they get the worker after a tenth of a second.
  ///
  /// - Parameters:
  ///   - pages: The pages; several calls may take from the same queue, each with its own worker.
  ///   - subset: Pages that can be opened without the others; nil opens the whole document.
  public func draw(_ pages: any DrawingQueue, subset: DocumentSubset?) async {
    let supply = PageSupply(pages, quarantine)
    while await pages.wait() {
      // Cancelled, or the pool is closed.
      guard let slot = try? await acquire(for: nil, "draw", .pictures) else { return }
      try? await run(on: slot) { (worker, cancellation) async throws(DocumentError) in
        await worker.draw(supply, in: subset, cancellation) { self.hasOthersWaiting }
      }
      release(slot)
    }
  }

  /// Records the result of drawing a page.
  private func note(_ result: Result<DrawnPage, DocumentError>, of raster: PageRaster) {
    // The compiler does not detect all callers that are not on the actor.
    assertIsolated()
    quarantine.note(result, of: raster)
  }
}

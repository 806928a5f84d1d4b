internal import DocumentModel
internal import RectoGeometry

/// Drawing pages that follow each other.
extension PageFileWriter {
  /// Draws and writes measured pages, without a pause between pages.
  ///
  /// - Parameters:
  ///   - body: Receives each page; returns whether to continue.
  func writeRun(
    _ indices: [PageIndex],
    _ known: MeasuredPages,
    from start: Int,
    isolation: isolated (any Actor)? = #isolation,
    each body: (Event) -> Bool
  ) async -> Bool {
    var pages: [PlannedPage] = []
    for (place, index) in indices.enumerated() {
      guard let measured = known[index] else { continue }
      var label: String?
      do throws(DocumentError) {
        let info = try measured.get()
        label = info.label
        pages.append(PlannedPage(index, start + place, label, try plan(of: index, info)))
      } catch {
        let page = ExportedPage(Range(only: index), label: label, .failure(error))
        guard body(.page(page, position: start + place)) else { return false }
      }
    }
    let run = DrawingRun(pages.map { $0.plan.drawing() }, room: pagesAtOnce)
    async let drawing: Void = document.draw(run, workers: workers)
    var goesOn = true
    for await drawn in run.results {
      let written = await write(pages[drawn.place], drawn.result)
      run.makeRoom()
      if let event = written.event, !body(event) {
        goesOn = false
        run.stop()
      }
    }
    // The stream ends early when the task is cancelled.
    run.stop()
    await drawing
    return goesOn && !Task.isCancelled
  }

  /// A page that is going to be drawn.
  private struct PlannedPage {
    let index: PageIndex
    /// Its position among the pages selected.
    let position: Int
    let label: String?
    let plan: PicturePlan

    init(_ index: PageIndex, _ position: Int, _ label: String?, _ plan: PicturePlan) {
      self.index = index
      self.position = position
      self.label = label
      self.plan = plan
    }
  }

  /// Writes a page of a run.
  private func write(
    _ page: PlannedPage,
    _ drawn: Result<DrawnPage, DocumentError>
  ) async -> Written {
    do throws(WriteError) {
      let pictures = try await pictures(of: page, drawn)
      let files = try await write(pictures, of: page.index, label: page.label)
      return Written(files, of: page.index, label: page.label, position: page.position)
    } catch {
      return Written(error, of: page.index, label: page.label, position: page.position)
    }
  }

  /// The pictures of a page of a run, one of each size.
  ///
  /// - Throws: The error of a page that cannot be drawn.
  private func pictures(
    of page: PlannedPage,
    _ drawn: Result<DrawnPage, DocumentError>
  ) async throws(WriteError) -> [PagePicture] {
    do throws(DocumentError) {
      let pictures = page.plan.pictures(try document.pictures(drawn.get(), of: page.index))
      try requireAll(pictures)
      return pictures
    } catch {
      throw .document(await document.final(error, of: page.index))
    }
  }

  /// The drawing of a page.
  ///
  /// - Throws: The error of a page that cannot be drawn like this.
  private func plan(of index: PageIndex, _ info: PageInfo) throws(DocumentError) -> PicturePlan {
    try PicturePlan(
      of: index,
      info,
      geometry: geometry,
      reducedTo: sizes.dropFirst().map { .longestSide($0) },
      style: style
    )
  }
}

internal import DocumentModel
internal import Synchronization

/// Pages to draw: hands them out in order, and streams the results.
///
/// Limits the number of pages in progress, so that with a slow disk the engine does not fill memory with pictures.
final class DrawingRun: Sendable {
  /// The result of a page.
  struct Drawn: Sendable {
    /// The place of the page in the list.
    var place: Int
    var result: Result<DrawnPage, DocumentError>
  }

  /// The results, in any order. Ends after ``end()``, and when the task that reads it is cancelled.
  let results: AsyncStream<Drawn>
  /// The pages.
  let drawings: [PageDrawing]
  private let output: AsyncStream<Drawn>.Continuation
  private let state: Mutex<State>

  private struct State {
    /// How many more pages may be handed out.
    var room: Int
    /// Callers waiting for room.
    var waiting: [CheckedContinuation<Void, Never>] = []
    /// Whether no other page is handed out.
    var isStopped = false
  }

  /// A run with all its pages still to draw.
  ///
  /// - Parameters:
  ///   - room: The most pages in progress.
  init(_ drawings: [PageDrawing], room: Int) {
    self.drawings = drawings
    (results, output) = AsyncStream.makeStream()
    state = Mutex(State(room: room))
  }

  /// The last page from ``results`` has been handled.
  func makeRoom() { wake { $0.room += 1 } }

  /// Hands out no other page.
  func stop() { wake { $0.isStopped = true } }

  /// Makes pages fail that are not in a stretch.
  func fail(from start: Int, _ error: DocumentError) {
    for place in start..<drawings.count { finish(place, .failure(error)) }
  }

  /// Ends the work on the pages.
  func end() { output.finish() }

  /// Adjacent pages of a run, which are opened together.
  struct Stretch: DrawingQueue {
    private let run: DrawingRun
    private let places: Places
    /// The position after its last page.
    let end: Int

    /// How many workers draw it.
    let workers: Int

    /// The pages of a run at some places.
    init(_ run: DrawingRun, _ range: Range<Int>, workers: Int) {
      self.run = run
      self.workers = min(workers, range.count)
      places = Places(range)
      end = range.upperBound
    }

    func next(isAhead: Bool) -> (number: Int, drawing: PageDrawing)? {
      run.next(from: places, leaving: isAhead ? workers : 0)
    }

    func wait() async -> Bool {
      guard !places.isEmpty else { return false }
      return await !run.waitForRoom() && !places.isEmpty
    }

    func finish(_ number: Int, _ result: Result<DrawnPage, DocumentError>) {
      run.finish(number, result)
    }
  }

  /// Positions, none of which is handed out twice.
  private final class Places: Sendable {
    private let rest: Mutex<Range<Int>>

    init(_ range: Range<Int>) { rest = Mutex(range) }

    var isEmpty: Bool { rest.withLock(\.isEmpty) }

    func next(leaving count: Int) -> Int? {
      rest.withLock { rest in
        guard rest.count > count, let place = rest.first else { return nil }
        rest = rest.dropFirst()
        return place
      }
    }
  }

  private func next(
    from places: Places,
    leaving count: Int
  ) -> (number: Int, drawing: PageDrawing)? {
    state.withLock { state in
      guard !state.isStopped, state.room > 0, let place = places.next(leaving: count) else {
        return nil
      }
      state.room -= 1
      return (place, drawings[place])
    }
  }

  /// Waits until a page may be handed out.
  ///
  /// - Returns: Whether there are no more pages.
  private func waitForRoom() async -> Bool {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if state.room > 0 || state.isStopped { return true }
        state.waiting.append(continuation)
        return false
      }
      if isOver { continuation.resume() }
    }
    return state.withLock(\.isStopped)
  }

  /// Changes the state, and wakes the callers that wait for it.
  private func wake(_ change: (inout State) -> Void) {
    let waiting = state.withLock { state in
      change(&state)
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  private func finish(_ place: Int, _ result: Result<DrawnPage, DocumentError>) {
    output.yield(Drawn(place: place, result: result))
  }
}

extension Document {
  /// Draws the pages of a run.
  ///
  /// The next pages are found while others are being drawn.
  ///
  /// - Parameters:
  ///   - workers: How many pages are drawn at once.
  func draw(_ run: DrawingRun, workers: Int) async {
    defer { run.end() }
    await withTaskGroup(of: Void.self) { group in
      var count = 0
      var place = 0
      while let (stretch, subset) = stretch(of: run, from: place, workers: workers) {
        for _ in 0..<stretch.workers {
          // More would compete for workers with those that draw.
          if count == workers {
            await group.next()
            count -= 1
          }
          group.addTask { [engine] in await engine.draw(stretch, subset: subset) }
          count += 1
        }
        if Task.isCancelled { return }
        place = stretch.end
      }
    }
  }

  /// The next pages of a run that are opened together; nil if there are none, or they cannot be drawn.
  private func stretch(
    of run: DrawingRun,
    from start: Int,
    workers: Int
  ) -> (DrawingRun.Stretch, DocumentSubset?)? {
    guard start < run.drawings.count else { return nil }
    do throws(DocumentError) {
      let rest = run.drawings[start...]
      let subset = try subset(around: rest[start].raster.pageIndex)
      var end = start + 1
      if let subset {
        let pages = Set(subset.pages.map(\.index))
        end = rest.firstIndex { !pages.contains($0.raster.pageIndex) } ?? rest.endIndex
      } else if tree.refusal != nil {
        end = rest.endIndex
      }
      return (DrawingRun.Stretch(run, start..<end, workers: workers), subset)
    } catch {
      run.fail(from: start, error)
      return nil
    }
  }
}

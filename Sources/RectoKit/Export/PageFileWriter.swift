internal import DocumentModel
internal import PageLayout
internal import RectoBase
internal import RectoGeometry
internal import RectoTiles
internal import Synchronization
internal import SystemPackage

/// Draws pages of an open document and writes each to a file.
struct PageFileWriter: Sendable {
  /// The document.
  let document: Document
  /// Where the files go.
  let destination: any PictureDestination
  /// The part of each page that is drawn, and its size.
  let geometry: PictureGeometry
  /// The lengths of the longer side in pixels if there are several, the largest first.
  var sizes: [Int] = []
  /// The format and quality of the files.
  let style: PictureStyle
  /// Whether the thumbnail embedded for a page is used if it is large enough.
  var allowsEmbedded = false
  /// Pages that are drawn at the same time, at least one.
  let workers: Int
  /// The pyramid that each page becomes; nil for a single picture.
  var pyramid: (sizes: PagePyramid, files: NamedPictures)?

  /// Counts the pages still to be drawn: after the last one the document is closed, so that its processes make room for
  /// others while files are written. Nil to keep it open.
  var undrawn: PageCountdown?

  /// The results of pages.
  enum Event: Sendable {
    /// A page was written, or is an error. The position is that of the page among those selected.
    case page(ExportedPage, position: Int)
    /// A file could not be written.
    case output(FileError)
  }

  /// Why a page has no file.
  enum WriteError: Error {
    case document(DocumentError)
    case output(FileError)
  }

  /// Pages measured before they are drawn.
  private static let pagesInPortion = 1024

  /// Pages that are drawn or written at the same time: enough to keep every worker busy while
  /// finished pages are written and subsets are made.
  var pagesAtOnce: Int { workers * 4 }

  /// Measures, draws and writes the pages of a selection.
  ///
  /// Ends early when the task is cancelled, without the pages then being drawn.
  ///
  /// - Parameters:
  ///   - body: Receives each page as soon as it is done, in any order. Returns whether to continue; the pages that are
  ///     being drawn are still finished.
  func write(
    _ selection: PageSelection,
    isolation: isolated (any Actor)? = #isolation,
    each body: (Event) -> Bool
  ) async {
    if let pages = selection.stretch { await document.willDraw(pages) }
    var position = 0
    for part in selection.parts {
      switch part {
      case .missing(let pages):
        guard body(.page(ExportedPage(pages, .failure(selection.error)), position: position))
        else { return }
        position += 1
      case .pages(let run):
        guard await write(run, from: position, each: body) else { return }
        position += run.count
      }
    }
  }

  /// What ``write(_:isolation:each:)`` would write, without labels.
  func plan(_ selection: PageSelection) -> PlannedThumbnails {
    let pages = selection.ends.map { $0.first == $0.last ? [$0.first] : [$0.first, $0.last] } ?? []
    return PlannedThumbnails(
      pageCount: selection.count,
      files: pages.map { destination.path(of: $0, label: nil, size: sizes.first ?? 0) }
    )
  }

  /// Writes the pages of a run.
  ///
  /// - Parameters:
  ///   - body: Receives each page; returns whether to continue.
  private func write(
    _ run: PageSequence.Run,
    from position: Int,
    isolation: isolated (any Actor)? = #isolation,
    each body: (Event) -> Bool
  ) async -> Bool {
    var known = MeasuredPages()
    var done = 0
    while let next = run.page(at: done) {
      let rest = run.part(done..<run.count)
      if let failing = known.failing(at: next), failing.error.code == .pageMissing {
        // Possibly an enormous number: they are neither drawn nor listed one by one.
        let missing = failing.pages.clamped(to: rest.pages ?? 0..<0)
        let page = ExportedPage(missing, .failure(failing.error))
        guard body(.page(page, position: position + done)) else { return false }
        done += missing.count
        continue
      }
      let portion = (0..<min(Self.pagesInPortion, rest.count)).compactMap { rest.page(at: $0) }
      // All at once, because one file stores the sizes of many pages. If the document cannot be
      // opened, each page fails later.
      known = (try? await document.measure(portion)) ?? MeasuredPages()
      let present = Array(portion.prefix { known.failing(at: $0)?.error.code != .pageMissing })
      // Pages that may be drawn twice, or in many parts, are requested one by one.
      let goesOn =
        pyramid == nil && !allowsEmbedded && present.allSatisfy { known[$0] != nil }
        ? await writeRun(present, known, from: position + done, each: body)
        : await write(present, known, from: position + done, each: body)
      guard goesOn else { return false }
      done += present.count
    }
    return true
  }

  /// Draws and writes pages at the same time.
  ///
  /// - Parameters:
  ///   - body: Receives each page; returns whether to continue.
  private func write(
    _ indices: [PageIndex],
    _ known: MeasuredPages,
    from start: Int,
    isolation: isolated (any Actor)? = #isolation,
    each body: (Event) -> Bool
  ) async -> Bool {
    await withTaskGroup(of: Written.self) { group in
      // A closure runs on the actor of a parameter only if it captures the parameter.
      _ = isolation
      var waiting = indices.indices.makeIterator()
      var goesOn = true
      func add() {
        guard goesOn, !Task.isCancelled, let place = waiting.next() else { return }
        group.addTask {
          let index = indices[place]
          return await write(index, known[index], position: start + place)
        }
      }
      for _ in 0..<pagesAtOnce { add() }
      for await written in group {
        if let event = written.event, !body(event) { goesOn = false }
        add()
      }
      return goesOn && !Task.isCancelled
    }
  }

  /// The result for one page; nil for one that was cancelled. A class because optimized code of Swift 6.3.1 misreads
  /// the end of the group as one more element when elements are tuples with such a result, and crashes.
  final class Written: Sendable {
    let event: Event?

    /// A page that was written, with the file of each size.
    init(_ files: [PageFile], of index: PageIndex, label: String?, position: Int) {
      var page = ExportedPage(Range(only: index), label: label, .success(files[0]))
      page.smaller = Array(files.dropFirst())
      event = .page(page, position: position)
    }

    /// A page that has no file.
    init(_ failure: WriteError, of index: PageIndex, label: String?, position: Int) {
      switch failure {
      case .output(let error): event = .output(error)
      case .document(let error) where error.code == .cancelled: event = nil
      case .document(let error):
        let page = ExportedPage(Range(only: index), label: label, .failure(error))
        event = .page(page, position: position)
      }
    }
  }

  /// Draws and writes one page.
  ///
  /// - Parameters:
  ///   - measured: The page, if it was already measured.
  private func write(
    _ index: PageIndex,
    _ measured: Result<PageInfo, DocumentError>?,
    position: Int
  ) async -> Written {
    var label: String?
    do throws(WriteError) {
      let files = try await write(index, measured, &label)
      return Written(files, of: index, label: label, position: position)
    } catch {
      return Written(error, of: index, label: label, position: position)
    }
  }

  /// Draws and writes one page.
  ///
  /// - Parameters:
  ///   - measured: The page, if it was already measured.
  ///   - label: Receives the label of the page once it is known.
  /// - Returns: The file of each size, at least one.
  /// - Throws: The error of a page that cannot be drawn, or of a file that cannot be written.
  private func write(
    _ index: PageIndex,
    _ measured: Result<PageInfo, DocumentError>?,
    _ label: inout String?
  ) async throws(WriteError) -> [PageFile] {
    let pictures: [PagePicture]
    let info = try await info(of: index, measured)
    label = info.label
    if let pyramid { return [try await write(pyramid.sizes, as: pyramid.files, of: index, info)] }
    do throws(DocumentError) {
      pictures = try await self.pictures(of: index)
    } catch {
      throw .document(error)
    }
    return try await write(pictures, of: index, label: label)
  }

  /// Writes the pictures of a page.
  ///
  /// - Returns: The file of each size, at least one.
  /// - Throws: The error of a file that cannot be written.
  func write(
    _ pictures: [PagePicture],
    of index: PageIndex,
    label: String?
  ) async throws(WriteError) -> [PageFile] {
    if let undrawn, undrawn.isLast() { await document.close() }
    do throws(FileError) {
      var files: [PageFile] = []
      for (place, picture) in pictures.enumerated() {
        let size = sizes.isEmpty ? nil : sizes[place]
        let written = try await destination.write(
          picture.bytes,
          of: index,
          label: label,
          size: size ?? 0
        )
        files.append(
          PageFile(
            file: written.path,
            longestSide: sizes.count > 1 ? size : nil,
            size: picture.size,
            byteCount: written.byteCount,
            source: picture.source,
            warnings: picture.warnings,
            data: written.data
          )
        )
      }
      return files
    } catch {
      throw .output(error)
    }
  }

  /// The pictures of a page, one of each size.
  ///
  /// - Throws: The error of a page that cannot be drawn.
  private func pictures(of index: PageIndex) async throws(DocumentError) -> [PagePicture] {
    let pictures = try await document.pictures(
      of: index,
      geometry: geometry,
      reducedTo: sizes.dropFirst().map { .longestSide($0) },
      style: style,
      allowsEmbedded: allowsEmbedded
    )
    try requireAll(pictures)
    return pictures
  }

  /// Checks that there is a picture of each size.
  ///
  /// - Throws: `fault`.
  func requireAll(_ pictures: [PagePicture]) throws(DocumentError) {
    guard pictures.count == max(1, sizes.count) else {
      throw DocumentError(.fault, during: "draw", "no picture")
    }
  }

  /// The measured page; measures it if needed.
  ///
  /// - Throws: The error of a page that cannot be measured.
  private func info(
    of index: PageIndex,
    _ measured: Result<PageInfo, DocumentError>?
  ) async throws(WriteError) -> PageInfo {
    do throws(DocumentError) {
      if let measured { return try measured.get() }
      return try await document.page(at: index)
    } catch {
      throw .document(error)
    }
  }

  /// Draws a page and writes its pyramid.
  ///
  /// - Throws: The error of a page that cannot be drawn, or of a file that cannot be written.
  private func write(
    _ pyramid: PagePyramid,
    as named: NamedPictures,
    of index: PageIndex,
    _ info: PageInfo
  ) async throws(WriteError) -> PageFile {
    let plan: PyramidPlan
    let size: PixelSize
    let pictures: PagePictures
    do throws(DocumentError) {
      let raster = try geometry.picture(of: index, info).raster
      size = raster.size
      try requirePyramid(of: size)
      plan = PyramidPlan(
        pyramid,
        of: PyramidPage(
          size: size,
          path: named.paths.path(of: index, label: info.label),
          name: named.paths.name(of: index, label: info.label),
          format: style.format
        )
      )
      pictures = try await document.pictures(of: plan, raster, style: style)
    } catch {
      throw .document(error)
    }
    do throws(FileError) {
      let written = try await named.folder.write(plan, pictures.pictures)
      return PageFile(
        file: written.descriptor,
        size: size,
        byteCount: written.byteCount,
        source: .rendered,
        warnings: pictures.warnings,
        tileCount: written.tileCount
      )
    } catch {
      throw .output(error)
    }
  }

  /// Checks that a page is not too large, before its tiles are listed.
  ///
  /// - Throws: `pageSize`.
  private func requirePyramid(of size: PixelSize) throws(DocumentError) {
    guard let area = size.area, area <= PagePyramid.mostPixels else {
      throw DocumentError(
        .pageSize,
        during: "",
        "a pyramid of \(size.width)×\(size.height) pixels; the limit is \(PagePyramid.mostPixels)"
      )
    }
  }
}

/// Counts pages down to the last one.
final class PageCountdown: Sendable {
  private let count: Atomic<Int>

  /// A number of pages.
  init(_ count: Int) { self.count = Atomic(count) }

  /// Counts a page; returns whether it is the last one.
  func isLast() -> Bool { count.subtract(1, ordering: .relaxed).newValue == 0 }
}

public import DocumentModel
public import RectoGeometry

/// The pixels of a page.
public struct PagePixels: Hashable, Sendable {
  /// Columns and rows.
  public var size: PixelSize
  /// Red, green and blue of each pixel, row after row from the top left, without gaps.
  public var bytes: [UInt8]
  /// The engine's warnings during drawing.
  public var warnings: Warnings
}

extension PagePixels: BriefValue {
  /// Its size.
  public var description: String { "\(size.width) × \(size.height) pixels" }
}

/// Pictures of pages in a few lines. The cache is not used.
extension Document {
  /// A page as a PNG file, in color on white paper.
  ///
  /// - Parameters:
  ///   - page: The page; a literal is an index, from 0.
  ///   - dpi: Pixels per inch.
  /// - Throws: `DocumentError` when the document cannot be opened or the page cannot be drawn.
  public func png(page: PageIndex, dpi: Double = 150) async throws(DocumentError) -> [UInt8] {
    try await picture(of: page, geometry: PictureGeometry(size: .resolution(dpi))).bytes
  }

  /// A page as pixels, in color on white paper.
  ///
  /// - Parameters:
  ///   - page: The page; a literal is an index, from 0.
  ///   - dpi: Pixels per inch.
  /// - Throws: `DocumentError` when the document cannot be opened or the page cannot be drawn.
  public func image(page: PageIndex, dpi: Double = 150) async throws(DocumentError) -> PagePixels {
    let geometry = PictureGeometry(size: .resolution(dpi))
    let picture = try await picture(of: page, geometry: geometry, style: .pixels)
    // Behind the header of the PPM.
    return PagePixels(
      size: picture.size,
      bytes: Array(picture.bytes.suffix(picture.size.width * picture.size.height * 3)),
      warnings: picture.warnings
    )
  }

  /// The pictures of consecutive pages in order. Draws ahead of the reader by as many pages as there are workers.
  ///
  /// A page that fails does not affect the others. Drawing ends when the reader stops.
  ///
  /// - Parameters:
  ///   - pages: The pages.
  ///   - geometry: The part of each page, and its size.
  ///   - style: The format of the pictures, and the quality.
  public nonisolated func pictures(
    of pages: Range<PageIndex>,
    geometry: PictureGeometry,
    style: PictureStyle = .tile
  ) -> PictureSequence {
    PictureSequence(document: self, pages: pages, geometry: geometry, style: style)
  }
}

/// The pictures of consecutive pages; see ``Document/pictures(of:geometry:style:)``.
public struct PictureSequence: AsyncSequence, Sendable {
  /// A page, and its picture or why there is none.
  public typealias Element = (page: PageIndex, picture: Result<PagePicture, DocumentError>)

  let document: Document
  let pages: Range<PageIndex>
  let geometry: PictureGeometry
  let style: PictureStyle

  /// Starts to draw when the first picture is asked for.
  public func makeAsyncIterator() -> Iterator { Iterator(sequence: self, next: pages.lowerBound) }

  /// Draws ahead.
  public struct Iterator: AsyncIteratorProtocol {
    let sequence: PictureSequence
    /// The first page that is not being drawn.
    var next: PageIndex
    private let drawing = Drawing()

    init(sequence: PictureSequence, next: PageIndex) {
      (self.sequence, self.next) = (sequence, next)
    }

    /// The next picture; nil after the last page, and when the task is cancelled.
    public mutating func next(
      isolation: isolated (any Actor)? = #isolation
    ) async throws(Never) -> Element? {
      let document = sequence.document
      if drawing.tasks.isEmpty, next == sequence.pages.lowerBound {
        await document.willDraw(sequence.pages)
      }
      while drawing.tasks.count <= document.settings.workers, next < sequence.pages.upperBound {
        drawing.tasks.append(task(next))
        next = next.advanced(by: 1)
      }
      guard !Task.isCancelled, !drawing.tasks.isEmpty else { return nil }
      let first = drawing.tasks.removeFirst()
      let page = next.advanced(by: -drawing.tasks.count - 1)
      return (page, await Self.picture(first))
    }

    private static func picture(
      _ task: Task<Result<PagePicture, DocumentError>, Never>
    ) async -> Result<PagePicture, DocumentError> {
      await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }
    }

    private func task(_ page: PageIndex) -> Task<Result<PagePicture, DocumentError>, Never> {
      Task { [sequence] in
        do throws(DocumentError) {
          return .success(
            try await sequence.document.picture(
              of: page,
              geometry: sequence.geometry,
              style: sequence.style
            )
          )
        } catch {
          return .failure(error)
        }
      }
    }
  }

  /// The pages that are being drawn, in order; cancelled with their last owner.
  private final class Drawing {
    var tasks: [Task<Result<PagePicture, DocumentError>, Never>] = []
    deinit { for task in tasks { task.cancel() } }
  }
}

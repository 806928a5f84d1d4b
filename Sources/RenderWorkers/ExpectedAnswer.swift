internal import DocumentModel
internal import RectoGeometry
internal import RectoPictures

/// The replies that are still expected for one request.
///
/// A worker may be compromised by its file, so only a reply of the expected kind and length is
/// accepted. Everything else is a `fault`.
struct ExpectedAnswer {
  private enum Rest {
    case engine
    case info
    case properties
    case links
    case outline
    case destination
    case description
    case pages(Range<PageIndex>)
    case pictures(ArraySlice<PixelSize>, PictureStyle)
    /// Pieces of a vector file, and the bytes that they can still have.
    case pieces(Int, isFirst: Bool, bytes: Int, PictureFormat)
    case texts(Int, hasStyles: Bool)
    case nothing
  }

  private var rest: Rest

  /// Nothing of the answer has come yet.
  init(to request: WorkerRequest) {
    rest =
      switch request {
      case .open: .engine
      case .properties: .properties
      case .links: .links
      case .outline: .outline
      case .destination: .destination
      case .describe: .description
      case .measure(let pages): .pages(pages)
      case .readText(let pages, let hasStyles): .texts(pages.count, hasStyles: hasStyles)
      case .draw(let drawing):
        if case .sheets(let sheets) = drawing.pictures {
          .pieces(
            sheets.count,
            isFirst: true,
            bytes: VectorSheet.largestFile,
            drawing.style.format
          )
        } else {
          .pictures(drawing.pictures.sizes[...], drawing.style)
        }
      case .beginSheet, .drawOnSheet: .pictures([], .tile)
      case .encodeSheet(let size, let style): .pictures([size], style)
      }
  }

  /// Whether the answer is complete.
  var isComplete: Bool {
    if case .nothing = rest { true } else { false }
  }

  /// Whether the time limit starts again with each reply.
  var hasTimeForEach: Bool {
    switch rest {
    case .pages, .texts, .pieces: true
    case .engine, .info, .properties, .links, .outline, .destination, .description, .pictures,
      .nothing:
      false
    }
  }

  /// The longest payload of the next reply, in bytes.
  var largestPayload: Int {
    let largest =
      switch rest {
      case .engine: 16 + WorkerReply.largestEngine
      case .info: WorkerReply.largestOpened
      case .properties: WorkerReply.largestProperties
      case .links: WorkerReply.largestLinks
      case .outline: WorkerReply.largestOutline
      case .destination: WorkerReply.largestDestination
      case .description: WorkerReply.largestDescription
      case .pages(let pages): WorkerReply.largestMeasured(pages: pages.count)
      case .pictures(let sizes, let style):
        sizes.first.map {
          WorkerReply.largestPicture(file: PictureStructure.largest($0, style))
        } ?? 0
      case .pieces(let count, _, let bytes, _):
        count > 0 ? WorkerReply.largestSheet(bytes: bytes) : 0
      case .texts(let count, _): count > 0 ? WorkerReply.largestText : 0
      case .nothing: 0
      }
    return max(largest, WorkerReply.largestEnd)
  }

  /// Accepts the next reply.
  ///
  /// - Throws: `fault` for an unexpected reply; the worker's error if it is one.
  mutating func take(_ reply: WorkerReply) throws(DocumentError) {
    switch (reply, rest) {
    case (.failed(let error), _):
      // Only the caller can cancel a request: otherwise a page would be tried again and again.
      guard error.code != .cancelled else {
        throw Self.fault("the worker's reply is no answer to the request")
      }
      rest = .nothing
      throw error
    case (.engine(let name), .engine):
      guard OpenedDocument.isEngine(name) else {
        throw Self.fault("the worker gives its engine a name that is none")
      }
      rest = .info
    case (.opened, .info), (.properties, .properties), (.links, .links), (.outline, .outline),
      (.destination, .destination), (.description, .description):
      rest = .nothing
    case (.measured(let first, let results), .pages(let pages)):
      guard first == pages.lowerBound, (1...max(1, pages.count)).contains(results.count),
        !pages.isEmpty
      else { throw Self.fault("the worker measured other pages than it was asked for") }
      rest = .pages(first.advanced(by: results.count)..<pages.upperBound)
    case (.done, .pages(let pages)):
      guard pages.isEmpty else { throw Self.fault("the worker left out a page") }
      rest = .nothing
    case (.picture(let bytes), .pictures(let sizes, let style)):
      guard let size = sizes.first else {
        throw Self.fault("the worker sent more pictures than it was asked for")
      }
      guard PictureStructure.isPicture(bytes, size: size, style) else {
        throw Self.fault("the worker sent a picture that is not the one it was asked for")
      }
      rest = .pictures(sizes.dropFirst(), style)
    case (.sheet(let bytes, _), .pieces(let count, let isFirst, let left, let format)):
      guard count > 0 else {
        throw Self.fault("the worker sent more pictures than it was asked for")
      }
      guard bytes.count <= left, !isFirst || VectorStructure.begins(bytes, format),
        count > 1 || VectorStructure.ends(bytes, format)
      else { throw Self.fault("the worker sent a picture that is not the one it was asked for") }
      rest = .pieces(count - 1, isFirst: false, bytes: left - bytes.count, format)
    case (.text(let text), .texts(let count, let hasStyles)):
      guard count > 0 else { throw Self.fault("the worker sent text of more pages than asked for") }
      if case .success(let text) = text, (text.styles != nil) != hasStyles {
        throw Self.fault("the worker sent text of another kind than asked for")
      }
      rest = .texts(count - 1, hasStyles: hasStyles)
    case (.done, .texts(let count, _)):
      guard count == 0 else { throw Self.fault("the worker left out the text of a page") }
      rest = .nothing
    case (.done, .pieces(let count, _, _, _)):
      guard count == 0 else { throw Self.fault("the worker left out a picture") }
      rest = .nothing
    case (.done, .pictures(let sizes, _)):
      guard sizes.isEmpty else { throw Self.fault("the worker left out a picture") }
      rest = .nothing
    default:
      throw Self.fault("the worker's reply is no answer to the request")
    }
  }

  private static func fault(_ words: String) -> DocumentError {
    DocumentError(.fault, during: "", words)
  }
}

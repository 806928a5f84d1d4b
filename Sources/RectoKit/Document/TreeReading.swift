internal import DocumentModel
internal import Geometry
internal import PDFStructure
internal import SystemPackage

/// Reads a document's page tree without the engine, as long as that goes well.
///
/// The first "not mine" ends it for good, and the engine answers everything from then on. Confined
/// to the document that owns it.
final class TreeReading {
  private let file: FileDescriptor
  private var limits = ReaderLimits.standard
  private var state: State
  private var windows: [DocumentSubset] = []

  private enum State {
    case unopened
    case reading(PageTreeReader)
    case refused(String)
  }

  /// Pages in the first window: those that somebody looks at, without a wait for others.
  private static let pagesInFirstWindow = 4
  /// Pages in a further window: enough that a reader who goes on scrolling stays inside.
  private static let pagesPerWindow = 16
  /// Pages in a window that goes on where the last one ended: four times as many as in that one, up
  /// to this. Whoever draws one page after the other should seldom have to open the next window and
  /// load its fonts again.
  private static let largestWindow = 256
  /// Windows kept; each takes some kilobytes a page.
  private static let windowLimit = 16

  /// Reads from an open file.
  ///
  /// - Parameters:
  ///   - isUsed: whether to read at all; otherwise the engine answers everything.
  ///   - seconds: how long one question may take.
  init(_ file: FileDescriptor, isUsed: Bool, seconds: Double) {
    self.file = file
    limits.seconds = seconds
    state = isUsed ? .unopened : .refused("not asked for")
  }

  /// Why the engine reads the page tree; nil as long as it need not.
  var refusal: String? {
    if case .refused(let reason) = state { reason } else { nil }
  }

  /// Whether the reader has given up after it had answered: what it said before may be wrong as well.
  var hasFailedLate: Bool { refusal != nil && hasAnswered }
  private var hasAnswered = false

  /// Has the engine answer everything from now on.
  func refuse(_ reason: String) { state = .refused(reason) }

  /// Whether no answer rests on what the file says of pages that nobody has looked at.
  var isWalkedCompletely: Bool {
    if case .reading(let reader) = state { reader.isWalkedCompletely } else { false }
  }

  /// The pages that the document counts and does not have: none in front of them is missing. Nil as
  /// long as there are none, or it takes a walk through the tree to tell.
  var missingPages: Range<Int>? {
    guard case .reading(let reader) = state, let count = reader.walkedCount,
      count < reader.pageCount
    else { return nil }
    return count..<reader.pageCount
  }

  /// What the document says of itself; nil when the engine has to say it.
  func facts() -> DocumentInfo? {
    ask { reader throws(StructureError) in reader.documentInfo() }
  }

  /// Facts of consecutive pages, or that they are missing: fewer than asked for when the engine has
  /// to measure the rest.
  func pages(in range: Range<Int>) -> [Result<PageInfo, DocumentError>] {
    var results: [Result<PageInfo, DocumentError>] = []
    results.reserveCapacity(range.count)
    // In portions, so that a page which cannot be read costs only what is read with it.
    for first in stride(from: range.lowerBound, to: range.upperBound, by: Self.pagesAtOnce) {
      let portion = first..<min(first + Self.pagesAtOnce, range.upperBound)
      guard let pages = pages(inPortion: portion) else { break }
      results += pages
    }
    return results
  }

  private static let pagesAtOnce = 1024

  private func pages(inPortion range: Range<Int>) -> [Result<PageInfo, DocumentError>]? {
    ask { reader throws(StructureError) in
      var results: [Result<PageInfo, DocumentError>] = []
      results.reserveCapacity(range.count)
      for (index, node) in zip(range, try reader.pages(in: range)) {
        if var facts = node?.facts {
          facts.label = try reader.label(of: index)
          results.append(.success(facts))
        } else {
          results.append(.failure(.missingPage))
        }
      }
      return results
    }
  }

  /// A window that holds the page; nil when the engine has to find it.
  func window(around index: Int) -> DocumentSubset? {
    if let window = windows.first(where: { $0.contains(index) }) { return window }
    let range = windowRange(around: index)
    let made = ask { reader throws(StructureError) in
      var pages: [DocumentSubset.Page] = []
      for index in range.clamped(to: 0..<reader.pageCount) {
        guard let facts = try reader.page(at: index)?.facts else { continue }
        pages.append(
          DocumentSubset.Page(
            index: index,
            cropBox: facts.cropBox,
            rotation: facts.rotation ?? .none
          )
        )
      }
      return DocumentSubset(pages: pages, pieces: try reader.subset(of: pages.map(\.index)))
    }
    guard let made, made.contains(index) else { return nil }
    if windows.count == Self.windowLimit { windows.removeFirst() }
    windows.append(made)
    return made
  }

  private func windowRange(around index: Int) -> Range<Int> {
    if let last = windows.last, last.pages.last?.index == index - 1 {
      return index..<(index + min(last.pages.count * 4, Self.largestWindow))
    }
    let count = windows.isEmpty ? Self.pagesInFirstWindow : Self.pagesPerWindow
    let first = index / count * count
    return first..<(first + count)
  }

  private func ask<Answer>(_ question: (PageTreeReader) throws(StructureError) -> Answer) -> Answer?
  {
    do throws(StructureError) {
      let reader: PageTreeReader
      switch state {
      case .refused: return nil
      case .reading(let opened): reader = opened
      case .unopened:
        reader = try PageTreeReader(descriptor: file.rawValue, limits: limits)
        try reader.checkCrossReference()
        state = .reading(reader)
      }
      let answer = try question(reader)
      hasAnswered = true
      return answer
    } catch {
      state = .refused(error.description)
      return nil
    }
  }
}

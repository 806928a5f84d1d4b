internal import DocumentModel
internal import DocumentText
internal import PageLayout
internal import RectoBase
internal import RectoGeometry
internal import RectoKit
internal import SystemPackage

/// Prints hits as they are found.
struct SearchReport: PartialReport {
  var parts: PartReport
  var hasFound: Bool { hits > 0 }
  private let options: SearchOptions
  private var hits = 0

  /// A report about pages of a document.
  init(path: FilePath, _ options: SearchOptions, _ messages: MessagePrinter) {
    self.options = options
    parts = PartReport(path: path, isJSON: options.json, messages)
  }

  /// Whether no further pages are needed: enough hits have been printed, or standard output cannot be written.
  var isOver: Bool { isFull || parts.isOver }

  private var isFull: Bool { options.maxCount.map { hits >= $0 } ?? false }

  /// Prints the hits on a page, or its error.
  mutating func write(_ page: SearchedPage) {
    guard parts.take(), !isFull else { return }
    do throws(DocumentError) {
      let found = try page.hits.get()
      let wanted = found.prefix(options.maxCount.map { $0 - hits } ?? .max)
      guard !wanted.isEmpty else { return }
      let place = try parts.places?.page(page.pages.lowerBound)
      hits += wanted.count
      guard parts.isJSON else { return parts.print(text(page.pages.lowerBound, wanted)) }
      parts.print { object in
        object.member("page", page.pages.lowerBound.number)
        object.frame(place)
        object.hits(wanted, ContentPlace(place))
      }
    } catch {
      parts.fail(page.pages, error)
    }
  }

  private func text(_ page: PageIndex, _ hits: ArraySlice<TextHit>) -> [UInt8] {
    var bytes: [UInt8] = []
    for hit in hits {
      bytes.append(contentsOf: "\(page.number): ".utf8)
      let snippet = hit.snippet
      let line = snippet.before + snippet.match + snippet.after
      bytes.append(contentsOf: line.escapingControls.utf8)
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }
}

extension JSONWriter {
  /// Writes hits on a page.
  ///
  /// - Parameters:
  ///   - place: The place of the page; nil omits areas.
  mutating func hits(_ hits: some Sequence<TextHit>, _ place: ContentPlace?) {
    array("hits") { array in
      for hit in hits {
        array.object { object in
          object.member("start", hit.scalars.lowerBound)
          object.member("count", hit.scalars.count)
          let snippet = hit.snippet
          object.member("before", snippet.before)
          object.member("match", snippet.match)
          object.member("after", snippet.after)
          if let place { object.areas(hit.areas, place) }
        }
      }
    }
  }
}

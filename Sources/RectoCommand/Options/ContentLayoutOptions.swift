internal import ArgumentParser
internal import DocumentModel
internal import PageLayout
internal import RectoBase
internal import RectoGeometry
internal import RectoKit
internal import SystemPackage

/// The layout in whose content coordinates boxes are printed.
struct ContentLayoutOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      With --json: print boxes in content coordinates of a layout and not in points of the page. The \
      options of recto layout, in one argument: "--mode grid --columns 3".
      """,
      valueName: "options"
    )
  )
  var layout: String?

  @Option(
    help: ArgumentHelp(
      "With --layout: size of the viewport in layout units. (default: 1280x800)",
      valueName: "WxH"
    ),
    reading: .size
  )
  var viewport: Extent?

  /// Which of the options are given; equal options give equal text.
  var optionText: String {
    layout.map { " layout \($0) \(viewport.map { "\($0.size)" } ?? "")" } ?? ""
  }

  /// Checks the options.
  ///
  /// - Throws: A validation error for layout options that cannot be used.
  func validate() throws {
    guard let layout else {
      if viewport != nil { throw ValidationError("--viewport needs --layout") }
      return
    }
    do {
      _ = try LayoutOptions.parse([]).changed(byTyped: layout)
    } catch {
      throw ValidationError("--layout: \(ParserMessage(LayoutOptions.message(for: error)).line)")
    }
  }

  /// Checks that JSON is printed if there is a layout.
  ///
  /// - Parameter hint: What may have been meant.
  /// - Throws: A validation error if it is not.
  func requireJSON(_ json: Bool, else hint: String = "") throws {
    if layout != nil, !json { throw ValidationError("--layout needs --json\(hint)") }
  }

  /// The layout of a document, with all pages measured; nil without the option.
  ///
  /// - Throws: A failure if the document cannot be opened or the options do not fit it.
  func places(in document: Document) async throws(Failure) -> ContentPlaces? {
    guard let typed = layout else { return nil }
    let path = document.path
    do {
      let info = try await document.info()
      try info.requirePages()
      let options = try await LayoutOptions.parse([]).changed(byTyped: typed)
        .resolvingLabels(in: document, path: path)
      var layout = try DocumentLayout(
        document,
        configuration: try options.configuration(for: info, path: path),
        pages: try options.sequence(for: info, path: path),
        viewport: viewport?.size ?? Size(width: 1280, height: 800)
      )
      try await layout.measureAll()
      return ContentPlaces(layout: layout.layout)
    } catch let error as Failure {
      throw error
    } catch let error as LayoutError {
      throw Failure(error)
    } catch let error as DocumentError {
      throw Failure(error, path: path)
    } catch {
      throw Failure(
        usage: "--layout: \(ParserMessage(LayoutOptions.message(for: error)).line)",
        path: path
      )
    }
  }
}

/// Converts boxes of pages to content coordinates of a layout.
struct ContentPlaces {
  /// The layout.
  let layout: Layout

  /// A page in the content.
  ///
  /// - Throws: `usage` if the layout does not show the page.
  func page(_ page: PageIndex) throws(DocumentError) -> LaidOutPage {
    guard let found = layout.page(page) else {
      throw DocumentError(.usage, during: "", "--layout does not show the page")
    }
    return found
  }
}

extension JSONWriter {
  /// Writes the frame of a page, if there is a layout.
  mutating func frame(_ page: LaidOutPage?) {
    if let page { rect("frame", page.frame) }
  }
}

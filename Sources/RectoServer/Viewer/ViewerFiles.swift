internal import CPageLayoutModule

/// A file of the viewer.
package struct ViewerFile: Sendable {
  /// Its content.
  package let bytes: [UInt8]
  /// Its media type.
  package let mediaType: String
  /// A name of its content.
  package let tag: String
  /// Whether the content is compressed with gzip.
  package let isCompressed: Bool

  fileprivate init(_ name: String, _ bytes: [UInt8], isCompressed: Bool = false) {
    self.bytes = bytes
    self.isCompressed = isCompressed
    mediaType =
      if name.hasSuffix(".html") {
        "text/html; charset=utf-8"
      } else if name.hasSuffix(".css") {
        "text/css; charset=utf-8"
      } else if name.hasSuffix(".svg") {
        "image/svg+xml"
      } else if name.hasSuffix(".wasm") {
        "application/wasm"
      } else {
        "text/javascript; charset=utf-8"
      }
    // FNV-1a: the files are our own.
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
    tag = String(digest, radix: 16)
  }
}

/// The files of the viewer, embedded in the executable.
package enum ViewerFiles {
  /// The file with a name; nil if there is none.
  package static func file(named name: String) -> ViewerFile? { files[name] }

  /// The names of all files.
  package static var names: [String] { files.keys.sorted() }

  private static let files = {
    var files = Dictionary(uniqueKeysWithValues: contents.map { ($0.0, ViewerFile($0.0, $0.1)) })
    var count = 0
    let bytes = Array(UnsafeBufferPointer(start: page_layout_module(&count), count: count))
    // Without it there is an empty file: a browser reports one that is missing.
    files["pagelayout.wasm"] = ViewerFile("pagelayout.wasm", bytes, isCompressed: count > 0)
    return files
  }()

  private static let contents: [(String, [UInt8])] = [
    ("addresses.js", PackageResources.addresses_js),
    ("coarse.js", PackageResources.coarse_js),
    ("connection.js", PackageResources.connection_js),
    ("embedding.js", PackageResources.embedding_js),
    ("expected.js", PackageResources.expected_js),
    ("fetching.js", PackageResources.fetching_js),
    ("foundtext.js", PackageResources.foundtext_js),
    ("fragment.js", PackageResources.fragment_js),
    ("gestures.js", PackageResources.gestures_js),
    ("icon.svg", PackageResources.icon_svg),
    ("icons.js", PackageResources.icons_js),
    ("index.html", PackageResources.index_html),
    ("kept.js", PackageResources.kept_js),
    ("keptdocument.js", PackageResources.keptdocument_js),
    ("keys.js", PackageResources.keys_js),
    ("locallayout.js", PackageResources.locallayout_js),
    ("library.css", PackageResources.library_css),
    ("library.html", PackageResources.library_html),
    ("library.js", PackageResources.library_js),
    ("librarysearch.js", PackageResources.librarysearch_js),
    ("main.js", PackageResources.main_js),
    ("memory.js", PackageResources.memory_js),
    ("names.js", PackageResources.names_js),
    ("notes.js", PackageResources.notes_js),
    ("outline.js", PackageResources.outline_js),
    ("outlinetree.js", PackageResources.outlinetree_js),
    ("overlays.js", PackageResources.overlays_js),
    ("pagelayout.js", PackageResources.pagelayout_js),
    ("pages.js", PackageResources.pages_js),
    ("pagesizes.js", PackageResources.pagesizes_js),
    ("pageturn.js", PackageResources.pageturn_js),
    ("places.js", PackageResources.places_js),
    ("presentation.js", PackageResources.presentation_js),
    ("printing.js", PackageResources.printing_js),
    ("quads.js", PackageResources.quads_js),
    ("reading.js", PackageResources.reading_js),
    ("recto-viewer.js", PackageResources.recto_viewer_js),
    ("refusal.js", PackageResources.refusal_js),
    ("rows.js", PackageResources.rows_js),
    ("scrollbar.js", PackageResources.scrollbar_js),
    ("search.js", PackageResources.search_js),
    ("service.js", PackageResources.service_js),
    ("sidebar.js", PackageResources.sidebar_js),
    ("stage.js", PackageResources.stage_js),
    ("strings.js", PackageResources.strings_js),
    ("strip.js", PackageResources.strip_js),
    ("toolbar.css", PackageResources.toolbar_css),
    ("toolbar.js", PackageResources.toolbar_js),
    ("viewer.css", PackageResources.viewer_css),
    ("zoom.js", PackageResources.zoom_js),
    ("zooming.js", PackageResources.zooming_js),
  ]
}

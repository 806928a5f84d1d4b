internal import DocumentModel
internal import RectoBase
internal import RectoGeometry
internal import RectoKit

/// The manifest of a document (Presentation API 3.0, 5.2).
struct Manifest {
  let json: [UInt8]

  /// The manifest of a document; measures its pages. A page that cannot be measured gets the size of the first one:
  /// viewers show its error.
  ///
  /// - Parameters:
  ///   - pixels: The most pixels of an image.
  /// - Throws: `DocumentError` if it cannot be read.
  init(
    _ entry: ServedLibrary.Entry,
    _ open: OpenDocument,
    base: String,
    pixels: Int
  ) async throws(DocumentError) {
    let pages = Range(pageCount: open.info.pageCount)
    let known = try await open.document.measure([pages])
    let labels = try await open.document.labels(of: Array(pages))
    let outline = try await open.document.outline()
    let uri = "\(base)/iiif/presentation/3/\(entry.id)"
    var writer = JSONWriter()
    var usual: PageImage?
    writer.object { object in
      object.member("@context", "http://iiif.io/api/presentation/3/context.json")
      object.member("id", "\(uri)/manifest")
      object.member("type", "Manifest")
      object.label(open.info.title ?? entry.name)
      object.member("viewingDirection", open.info.isRightToLeft ? "right-to-left" : "left-to-right")
      object.array("behavior") { $0.value(open.info.isPaged ? "paged" : "individuals") }
      object.array("thumbnail") { array in
        array.object { object in
          object.member("id", "\(base)/iiif/3/\(entry.id);1/full/!256,256/0/default.jpg")
          object.member("type", "Image")
          object.member("format", "image/jpeg")
          object.service("\(base)/iiif/3/\(entry.id);1")
        }
      }
      object.array("service") { array in
        array.object { object in
          object.member("id", "\(base)/iiif/search/2/\(entry.id)")
          object.member("type", "SearchService2")
        }
      }
      object.array("homepage") { array in
        array.object { object in
          object.member("id", "\(base)/view/\(entry.id)")
          object.member("type", "Text")
          object.label(open.info.title ?? entry.name)
          object.member("format", "text/html")
        }
      }
      object.array("items") { array in
        for page in pages {
          let info = known.info(of: page)
          let image = info.flatMap { try? PageImage(page, $0, pixels: pixels) }
          usual = usual ?? image
          let size = image?.size ?? usual?.size ?? PixelSize(width: 2550, height: 3300)
          array.canvas(page, labels[page], size, of: entry.id, uri, base)
        }
      }
      var ranges = OutlineRanges(uri: uri)
      let items = outline.items.filter(\.leadsToPage)
      if !items.isEmpty {
        object.array("structures") { array in
          array.object { ranges.write(title: open.info.title ?? entry.name, items, to: &$0) }
        }
      }
    }
    json = writer.bytes
  }
}

/// The outline as ranges of canvases.
private struct OutlineRanges {
  let uri: String
  private var count = 0

  init(uri: String) { self.uri = uri }

  /// Writes a range with those below it.
  mutating func write(
    title: String,
    page: PageIndex? = nil,
    _ items: [OutlineItem],
    to object: inout JSONWriter
  ) {
    object.member("id", "\(uri)/range/\(count)")
    count += 1
    object.member("type", "Range")
    object.label(title)
    object.array("items") { array in
      if let page {
        array.object { object in
          object.member("id", "\(uri)/canvas/\(page.number)")
          object.member("type", "Canvas")
        }
      }
      // A range without items is not allowed.
      for item in items where item.leadsToPage {
        array.object { write(title: item.title, page: item.target?.page, item.children, to: &$0) }
      }
    }
  }
}

extension OutlineItem {
  /// Whether the item or a descendant leads to a page of the document.
  fileprivate var leadsToPage: Bool {
    target?.page != nil || children.contains(where: \.leadsToPage)
  }
}

extension DocumentInfo {
  /// Whether the file requests pages side by side.
  fileprivate var isPaged: Bool {
    switch pageLayout {
    case .twoColumnLeft, .twoColumnRight, .twoPageLeft, .twoPageRight: true
    case .singlePage, .oneColumn, nil: false
    }
  }
}

extension JSONWriter {
  /// Writes the canvas of a page, with its image.
  fileprivate mutating func canvas(
    _ page: PageIndex,
    _ label: String?,
    _ size: PixelSize,
    of document: String,
    _ uri: String,
    _ base: String
  ) {
    let canvas = "\(uri)/canvas/\(page.number)"
    let image = "\(base)/iiif/3/\(document);\(page.number)"
    object { object in
      object.member("id", canvas)
      object.member("type", "Canvas")
      object.label(label ?? String(page.number))
      object.size(size)
      object.array("items") { array in
        array.object { object in
          object.member("id", "\(canvas)/page")
          object.member("type", "AnnotationPage")
          object.array("items") { array in
            array.object { object in
              object.member("id", "\(canvas)/annotation")
              object.member("type", "Annotation")
              object.member("motivation", "painting")
              object.object("body") { body in
                body.member("id", "\(image)/full/max/0/default.jpg")
                body.member("type", "Image")
                body.member("format", "image/jpeg")
                body.size(size)
                body.service(image)
              }
              object.member("target", canvas)
            }
          }
        }
      }
    }
  }

  private mutating func size(_ size: PixelSize) {
    member("width", size.width)
    member("height", size.height)
  }

  /// Writes the image service of a page.
  fileprivate mutating func service(_ image: String) {
    array("service") { array in
      array.object { object in
        object.member("id", image)
        object.member("type", "ImageService3")
        object.member("profile", "level2")
      }
    }
  }
}

internal import ArgumentParser
internal import DocumentModel
internal import PageLayout
internal import RectoGeometry
internal import RectoKit

/// What `recto info` lists of a document besides its pages.
struct InfoListOptions: ParsableArguments {
  @Flag(help: "List the layers, with their state on the screen and in print.")
  var layers = false

  @Flag(help: "List the fonts in the resources of the pages.")
  var fonts = false

  @Flag(help: "List the images in the resources of the pages.")
  var images = false

  @Flag(help: "List the named destinations.")
  var destinations = false

  @Flag(help: "List the annotations that have a text or a file.")
  var annotations = false

  @Flag(help: "List the files that the document contains.")
  var attachments = false

  @Flag(
    help: """
      Print the XMP metadata as they are in the file, and nothing else; with --json as a member.
      """
  )
  var metadata = false

  /// Which of the options are given; equal options give equal text.
  var optionText: String {
    String(flags: [
      "layers": layers, "fonts": fonts, "images": images, "destinations": destinations,
      "annotations": annotations, "attachments": attachments, "metadata": metadata,
    ])
  }

  /// Checks the options against each other.
  ///
  /// - Throws: A validation error for a list beside metadata that are printed alone.
  func validate(isJSON: Bool) throws {
    guard metadata, !isJSON else { return }
    for (isSet, name) in [
      (layers, "layers"), (fonts, "fonts"), (images, "images"), (destinations, "destinations"),
      (annotations, "annotations"), (attachments, "attachments"),
    ] where isSet {
      throw ValidationError("--metadata cannot be used with --\(name) except with --json")
    }
  }

  /// Reads the lists.
  ///
  /// - Parameter pages: The pages whose fonts, images and annotations are listed.
  /// - Throws: `usage` when only poppler can read the document, `damaged` for a list that cannot be read, `cancelled`.
  func read(
    from document: Document,
    pages: PageSequence
  ) async throws(DocumentError) -> InfoLists {
    var lists = InfoLists()
    if layers { lists.layers = try await document.layers() }
    if destinations {
      let found = try await document.destinations()
      lists.destinations = found
      lists.labels = try await document.labels(of: found.compactMap(\.place?.page))
    }
    if metadata { lists.metadata = try await document.metadata() ?? [] }
    if attachments { lists.attachments = try await document.attachments() }
    if annotations { try await readAnnotations(of: pages, in: document, into: &lists) }
    guard fonts || images else { return lists }
    let resources = try await document.resources(of: pages)
    if fonts { lists.fonts = resources.fonts }
    if images { lists.images = resources.images }
    lists.failing += resources.failing
    return lists
  }

  private func readAnnotations(
    of pages: PageSequence,
    in document: Document,
    into lists: inout InfoLists
  ) async throws(DocumentError) {
    var found: [PageAnnotation] = []
    var bytes = 0
    for page in pages.pageRanges.joined() {
      if Task.isCancelled { throw DocumentError.cancelled.during("read the annotations") }
      do throws(DocumentError) {
        let annotations = try await document.annotations(of: page)
        bytes += annotations.reduce(0) { $0 + $1.byteCount }
        found += annotations
      } catch {
        guard error.code != .usage else { throw error }
        lists.failing.append(.init(pages: Range(only: page), error: error))
      }
      guard bytes <= InfoLists.mostAnnotationBytes else {
        let limit =
          "those up to page \(page.number) take more than 64 MiB; --pages lists fewer pages"
        throw DocumentError(.usage, during: "list the annotations", limit)
      }
    }
    lists.annotations = found
  }
}

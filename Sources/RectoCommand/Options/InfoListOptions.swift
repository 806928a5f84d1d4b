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
      "metadata": metadata,
    ])
  }

  /// Checks the options against each other.
  ///
  /// - Throws: A validation error for a list beside metadata that are printed alone.
  func validate(isJSON: Bool) throws {
    guard metadata, !isJSON else { return }
    for (isSet, name) in [
      (layers, "layers"), (fonts, "fonts"), (images, "images"), (destinations, "destinations"),
    ] where isSet {
      throw ValidationError("--metadata cannot be used with --\(name) except with --json")
    }
  }

  /// Reads the lists.
  ///
  /// - Parameter pages: The pages whose fonts and images are listed.
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
    guard fonts || images else { return lists }
    let resources = try await document.resources(of: pages)
    if fonts { lists.fonts = resources.fonts }
    if images { lists.images = resources.images }
    lists.failing = resources.failing
    return lists
  }
}

internal import DocumentModel
internal import RectoKit
internal import SystemPackage

extension LayoutOptions {
  /// The options with pages of a document in place of labels.
  ///
  /// Keeps labels that no page has; their options are refused later, by name.
  ///
  /// - Throws: A failure if the document cannot be opened.
  func resolvingLabels(
    in document: Document,
    path: FilePath
  ) async throws(Failure) -> LayoutOptions {
    /// A list with pages in place of labels.
    func resolved(_ list: PageList?) async throws(DocumentError) -> PageList? {
      guard let list, list.hasLabels else { return list }
      return try await document.resolving(list)
    }
    var options = self
    do throws(DocumentError) {
      options.pages = try await resolved(pages)
      options.arrangement.alone = try await resolved(arrangement.alone)
      options.arrangement.together = try await resolved(arrangement.together)
      options.arrangement.sections = try await resolved(arrangement.sections)
      options.arrangement.sticky = try await resolved(arrangement.sticky)
      for index in spacing.gapBefore.indices where spacing.gapBefore[index].pages.hasLabels {
        let pages = spacing.gapBefore[index].pages
        options.spacing.gapBefore[index].pages = try await document.resolving(pages)
      }
      for index in spacing.pageMargin.indices where spacing.pageMargin[index].pages.hasLabels {
        let pages = spacing.pageMargin[index].pages
        options.spacing.pageMargin[index].pages = try await document.resolving(pages)
      }
    } catch {
      throw Failure(error, path: path)
    }
    return options
  }
}

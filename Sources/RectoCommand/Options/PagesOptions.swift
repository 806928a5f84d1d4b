internal import ArgumentParser
package import RectoKit

/// The pages of a document: an argument after the file, or `--pages`.
struct PagesOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Pages: \"1-10,20,z\", \"5-\", \"odd\", \"label:iv-label:x\". (default: all)",
      valueName: "pages"
    ),
    transform: { try ValueReader<PageList>.pages.read($0) }
  )
  var listed: PageList?

  @Option(help: ArgumentHelp("Another way to give <pages>.", valueName: "pages"), reading: .pages)
  var pages: PageList?

  /// The list; nil for none.
  var list: PageList? { pages ?? listed }

  /// Checks that the pages are given once.
  ///
  /// - Throws: A validation error if they are given twice.
  func validate() throws {
    if listed != nil, pages != nil {
      throw ValidationError("--pages cannot be used with <pages>: both name pages")
    }
  }
}

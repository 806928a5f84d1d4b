internal import ArgumentParser
internal import RectoKit

/// The pages of a document as an argument after the file.
struct ListedPages: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Pages: \"1-10,20,z\", \"5-\", \"odd\", \"label:iv-label:x\". (default: all)",
      valueName: "pages"
    ),
    transform: { try ValueReader<PageList>.pages.read($0) }
  )
  var list: PageList?

  /// The list, which is given here or with `--pages`; nil for none.
  ///
  /// - Throws: A validation error if it is given twice.
  func list(or option: PageList?) throws(ValidationError) -> PageList? {
    guard list == nil || option == nil else {
      throw ValidationError("--pages cannot be used with <pages>: both name pages")
    }
    return list ?? option
  }
}

/// The pages of a document: an argument after the file, or `--pages`.
struct PagesOptions: ParsableArguments {
  @OptionGroup var listed: ListedPages

  @Option(
    name: .customLong("pages"),
    help: ArgumentHelp("Another way to give <pages>.", valueName: "pages"),
    reading: .pages
  )
  var option: PageList?

  /// The list; nil for none.
  var list: PageList? { option ?? listed.list }

  /// The pages as text; equal lists give equal text.
  var optionText: String { list.map { " pages \(ThumbnailPages.list($0).text)" } ?? "" }

  /// Checks that the pages are given once.
  ///
  /// - Throws: A validation error if they are given twice.
  func validate() throws { _ = try listed.list(or: option) }
}

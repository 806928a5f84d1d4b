internal import DocumentModel
internal import RectoBase
internal import RectoKit
internal import SystemPackage

/// The destination of `recto pages`.
enum PageDestination {
  /// Standard output, for one page.
  case standardOutput
  /// A file for each page.
  case files(FileTemplate)

  /// The destination that `argument` names: `-`, a directory, or a template.
  ///
  /// - Parameters:
  ///   - argument: The argument of the option; nil for files in the current directory.
  ///   - hasExtension: Whether default names have the extension of a format.
  /// - Throws: A usage failure for an invalid template, or for the document itself.
  init(
    _ argument: String?,
    of document: DocumentInput,
    hasExtension: Bool = true
  ) throws(Failure) {
    guard let argument else {
      self = .files(FileTemplate(hasExtension: hasExtension))
      return
    }
    let path = FilePath(argument: argument)
    if argument.hasSuffix("/") || (try? Files.status(of: path))?.type == .directory {
      self = .files(FileTemplate(in: path, hasExtension: hasExtension))
      return
    }
    guard !(path.lastComponent?.string.contains(/%[0-9]*d(?![A-Za-z])/) ?? false) else {
      throw Failure(
        usage: "%d is no placeholder; write {page}, or {page:03} for three digits",
        option: OptionName("output")
      )
    }
    if try PictureOutput(argument, of: document, style: .tile).isStandardOutput {
      self = .standardOutput
      return
    }
    do {
      self = .files(try FileTemplate(path))
    } catch {
      throw Failure(usage: error.description, option: OptionName("output"))
    }
  }
}

extension Failure {
  /// Why pages are not exported.
  init(_ error: PageExportError, path: FilePath) {
    switch error {
    case .document(let error): self.init(error, path: path)
    case .page(let page, let error): self.init(error, path: path, page: page)
    case .pages(let error): self.init(error, path: path)
    case .template(let error):
      self.init(usage: error.description, option: OptionName("output"))
    case .severalPages(let count):
      self.init(
        usage: "standard output takes one page; \(count) are selected",
        option: OptionName("output")
      )
    case .output(let error): self.init(output: error)
    }
  }
}

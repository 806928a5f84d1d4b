internal import ArgumentParser
internal import DocumentModel
internal import RectoBase
internal import RectoKit
internal import SystemPackage

/// The destination of `recto pages`.
enum PageDestination {
  /// Standard output, for one page, or for several in a format that can be streamed.
  case standardOutput
  /// A file for each page, or an object of a store.
  case files(FileTemplate, StoreFolder?)

  /// The destination that `argument` names: `-`, a directory, a prefix of a store, or a template.
  ///
  /// - Parameters:
  ///   - argument: The argument of the option; nil for files in the current directory.
  ///   - hasExtension: Whether default names have the extension of a format.
  ///   - remote: How stores are asked.
  /// - Throws: A usage failure for an invalid template, or for the document itself; a failure if the settings of a store
  ///   cannot be read.
  init(
    _ argument: String?,
    of document: DocumentInput,
    hasExtension: Bool = true,
    _ remote: RemoteOptions
  ) throws(Failure) {
    let usual = FileTemplate(hasExtension: hasExtension)
    guard let argument else {
      self = .files(usual, nil)
      return
    }
    if let store = try Self.store(argument, remote) {
      do throws(FileTemplateError) {
        let template = try store.template.map { (path) throws(FileTemplateError) in
          try FileTemplate(path)
        }
        self = .files(template ?? usual, store.folder)
      } catch {
        throw Failure(usage: error.description, option: OptionName("output"))
      }
      return
    }
    let path = FilePath(argument: argument)
    if argument.hasSuffix("/") || (try? Files.status(of: path))?.type == .directory {
      self = .files(FileTemplate(in: path, hasExtension: hasExtension), nil)
      return
    }
    try Self.refuseFormat(path)
    if try PictureOutput(argument, of: document, style: .tile).isStandardOutput {
      self = .standardOutput
      return
    }
    do {
      self = .files(try FileTemplate(path), nil)
    } catch {
      throw Failure(usage: error.description, option: OptionName("output"))
    }
  }

  /// The prefix of a store, and the path of the keys below it, that an argument names; nil for one on this machine.
  private static func store(
    _ argument: String?,
    _ remote: RemoteOptions
  ) throws(Failure) -> (folder: StoreFolder, template: FilePath?)? {
    let output = try Failure.usage { () throws(ValidationError) in try StoreOutput(argument) }
    guard let output,
      let folder = StoreFolder(output.address, try remote.access(to: output.address))
    else { return nil }
    return (folder, output.template)
  }

  /// The files for pages of many documents, or the objects of a store.
  ///
  /// - Parameters:
  ///   - argument: The argument of the option; nil for files in the current directory.
  ///   - remote: How stores are asked.
  /// - Throws: A usage failure for an invalid template, and for one that gives several pages one path; a failure if the
  ///   settings of a store cannot be read.
  static func ofMany(
    _ argument: String?,
    _ style: PictureStyle,
    _ remote: RemoteOptions
  ) throws(Failure) -> (FileTemplate, StoreFolder?) {
    if let store = try store(argument, remote) {
      let template = try store.template.map { (path) throws(Failure) in try ofMany(path, style) }
      return (template ?? FileTemplate(below: FilePath()), store.folder)
    }
    let path = FilePath(argument: argument ?? "")
    let isFolder =
      argument?.hasSuffix("/") ?? true || (try? Files.status(of: path))?.type == .directory
    guard !isFolder else { return (FileTemplate(below: path), nil) }
    return (try ofMany(path, style), nil)
  }

  private static func ofMany(
    _ path: FilePath,
    _ style: PictureStyle
  ) throws(Failure) -> FileTemplate {
    try refuseFormat(path)
    do throws(FileTemplateError) {
      let template = try FileTemplate(path, isForThumbnails: true)
      guard !template.hasSize else {
        throw FileTemplateError.unknownPlaceholder("size", isForThumbnails: false)
      }
      try template.requireThumbnails(hasPages: !style.format.hasPages, hasSizes: false)
      return template
    } catch {
      throw Failure(usage: error.description, option: OptionName("output"))
    }
  }

  /// Refuses a number as in C.
  ///
  /// - Throws: A usage failure.
  private static func refuseFormat(_ path: FilePath) throws(Failure) {
    guard !(path.lastComponent?.string.contains(/%[0-9]*d(?![A-Za-z])/) ?? false) else {
      throw Failure(
        usage: "%d is no placeholder; write {page}, or {page:03} for three digits",
        option: OptionName("output")
      )
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
        usage: """
          standard output takes one page, or several as pdf, tiff or ppm; \(count) are selected
          """,
        option: OptionName("output")
      )
    case .output(let error): self.init(output: error)
    }
  }
}

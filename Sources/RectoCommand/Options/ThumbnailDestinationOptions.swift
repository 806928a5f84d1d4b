internal import ArgumentParser
internal import DocumentModel
internal import RectoBase
internal import RectoKit
internal import SystemPackage

/// Where the thumbnails of `recto thumbs` go, and how large they are.
struct ThumbnailDestinationOptions: ParsableArguments {
  @Option(
    name: [.customShort("o", allowingJoined: true), .long],
    help: ArgumentHelp(
      """
      Directory for the thumbnails, or s3://BUCKET/PREFIX/; or with placeholders the path of each: \
      {dir}, {stem}, {hash}, {page}, {label}, {size}, {ext}.
      """,
      valueName: "template"
    ),
    completion: .directory
  )
  var output: String?

  @Option(
    help: ArgumentHelp(
      """
      Length of the longer side in pixels, 1 to 4096; several with commas, of which only the largest is \
      drawn. (default: 256, with --freedesktop 128,256,512,1024)
      """,
      valueName: "pixels"
    ),
    reading: .thumbnailSizes
  )
  var size: ThumbnailSizes?

  @Flag(
    help: """
      Write the thumbnails that file managers show, in the user's cache directory. Those that are up to \
      date, and documents that failed, are left alone.
      """
  )
  var freedesktop = false

  @Flag(
    help: """
      Reduce the picture that a document has embedded for a page (/Thumb) instead of drawing the page, if \
      it is as large as --size and has the proportions of the page.
      """
  )
  var embedded = false

  /// The lengths of the longer side in pixels.
  var sizes: [Int] {
    size?.values ?? (freedesktop ? DesktopThumbnails.folders.map(\.key) : [256])
  }

  /// The output in a store; nil for files.
  ///
  /// - Throws: A validation error for one that cannot be written.
  func store() throws(ValidationError) -> StoreOutput? { try StoreOutput(output) }

  /// The path with placeholders; nil for a directory and a prefix.
  ///
  /// - Throws: A validation error for an output in a store that cannot be written.
  private func templatePath() throws(ValidationError) -> FilePath? {
    if let store = try store() { return store.template }
    guard let output, output.contains("{") || output.contains("}"), !output.hasSuffix("/")
    else { return nil }
    let path = FilePath(argument: output)
    return (try? Files.status(of: path))?.type == .directory ? nil : path
  }

  /// The style of the pictures, by `--format` or by the extension of a template.
  ///
  /// - Throws: A validation error for options without effect, and for a format that is not written.
  func style(_ pictures: PictureOptions) throws(ValidationError) -> PictureStyle {
    if freedesktop {
      if let option = pictures.firstGiven {
        throw ValidationError("--freedesktop cannot be used with \(option)")
      }
      return .desktopThumbnail
    }
    let path = try templatePath()
    let implied = path.map { PictureFormat(fileName: $0) ?? pictures.format } ?? .png
    let formats = PictureFormat.extensionsOfThumbnails
    guard let implied, pictures.format != nil || PictureFormat.ofThumbnails.contains(implied) else {
      throw ValidationError("--output: the format is to be \(formats), is \(output ?? "")")
    }
    let style = try pictures.style(implied)
    guard PictureFormat.ofThumbnails.contains(style.format) else {
      throw ValidationError("--format: must be that of \(formats), is \(style.format.rawValue)")
    }
    return style
  }

  /// Checks the options against each other.
  ///
  /// - Throws: A validation error for options that exclude each other, and for an invalid template.
  func check(_ pages: ThumbnailPages) throws(ValidationError) {
    if freedesktop {
      if output != nil { throw ValidationError("--freedesktop cannot be used with --output") }
      guard pages == .first else {
        throw ValidationError("--freedesktop cannot be used with --pages")
      }
      for size in sizes where !DesktopThumbnails.folders.contains(where: { $0.key == size }) {
        let all = DesktopThumbnails.folders.map { "\($0.key)" }.joined(separator: ", ")
        throw ValidationError("--size: with --freedesktop there are \(all), is \(size)")
      }
      return
    }
    guard let output else {
      throw ValidationError("missing expected argument '--output <template>'")
    }
    let path = FilePath(argument: output)
    let type = (try? Files.status(of: path))?.type
    if try template(pages) == nil, try store() == nil, type != .directory, !output.hasSuffix("/"),
      path.extension.flatMap({ PictureFormat(argument: $0.lowercased()) }) != nil
    {
      throw ValidationError(
        "--output: \(output) would be a directory; write {stem}.\(path.extension ?? "png") for files, "
          + "or / at the end for a directory"
      )
    }
  }

  /// The template; nil for a directory.
  ///
  /// - Returns: The template, which gives each thumbnail its own name.
  /// - Throws: A validation error for a template with ambiguous names.
  func template(_ pages: ThumbnailPages) throws(ValidationError) -> FileTemplate? {
    guard let path = try templatePath() else { return nil }
    do throws(FileTemplateError) {
      let template = try FileTemplate(path, isForThumbnails: true)
      try template.requireThumbnails(hasPages: pages != .first, hasSizes: Set(sizes).count > 1)
      return template
    } catch {
      throw ValidationError("--output: \(error)")
    }
  }

  /// Where the thumbnails go.
  ///
  /// - Parameter remote: How stores are asked.
  /// - Throws: A failure if there is no cache directory for `--freedesktop`, the template is invalid, or the settings of
  ///   a store cannot be read.
  func destination(
    _ pages: ThumbnailPages,
    _ remote: RemoteOptions
  ) throws(Failure) -> ThumbnailDestination {
    if freedesktop {
      guard let thumbnails = DesktopThumbnails.ofUser(program: Version.text) else {
        throw Failure(
          exitCode: .cannotCreate,
          code: "output",
          path: nil,
          message: CacheOptions.noDirectory
        )
      }
      return .desktop(thumbnails)
    }
    let template = try Failure.usage { () throws(ValidationError) in try self.template(pages) }
    let output = try Failure.usage { () throws(ValidationError) in try store() }
    if let output,
      let store = StoreFolder(
        output.address,
        try remote.access(to: output.address),
        template: template
      )
    {
      return .store(store)
    }
    return template.map { .template($0) } ?? .folder(FilePath(argument: self.output ?? ""))
  }
}

extension ThumbnailDestination {
  /// The directory or the prefix below which all files are.
  var folder: FilePath {
    switch self {
    case .store(let store): store.path
    case .folder(let folder): folder
    case .template(let template): template.fixedFolder
    case .desktop(let thumbnails): thumbnails.root
    }
  }

  /// Whether it is in a store.
  var isStore: Bool {
    if case .store = self { true } else { false }
  }
}

public import ArgumentParser
package import DocumentModel
internal import SystemPackage

/// How pictures are written.
struct PictureOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Format of pictures. (default: by the name of the file, else png)",
      valueName: "format"
    )
  )
  var format: PictureFormat?

  @Option(
    help: ArgumentHelp(
      "Quality of JPEG and WebP, 1 to 100. (default: 85 for JPEG, 80 for WebP)",
      valueName: "number"
    ),
    reading: .number(PictureStyle.qualities)
  )
  var quality: Int?

  @Flag(help: "Convert colors to gray.")
  var gray = false

  /// The style of pictures.
  ///
  /// - Parameters:
  ///   - implied: The format if there is no `--format`.
  ///   - isTransparent: Whether `--transparent` is given.
  /// - Throws: A validation error for options that are out of range or without effect.
  func style(
    _ implied: PictureFormat = .png,
    isTransparent: Bool = false
  ) throws(ValidationError) -> PictureStyle {
    do throws(PictureStyleError) {
      return try PictureStyle(
        format ?? implied,
        quality: quality,
        isGray: gray,
        isTransparent: isTransparent
      )
    } catch {
      throw ValidationError("\(error.option): \(error)")
    }
  }

  /// The first given option, with its dashes; nil if there is none.
  var firstGiven: String? {
    if format != nil { return "--format" }
    if quality != nil { return "--quality" }
    return gray ? "--gray" : nil
  }
}

extension PictureStyleError {
  /// The option that causes the error.
  fileprivate var option: String {
    switch self {
    case .quality, .qualityOfLossless: "--quality"
    case .transparency: "--transparent"
    }
  }
}

extension PictureFormat: ExpressibleByArgument {
  /// A format by its name or file extension.
  package init?(argument: String) {
    self.init(rawValue: argument == "jpg" ? "jpeg" : argument)
  }

  /// The format of a file by its extension, ignoring case. PNG for a name without extension, or with one that no
  /// picture format has, such as that of a temporary file. Nil for the extension of a format that is not written.
  init?(fileName path: FilePath) {
    guard let name = path.extension?.lowercased() else {
      self = .png
      return
    }
    guard !Self.otherExtensions.contains(name) else { return nil }
    self = PictureFormat(argument: name) ?? .png
  }

  /// Extensions of formats that are not written.
  private static let otherExtensions: Set = [
    "avif", "bmp", "eps", "gif", "heic", "heif", "jp2", "jxl", "pbm", "pdf", "pgm", "pnm",
    "ps", "svg", "tga", "tif", "tiff",
  ]
}

extension Failure {
  /// Evaluates validated options again.
  ///
  /// - Throws: What `body` throws, as a usage error.
  static func usage<Value>(
    _ body: () throws(ValidationError) -> Value
  ) throws(Failure) -> Value {
    do throws(ValidationError) {
      return try body()
    } catch {
      throw Failure(usage: error.message)
    }
  }
}

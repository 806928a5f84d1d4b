public import ArgumentParser
package import DocumentModel
internal import SystemPackage

/// How pictures are written.
struct PictureOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Format of pictures; thumbnails cannot be tiff, svg or pdf. (default: by the name of the file, \
      else png)
      """,
      valueName: "format"
    ),
    reading: .choice
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

  @Flag(help: "Convert colors to gray. Not for SVG and PDF.")
  var gray = false

  @Flag(help: "Only black and white pixels; CCITT Group 4 in TIFF. For PNG and TIFF.")
  var mono = false

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
        isBilevel: mono,
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
    return gray ? "--gray" : mono ? "--mono" : nil
  }
}

extension PictureStyleError {
  /// The option that causes the error.
  fileprivate var option: String {
    switch self {
    case .quality, .qualityOfLossless: "--quality"
    case .transparency: "--transparent"
    case .gray: "--gray"
    case .bilevel, .transparentBilevel: "--mono"
    }
  }
}

extension PictureFormat: ExpressibleByArgument {
  /// A format by its name or file extension.
  package init?(argument: String) {
    switch argument {
    case "jpg": self = .jpeg
    case "tif": self = .tiff
    default: self.init(rawValue: argument)
    }
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

  /// The extensions of the formats, for messages.
  static let extensions = list(allCases)
  /// The formats of thumbnails and contact sheets.
  static let ofThumbnails: [PictureFormat] = [.png, .jpeg, .webp, .ppm]
  /// The extensions of the formats of thumbnails, for messages.
  static let extensionsOfThumbnails = list(ofThumbnails)

  private static func list(_ formats: [PictureFormat]) -> String {
    let names = formats.map { ".\($0.fileExtension)" }
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }

  /// Extensions of formats that are not written.
  private static let otherExtensions: Set = [
    "avif", "bmp", "eps", "gif", "heic", "heif", "jp2", "jxl", "pbm", "pgm", "pnm", "ps", "tga",
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

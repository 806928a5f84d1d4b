internal import RectoKit

/// Hints in messages: what the options of other programs are called here.
enum Hints {
  /// The replacement for an option of pdftocairo, pdftoppm, pdftotext or mutool; nil for other options.
  static func hint(for option: Substring) -> String? {
    if let hint = options[String(option)] { return hint }
    // Values can be joined to these options: -r300.
    guard option.count > 2, option.dropFirst(2).allSatisfy(\.isNumber) else { return nil }
    return options[String(option.prefix(2))]
  }

  /// The replacement for an address; nil for a path.
  static func hint(forPath path: String) -> String? {
    if PageList(path) != nil { return "a list of pages is --pages" }
    // A path has one slash where there were several.
    if path.hasPrefix("file:/") { return "write it as a path, without file://" }
    if ["http:/", "https:/", "s3:/"].contains(where: path.hasPrefix) {
      return "an address cannot be used here: pipe the document in, as in 'curl … | recto … -'"
    }
    return nil
  }

  private static let options: [String: String] = {
    let pages = "pages are a list: 3-7"
    let size = "a size in pixels is --size"
    let crop = "a part of the page is --crop X,Y,W,H"
    let format = "the format follows from --output, or is --format"
    let password = "a password is --password, of either kind"
    let boxes = "text is in reading order; boxes of words are in --json"
    return [
      "-r": "pixels per inch are --dpi", "-f": pages, "-l": pages, "-p": password, "-upw": password,
      "-opw": password, "-png": format, "-jpeg": format, "-jpegcvt": format, "-tiff": format,
      "-svg": format, "-pdf": format, "-mono": "black and white is --mono", "-F": format,
      "-scale-to": size, "-scale-to-x": size,
      "-scale-to-y": size, "-w": size, "-x": crop, "-y": crop, "-W": crop, "-H": crop,
      "-R": "a rotation is --rotate", "-transp": "no paper under the page is --transparent",
      "-cropbox": "pages are their crop box; --box media is the whole sheet",
      "-hide-annotations": "no annotations are --annotations off",
      "-singlefile": "one page is one file without {page}", "-bbox": boxes,
      "-layout": "--aligned keeps columns as they stand",
      "-raw": boxes,
    ]
  }()
}

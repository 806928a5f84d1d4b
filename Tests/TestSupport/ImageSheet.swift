package import Foundation

/// A PDF of one square page on which the same image is drawn repeatedly, unscaled at 72 dpi: a
/// small file that needs much memory when all drawings are kept at once, and little when not.
package struct ImageSheet {
  private let folder: TemporaryFolder
  /// The file.
  package let file: URL

  /// Makes the file.
  ///
  /// - Parameters:
  ///   - count: How often the image is drawn.
  ///   - side: Of the image and of the page, in pixels and points; a multiple of 1024 or less than
  ///     it.
  /// - Throws: An error if the file cannot be written.
  package init(count: Int, side: Int) throws {
    folder = try TemporaryFolder()
    file = folder.url.appending(path: "images.pdf")
    // One bit for each pixel, all black, as runs of 128 bytes.
    let bytes = (side + 7) / 8 * side
    let runs = Data((0..<((bytes + 127) / 128)).flatMap { _ in [UInt8(129), 0] } + [128])
    let content = String(repeating: "q \(side) 0 0 \(side) 0 0 cm /I Do Q\n", count: count)
    var pdf = PDFFile()
    pdf.add("<</Type/Catalog/Pages 2 0 R>>")
    pdf.add("<</Type/Pages/Kids[3 0 R]/Count 1>>")
    pdf.add(
      "<</Type/Page/Parent 2 0 R/MediaBox[0 0 \(side) \(side)]/Contents 4 0 R"
        + "/Resources<</XObject<</I 5 0 R>>>>>>"
    )
    pdf.add("<</Length \(content.utf8.count)>>", stream: Data(content.utf8))
    pdf.add(
      "<</Type/XObject/Subtype/Image/Width \(side)/Height \(side)/ColorSpace/DeviceGray"
        + "/BitsPerComponent 1/Filter/RunLengthDecode/Length \(runs.count)>>",
      stream: runs
    )
    try pdf.finished().write(to: file)
  }
}

import ExampleArrangements
import Foundation
import RectoKit

/// Draws the first pages of a PDF in a custom arrangement:
/// `mosaic-picture book.pdf mosaic.png`.
@main struct MosaicPicture {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else {
      try FileHandle.standardError.write(contentsOf: Data("mosaic-picture FILE PICTURE\n".utf8))
      exit(64)
    }
    let document = try Document(FilePath(arguments[1]))
    var layout = try DocumentLayout(
      document,
      configuration: LayoutConfiguration(),
      arrangement: Mosaic(),
      pages: PageSequence(pageCount: try await document.info().pageCount),
      viewport: Size(width: 560, height: 420)
    )
    let window = try await layout.window(at: .offset(.zero), sizes: .estimated)
    let spreads = try await layout.spreads(in: window)
    let tiles = await layout.tiles(of: spreads, in: window, scale: 1, tileSide: 512)
    var picture = try WindowPicture(
      of: window,
      scale: 1,
      background: Color(rgb: 0xE8E8E8),
      hasShadow: true
    )
    try picture.add(spreads, tiles: tiles)
    try Data(picture.png()).write(to: URL(filePath: arguments[2]))
  }
}

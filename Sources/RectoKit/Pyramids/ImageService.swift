internal import DocumentModel
internal import RectoBase
internal import RectoGeometry
internal import SystemPackage

/// The files of a static image service: level 0 of the IIIF Image API 3.
enum ImageService {
  /// The tiles of a page, from the largest level down to the first level of a single tile.
  ///
  /// That tile can be requested as a region or as the whole image, so it has two paths.
  static func tiles(of page: PyramidPage, tileSize: Int) -> [PyramidPlan.PyramidTile] {
    (0...page.size.halvings(to: tileSize)).flatMap { halvings in
      let size = page.size.halved(halvings)
      let end = "/0/default.\(page.format.fileExtension)"
      return stride(from: 0, to: size.height, by: tileSize).flatMap { y in
        stride(from: 0, to: size.width, by: tileSize).map { x in
          let part = PixelRect(
            x: x,
            y: y,
            width: min(tileSize, size.width - x),
            height: min(tileSize, size.height - y)
          )
          let left = x << halvings
          let top = y << halvings
          let width = min(tileSize << halvings, page.size.width - left)
          let height = min(tileSize << halvings, page.size.height - top)
          let pixels = "\(part.width),\(part.height)"
          var names = ["\(left),\(top),\(width),\(height)/\(pixels)"]
          if part.size == size { names.append("full/\(pixels)") }
          if part.size == page.size { names.append("full/max") }
          return PyramidPlan.PyramidTile(
            part: ReducedPart(size: size, part: part),
            files: names.map { FilePath($0 + end) }
          )
        }
      }
    }
  }

  /// The text of `info.json`.
  ///
  /// - Parameters:
  ///   - base: The base URI of the page's identifier.
  static func descriptor(of page: PyramidPage, base: String, tileSize: Int) -> String {
    let halvings = page.size.halvings(to: tileSize)
    let factors = (0...halvings).map { String(1 << $0) }.joined(separator: ", ")
    let whole = page.size.halved(halvings)
    let name = page.format.fileExtension
    let formats =
      page.format == .jpeg
      ? "" : "\n  \"extraFormats\": [\"\(name)\"],\n  \"preferredFormats\": [\"\(name)\"],"
    return """
      {
        "@context": "http://iiif.io/api/image/3/context.json",
        "id": "\(identifier(page.name, base))",
        "type": "ImageService3",
        "protocol": "http://iiif.io/api/image",
        "profile": "level0",
        "width": \(page.size.width),
        "height": \(page.size.height),\(formats)
        "sizes": [{"width": \(whole.width), "height": \(whole.height)}],
        "tiles": [{"width": \(tileSize), "height": \(tileSize), "scaleFactors": [\(factors)]}]
      }

      """
  }

  /// The identifier of a page, a URI. Characters that a URI cannot have are percent-encoded.
  private static func identifier(_ name: [UInt8], _ base: String) -> String {
    var start = base.utf8.percentEncoded(sparing: "-._~:/?#[]@!$&'()*+,;=%")
    if !start.hasSuffix("/") { start += "/" }
    return start + name.percentEncoded(sparing: "-._~/")
  }
}

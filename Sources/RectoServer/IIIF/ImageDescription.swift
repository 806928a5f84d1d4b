internal import HTTPTypes
internal import Hummingbird
internal import RectoBase
internal import RectoGeometry

/// `info.json` of an image (Image API 3.0, 5).
struct ImageDescription {
  let json: [UInt8]

  init(_ image: PageImage, identifier: String, pixels: Int) {
    var writer = JSONWriter()
    let halvings = image.halvings(to: ImageRequests.tileSide)
    writer.object { object in
      object.member("@context", "http://iiif.io/api/image/3/context.json")
      object.member("id", identifier)
      object.member("type", "ImageService3")
      object.member("protocol", "http://iiif.io/api/image")
      object.member("profile", "level2")
      object.member("width", image.size.width)
      object.member("height", image.size.height)
      object.member("maxWidth", PageImage.largestSide)
      object.member("maxHeight", PageImage.largestSide)
      object.member("maxArea", pixels)
      object.array("sizes") { array in
        for halving in stride(from: max(halvings, 1), through: 1, by: -1) {
          let size = image.halved(halving)
          array.object { object in
            object.member("width", size.width)
            object.member("height", size.height)
          }
        }
      }
      object.array("tiles") { array in
        array.object { object in
          object.member("width", ImageRequests.tileSide)
          object.member("height", ImageRequests.tileSide)
          object.array("scaleFactors") { factors in
            for halving in 0...halvings { factors.value(1 << halving) }
          }
        }
      }
      object.array("extraFormats") { $0.value("webp") }
      object.array("extraQualities") { array in
        for quality in ImageRequest.Quality.allCases { array.value(quality.rawValue) }
      }
      object.array("extraFeatures") { array in
        for feature in ["mirroring", "sizeUpscaling"] { array.value(feature) }
      }
    }
    json = writer.bytes
  }
}

extension Response {
  /// JSON-LD of IIIF, with the media type of JSON unless the client prefers JSON-LD.
  ///
  /// - Parameters:
  ///   - context: The end of the context: `image/3`, `presentation/3` or `search/2`.
  static func linkedData(
    _ json: [UInt8],
    context: String,
    tag: String,
    to request: Request
  ) -> Response {
    let isWanted = request.headers[.accept]?.contains("application/ld+json") ?? false
    let profile = "application/ld+json;profile=\"http://iiif.io/api/\(context)/context.json\""
    var response = Response.json(
      json,
      type: isWanted ? profile : "application/json",
      tag: isWanted ? "\(tag)-ld" : tag,
      to: request
    )
    response.headers[.vary] = "Accept, Accept-Encoding"
    return response
  }
}

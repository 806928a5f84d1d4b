// A libFuzzer target over the addresses of the server: tiles, IIIF requests, hosts.

import DocumentModel
import RectoGeometry

@testable import RectoServer

/// One input: a path behind a byte that decides the size of a page. A tile has one address; what is planned for an IIIF
/// request is inside the page and within the limit.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAddress(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  guard let first = bytes.first else { return 0 }
  let path = String(decoding: bytes.dropFirst(), as: UTF8.self)
  if let tile = TileAddress(path) {
    precondition(tile.path == path, "a tile with two addresses")
  }
  if let (host, _) = Origin.parts(of: path) {
    let again = Origin.parts(of: host)?.host
    precondition(again == host || host.contains(":"), "a host that is none")
  }
  guard let parts = try? Routes.parts(of: path), parts.count >= 4,
    let request = try? ImageRequest(Array(parts.suffix(4)))
  else { return 0 }
  let size = sizes[Int(first) % sizes.count]
  let info = PageInfo(
    cropBox: Rect(x: 0, y: 0, width: size.width, height: size.height),
    rotation: Rotation(degrees: Int(first) / 64 * 90),
    userUnit: 1,
    size: size,
    label: nil
  )
  let limit = 1 << 24
  guard let image = try? PageImage(0, info, pixels: limit),
    let plan = try? ImagePlan(request, of: image, pixels: limit)
  else { return 0 }
  precondition(plan.region.width > 0 && plan.region.height > 0, "a region of nothing")
  precondition(plan.region.maxX <= image.size.width, "a region beyond the image")
  precondition(plan.region.maxY <= image.size.height, "a region beyond the image")
  precondition(plan.size.width * plan.size.height <= limit, "more pixels than the limit")
  precondition(plan.part.x >= 0 && plan.part.y >= 0, "a part in front of the page")
  precondition(plan.part.maxX <= plan.raster.size.width, "a part beyond the page")
  precondition(plan.part.maxY <= plan.raster.size.height, "a part beyond the page")
  return 0
}

private let sizes = [
  Size(width: 595.276, height: 841.89), Size(width: 1, height: 1),
  Size(width: 0.01, height: 20_000),
  Size(width: 14_400, height: 14_400), Size(width: 1e6, height: 3), Size(width: 100, height: 1e30),
]

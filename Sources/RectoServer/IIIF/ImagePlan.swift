internal import DocumentModel
internal import HTTPTypes
internal import RectoGeometry

/// The image of a page: at 300 pixels per inch, or fewer for a large page.
struct PageImage: Hashable {
  let page: PageIndex
  let info: PageInfo
  /// The image in pixels.
  let size: PixelSize
  /// Device pixels per point.
  let scale: Double

  /// Pixels per inch, unless the page is too large.
  private static let resolution = 300.0
  /// The most pixels of a side, so that the whole image is available in each of the formats.
  static let largestSide = PictureFormat.allCases.map(\.largestSide).min() ?? 1

  /// The image of a page.
  ///
  /// - Parameters:
  ///   - pixels: The most pixels of an image.
  /// - Throws: `DocumentError` with `pageSize` for a page without area, or with almost none.
  init(_ page: PageIndex, _ info: PageInfo, pixels: Int) throws(DocumentError) {
    self.page = page
    self.info = info
    let (width, height) = (info.size.width, info.size.height)
    // With both sides rounded up, (width · scale + 1) · (height · scale + 1) is at most the limit.
    let (sum, most) = (width + height, Double(max(1, pixels) - 1))
    let filling = 2 * most / (sum + (sum * sum + 4 * width * height * most).squareRoot())
    scale = min(
      Self.resolution / 72,
      filling,
      Double(Self.largestSide) / max(width, height, .leastNonzeroMagnitude)
    )
    size = try PageRaster(page: page, info: info, scale: scale, rotation: .none).size
  }

  /// The number of halvings until the image fits into a square.
  func halvings(to side: Int) -> Int {
    var count = 0
    while (max(size.width, size.height) - 1) >> count >= side { count += 1 }
    return count
  }

  /// The size of the image after halvings, rounded up.
  func halved(_ count: Int) -> PixelSize {
    PixelSize(width: ((size.width - 1) >> count) + 1, height: ((size.height - 1) >> count) + 1)
  }
}

/// The drawing for a request, and its further processing.
struct ImagePlan: Hashable {
  /// The shown part of the image, in its pixels.
  let region: PixelRect
  /// The size before rotation, in pixels.
  let size: PixelSize
  /// The raster to draw.
  let raster: PageRaster
  /// The part of the raster.
  let part: PixelRect
  /// Whether columns and rows have different scales, so that the drawing must be reduced.
  let isDistorted: Bool

  /// A plan for a request.
  ///
  /// - Parameters:
  ///   - pixels: The most pixels of a picture.
  /// - Throws: A problem with status 400 if the region is outside of the image, or the size is too large.
  init(_ request: ImageRequest, of image: PageImage, pixels: Int) throws(Problem) {
    region = try Self.region(request.region, image.size)
    size = try Self.size(request, region.size, pixels)
    let scales = (
      Double(size.width) / Double(region.width), Double(size.height) / Double(region.height)
    )
    // A size that results from rounding is not distorted.
    isDistorted =
      abs(Double(region.width) * scales.1 - Double(size.width)) > 1
      && abs(Double(region.height) * scales.0 - Double(size.height)) > 1
    let factor = isDistorted ? max(scales.0, scales.1) : Self.factor(region, size, scales)
    let isTurned = request.rotation.isSideways
    do throws(DocumentError) {
      let whole = try PageRaster(
        page: image.page,
        info: image.info,
        scale: image.scale * factor,
        rotation: request.rotation
      )
      let upright = isTurned ? whole.size.turned : whole.size
      let drawn =
        isDistorted
        ? PixelSize(
          width: max(1, Int((Double(region.width) * factor).rounded())),
          height: max(1, Int((Double(region.height) * factor).rounded()))
        ) : size
      guard drawn.width * drawn.height <= pixels else {
        throw DocumentError(.pageSize, during: "", "the region has too many pixels at this scale")
      }
      let place = PixelRect(
        x: max(0, min(Int((Double(region.x) * factor).rounded()), upright.width - drawn.width)),
        y: max(0, min(Int((Double(region.y) * factor).rounded()), upright.height - drawn.height)),
        width: min(drawn.width, upright.width + 1),
        height: min(drawn.height, upright.height + 1)
      )
      // If a pixel is missing because of rounding, the page is stretched.
      let needed = PixelSize(
        width: max(upright.width, place.maxX),
        height: max(upright.height, place.maxY)
      )
      raster = whole.filling(isTurned ? needed.turned : needed, of: image.info)
      part = place.turned(by: request.rotation, in: needed)
      guard part.maxX <= raster.size.width, part.maxY <= raster.size.height else {
        throw DocumentError(.pageSize, during: "", "the page is a line")
      }
    } catch {
      throw Problem(.badRequest, error.description, code: error.code.rawValue)
    }
  }

  /// The scale of an undistorted picture. Powers of two are exact, so that tiles fit together.
  private static func factor(
    _ region: PixelRect,
    _ size: PixelSize,
    _ scales: (Double, Double)
  ) -> Double {
    for power in 0..<24 {
      let whole = PixelSize(
        width: ((region.width - 1) >> power) + 1,
        height: ((region.height - 1) >> power) + 1
      )
      if whole == size { return 1 / Double(1 << power) }
    }
    return region.width >= region.height ? scales.0 : scales.1
  }

  private static func region(
    _ region: ImageRequest.Region,
    _ image: PixelSize
  ) throws(Problem) -> PixelRect {
    let whole = PixelRect(x: 0, y: 0, width: image.width, height: image.height)
    let wanted: PixelRect
    switch region {
    case .full: return whole
    case .square:
      let side = min(image.width, image.height)
      return PixelRect(
        x: (image.width - side) / 2,
        y: (image.height - side) / 2,
        width: side,
        height: side
      )
    case .pixels(let x, let y, let width, let height):
      wanted = PixelRect(x: x, y: y, width: width, height: height)
    case .percent(let x, let y, let width, let height):
      let left = pixel(x, of: image.width)
      let top = pixel(y, of: image.height)
      wanted = PixelRect(
        x: left,
        y: top,
        width: pixel(x + width, of: image.width) - left,
        height: pixel(y + height, of: image.height) - top
      )
    }
    guard wanted.width > 0, wanted.height > 0, let part = wanted.intersection(whole) else {
      throw Problem(
        .badRequest,
        "the region is outside of the image, which has \(image.width)×\(image.height) pixels"
      )
    }
    return part
  }

  private static func pixel(_ percent: Double, of side: Int) -> Int {
    Int((min(percent, 1000) / 100 * Double(side)).rounded())
  }

  private static func size(
    _ request: ImageRequest,
    _ region: PixelSize,
    _ pixels: Int
  ) throws(Problem) -> PixelSize {
    let (width, height) = (Double(region.width), Double(region.height))
    let largest = (Double(pixels) / (width * height)).squareRoot()
    func scaled(_ factor: Double) -> PixelSize {
      PixelSize(
        width: max(1, Int(min(width * factor, 1e9).rounded())),
        height: max(1, Int(min(height * factor, 1e9).rounded()))
      )
    }
    let size: PixelSize
    switch request.size {
    case .max where !request.allowsUpscaling && width * height <= Double(pixels): size = region
    case .max:
      let longest = Double(PageImage.largestSide) / max(width, height)
      let factor = min(largest * 0.999, longest)
      size = scaled(request.allowsUpscaling ? factor : min(1, factor))
    case .width(let wanted):
      size = PixelSize(width: wanted, height: scaled(Double(wanted) / width).height)
    case .height(let wanted):
      size = PixelSize(width: scaled(Double(wanted) / height).width, height: wanted)
    case .percent(let percent): size = scaled(percent / 100)
    case .exact(let width, let height): size = PixelSize(width: width, height: height)
    case .confined(let most, let mostHigh):
      let factor = min(Double(most) / width, Double(mostHigh) / height)
      size = scaled(request.allowsUpscaling ? factor : min(1, factor))
    }
    if !request.allowsUpscaling, size.width > region.width || size.height > region.height {
      throw Problem(
        .badRequest,
        "the size \(size.width)×\(size.height) is larger than the region, \(region.width)×\(region.height); "
          + "put ^ in front of it"
      )
    }
    guard max(size.width, size.height) <= PageImage.largestSide else {
      throw Problem(
        .badRequest,
        "the size \(size.width)×\(size.height) has more than \(PageImage.largestSide) pixels a side"
      )
    }
    guard let area = size.area, area <= pixels else {
      throw Problem(
        .badRequest,
        "the size \(size.width)×\(size.height) has more than \(pixels) pixels"
      )
    }
    return size
  }

  /// The size of the picture after rotation.
  func turnedSize(_ rotation: Rotation) -> PixelSize {
    rotation.isSideways ? size.turned : size
  }
}

extension PixelSize {
  /// Width and height exchanged.
  var turned: PixelSize { PixelSize(width: height, height: width) }
}

extension PixelRect {
  /// The rectangle after the whole is rotated clockwise.
  fileprivate func turned(by rotation: Rotation, in whole: PixelSize) -> PixelRect {
    switch rotation {
    case .none: self
    case .quarter: PixelRect(x: whole.height - maxY, y: x, width: height, height: width)
    case .half:
      PixelRect(x: whole.width - maxX, y: whole.height - maxY, width: width, height: height)
    case .threeQuarters: PixelRect(x: y, y: whole.width - maxX, width: height, height: width)
    }
  }
}

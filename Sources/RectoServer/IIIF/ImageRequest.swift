internal import DocumentModel
internal import HTTPTypes
internal import RectoGeometry

/// The parameters of a request of the IIIF Image API 3.0: `{region}/{size}/{rotation}/{quality}.{format}`.
struct ImageRequest: Hashable {
  /// The part of the image.
  enum Region: Hashable {
    case full
    case square
    case pixels(x: Int, y: Int, width: Int, height: Int)
    case percent(x: Double, y: Double, width: Double, height: Double)
  }

  /// The size of the part.
  enum RequestedSize: Hashable {
    case max
    case width(Int)
    case height(Int)
    case percent(Double)
    case exact(width: Int, height: Int)
    case confined(width: Int, height: Int)
  }

  enum Quality: String, CaseIterable {
    case color
    case gray
    case bitonal
  }

  var region: Region
  var size: RequestedSize
  /// Whether the size may be larger than the part (`^`).
  var allowsUpscaling: Bool
  var isMirrored: Bool
  var rotation: Rotation
  var quality: Quality
  var format: PictureFormat

  /// A request for a part at a size, upright and in color.
  init(region: Region, size: RequestedSize, format: PictureFormat) {
    self.region = region
    self.size = size
    allowsUpscaling = false
    isMirrored = false
    rotation = .none
    quality = .color
    self.format = format
  }

  /// Reads the four parts of a path after the identifier.
  ///
  /// - Throws: A problem with status 400 for an invalid parameter, and 501 for an unsupported one.
  init(_ parts: [Substring]) throws(Problem) {
    guard parts.count == 4 else { throw .notFound }
    region = try Self.region(parts[0])
    allowsUpscaling = parts[1].hasPrefix("^")
    size = try Self.size(allowsUpscaling ? parts[1].dropFirst() : parts[1])
    isMirrored = parts[2].hasPrefix("!")
    rotation = try Self.rotation(isMirrored ? parts[2].dropFirst() : parts[2])
    let name = parts[3].split(separator: ".", omittingEmptySubsequences: false)
    guard name.count == 2 else {
      throw Problem(.badRequest, "\(parts[3]): must be quality.format, such as default.jpg")
    }
    if name[0] == "default" {
      quality = .color
    } else if let named = Quality(rawValue: String(name[0])) {
      quality = named
    } else {
      throw Problem(.badRequest, "\(name[0]): the quality must be default, color, gray or bitonal")
    }
    guard let format = PictureFormat(fileExtension: name[1]) else {
      let known: Set<Substring> = ["tif", "gif", "pdf", "jp2"]
      throw Problem(
        known.contains(name[1]) ? .notImplemented : .badRequest,
        "\(name[1]): the format must be jpg, png or webp"
      )
    }
    self.format = format
  }

  private static func region(_ text: Substring) throws(Problem) -> Region {
    if text == "full" { return .full }
    if text == "square" { return .square }
    let problem = Problem(
      .badRequest,
      "\(text): the region must be full, square, x,y,w,h or pct:x,y,w,h, with sides above 0"
    )
    if text.hasPrefix("pct:") {
      let numbers = text.dropFirst(4).split(separator: ",", omittingEmptySubsequences: false)
        .map { decimal($0) }
      guard numbers.count == 4, let x = numbers[0], let y = numbers[1], let width = numbers[2],
        let height = numbers[3], width > 0, height > 0
      else { throw problem }
      return .percent(x: x, y: y, width: width, height: height)
    }
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map(\.wholeNumber)
    guard numbers.count == 4, let x = numbers[0], let y = numbers[1], let width = numbers[2],
      let height = numbers[3], width > 0, height > 0
    else { throw problem }
    return .pixels(x: x, y: y, width: width, height: height)
  }

  private static func size(_ text: Substring) throws(Problem) -> RequestedSize {
    let problem = Problem(
      .badRequest,
      "\(text): the size must be max, w,  ,h  pct:n  w,h or !w,h, each above 0, or one of these behind ^"
    )
    if text == "max" { return .max }
    if text.hasPrefix("pct:") {
      guard let percent = decimal(text.dropFirst(4)), percent > 0 else { throw problem }
      return .percent(percent)
    }
    let isConfined = text.hasPrefix("!")
    let parts = text.dropFirst(isConfined ? 1 : 0)
      .split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw problem }
    let (width, height) = (parts[0].wholeNumber, parts[1].wholeNumber)
    switch (width, height) {
    case (let width?, let height?) where width > 0 && height > 0:
      return isConfined
        ? .confined(width: width, height: height) : .exact(width: width, height: height)
    case (let width?, nil) where width > 0 && parts[1].isEmpty && !isConfined: return .width(width)
    case (nil, let height?) where height > 0 && parts[0].isEmpty && !isConfined:
      return .height(height)
    default: throw problem
    }
  }

  private static func rotation(_ text: Substring) throws(Problem) -> Rotation {
    guard let degrees = decimal(text), degrees <= 360 else {
      throw Problem(
        .badRequest,
        "\(text): the rotation must be between 0 and 360, or such a number behind !"
      )
    }
    guard let whole = Int(exactly: degrees), let rotation = Rotation(degrees: whole) else {
      throw Problem(
        .notImplemented,
        "\(text): rotations other than by 0, 90, 180 and 270 are not available"
      )
    }
    return rotation
  }

  /// A number without a sign or an exponent.
  private static func decimal(_ text: Substring) -> Double? {
    guard (1...20).contains(text.utf8.count),
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") })
    else { return nil }
    return Double(text)
  }
}

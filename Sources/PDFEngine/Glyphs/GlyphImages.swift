// SPDX-License-Identifier: GPL-2.0-or-later

internal import CCairo
internal import CFreeType

/// Images of the glyphs of one font at one size, each at positions between pixels.
///
/// Cairo has images of glyphs, too, but only at whole pixels. These are attached to cairo's font, and freed with it.
final class GlyphImages {
  /// The most pixels a side of an image; larger glyphs are drawn as paths.
  static let largestSide = GlyphDrawing.largestSide
  /// The most bytes of images for a font, checked before glyphs are shown.
  private static let mostBytes = 1 << 23
  /// The most bytes of ``CoverageSums`` for a font.
  private static let mostSums = 1 << 23
  /// The most pixels per em for glyphs at eighths of a pixel; larger fonts use quarters.
  private static let largestSmallEm = 10.0
  /// The most steps per em for drawing glyphs once for all positions.
  ///
  /// Depends on nothing else, such as how often a glyph was shown, so that a page does not depend on earlier drawings.
  private static let mostSteps = 100.0
  /// The most pixels per em up to which glyphs are not checked for their size before they are
  /// drawn.
  private static let mostChecked = 32.0

  /// An image.
  struct Image {
    /// From the pixel of the glyph's origin to the left top of the image, in pixels; y points down.
    var left: Int32
    var top: Int32
    /// In pixels. Zero for a glyph without ink.
    var width: Int16
    var height: Int16
    /// The start of its bytes in ``bytes``, row by row; -1 if it was not drawn.
    var start: Int32

    /// Nothing.
    static let empty = Image(left: 0, top: 0, width: 0, height: 0, start: 0)
    /// Not drawn yet.
    static let missing = Image(left: 0, top: 0, width: 0, height: 0, start: -1)
  }

  /// Positions per pixel on each axis: a power of two.
  let steps: Int
  /// Whether each glyph is drawn once for all positions.
  private let hasSums: Bool
  /// Whether glyphs can be large.
  private let isChecked: Bool
  private let font: OpaquePointer
  /// The number of each glyph of the font, by its index; -1 if it was not shown.
  private var numbers: [Int32] = []
  /// For each glyph, by its number, whether it is too large for an image.
  private var areLarge: [Bool] = []
  /// For each glyph, by its number; nil for all glyphs of a large font.
  private var sums: [CoverageSums?] = []
  /// For each glyph, by its number, and for each of its positions, its image.
  ///
  /// Images are stored inline: the cost of a glyph is memory latency, once for each indirection.
  private var images: [Image] = []
  /// Coverage of pixels, of all images.
  private(set) var bytes: [UInt8] = []
  /// Bytes of memory for images and their pixels.
  private var memory = 0
  /// Bytes of memory for sums.
  private var sumsMemory = 0

  /// The key of the data attached to cairo's object.
  private static let key = UInt(
    bitPattern: UnsafeMutablePointer<cairo_user_data_key_t>.allocate(capacity: 1)
  )

  private init(font: OpaquePointer) {
    self.font = font
    var (size, scale) = (cairo_matrix_t(), cairo_matrix_t())
    cairo_scaled_font_get_font_matrix(font, &size)
    cairo_scaled_font_get_ctm(font, &scale)
    let area = (size.xx * size.yy - size.xy * size.yx) * (scale.xx * scale.yy - scale.xy * scale.yx)
    let em = abs(area).squareRoot()
    steps = em <= Self.largestSmallEm ? 8 : 4
    hasSums = em * Double(steps) <= Self.mostSteps
    isChecked = em > Self.mostChecked
  }

  /// The images of a font.
  ///
  /// - Parameter font: A scaled font of cairo's FreeType kind.
  /// - Returns: The images; nil when there is no memory.
  static func of(_ font: OpaquePointer) -> GlyphImages? {
    let key = UnsafePointer<cairo_user_data_key_t>(bitPattern: Self.key)
    if let known = cairo_scaled_font_get_user_data(font, key) {
      return Unmanaged<GlyphImages>.fromOpaque(known).takeUnretainedValue()
    }
    let images = Unmanaged.passRetained(GlyphImages(font: font))
    let status = cairo_scaled_font_set_user_data(font, key, images.toOpaque()) { images in
      if let images { Unmanaged<GlyphImages>.fromOpaque(images).release() }
    }
    guard status == CAIRO_STATUS_SUCCESS else {
      images.release()
      return nil
    }
    return images.takeUnretainedValue()
  }

  /// Discards all images if there are too many.
  func makeRoom() {
    guard memory > Self.mostBytes else { return }
    numbers = []
    areLarge = []
    sums = []
    images = []
    bytes = []
    memory = 0
    sumsMemory = 0
  }

  /// Whether a glyph is too large for an image, as far as known before drawing it.
  func isLarge(_ glyph: UInt) -> Bool {
    guard isChecked else { return false }
    return number(of: glyph).map { areLarge[$0] } ?? true
  }

  /// The image of a glyph, drawn if necessary.
  ///
  /// - Parameters:
  ///   - x: Steps to the right of a pixel.
  ///   - y: Steps below it.
  /// - Returns: The image; nil for a glyph without an outline, or one that is too large.
  func image(of glyph: UInt, x: Int, y: Int) -> Image? {
    guard let number = number(of: glyph) else { return nil }
    let position = (number * steps + y) * steps + x
    let known = images[position]
    if known.start >= 0 { return known }
    guard let image = newImage(of: UInt32(glyph), number, x, y) else { return nil }
    memory += Int(image.width) * Int(image.height)
    images[position] = image
    return image
  }

  /// The number of a glyph; nil if its index is too large for any font.
  private func number(of glyph: UInt) -> Int? {
    guard glyph <= 0xFFFF else { return nil }
    let index = Int(glyph)
    if index >= numbers.count {
      numbers.append(contentsOf: repeatElement(-1, count: index + 1 - numbers.count))
    }
    if numbers[index] < 0 {
      numbers[index] = Int32(sums.count)
      areLarge.append(isChecked && GlyphDrawing.isLarge(UInt32(glyph), of: font))
      sums.append(nil)
      images.append(contentsOf: repeatElement(.missing, count: steps * steps))
      memory += steps * steps * MemoryLayout<Image>.stride
    }
    return Int(numbers[index])
  }

  private func newImage(of glyph: UInt32, _ number: Int, _ x: Int, _ y: Int) -> Image? {
    if let sums = sums[number] { return sums.image(x: x, y: y, &bytes) }
    if hasSums, let drawing = GlyphDrawing(glyph, of: font, scale: steps) {
      let sums = CoverageSums(drawing, steps: steps)
      keep(sums, of: number)
      return sums.image(x: x, y: y, &bytes)
    }
    let unit = 64 / steps
    guard let drawing = GlyphDrawing(glyph, of: font, x: x * unit, y: y * unit)
    else { return nil }
    let start = bytes.count
    bytes.append(contentsOf: drawing.coverage)
    return Image(
      left: Int32(drawing.left),
      top: Int32(drawing.top),
      width: Int16(drawing.width),
      height: Int16(drawing.height),
      start: Int32(start)
    )
  }

  /// Keeps the sums of a glyph. If there are too many, discards all others.
  private func keep(_ new: CoverageSums, of number: Int) {
    if sumsMemory + new.bytes > Self.mostSums {
      for number in sums.indices { sums[number] = nil }
      sumsMemory = 0
    }
    sumsMemory += new.bytes
    sums[number] = new
  }
}

// SPDX-License-Identifier: GPL-2.0-or-later

internal import CSplash
internal import DocumentModel
internal import RectoGeometry

/// A document that is open a second time, for drawing with Splash.
///
/// Lives on the thread of its ``PDFDocument``.
final class SplashDocument {
  private let raw: OpaquePointer
  /// They must not move or be freed while the document is open.
  private let bytes: DocumentBytes

  /// Loads the library, for a process that cannot load libraries later.
  static func load() { _ = recto_splash_load() }

  /// Opens the document of some bytes.
  ///
  /// - Throws: `drawing` if poppler-cpp is missing or cannot open it.
  init(_ bytes: DocumentBytes, password: String?) throws(DocumentError) {
    let raw = bytes.withBytes { bytes in
      bytes.baseAddress.flatMap { recto_splash_open($0, bytes.count, password) }
    }
    guard let raw else {
      throw DocumentError(.drawing, during: "open", "poppler-cpp cannot open the document")
    }
    self.raw = raw
    self.bytes = bytes
  }

  deinit { recto_splash_close(raw) }

  /// Draws the part of a page inside `rect`.
  ///
  /// Splash draws on paper and does not support alpha. Without paper the page is drawn on white and on black, and the
  /// difference gives its transparency.
  ///
  /// - Parameters:
  ///   - rect: Pixels from the page's top left.
  /// - Throws: `pageSize` for a part beyond the limits of a ``Bitmap``; `drawing` when Splash has no picture.
  func bitmap(
    of rect: PixelRect,
    _ page: PDFPage,
    raster: PageRaster,
    hasPaper: Bool
  ) throws(DocumentError) -> Bitmap {
    var bitmap = try Bitmap(rect.size)
    bitmap.warnings = try Messages.collect { () throws(DocumentError) in
      try draw(rect, page, raster, on: Self.white, in: &bitmap)
      guard !hasPaper else { return }
      var onBlack = try Bitmap(rect.size)
      try draw(rect, page, raster, on: Self.black, in: &onBlack)
      bitmap.withMutablePixels { white, _ in
        onBlack.withPixels { black, _ in Paper.remove(from: white, onBlack: black) }
      }
    }
    bitmap.warnings.rasterizer = .splash
    return bitmap
  }

  private static let white: UInt32 = 0xFFFF_FFFF
  private static let black: UInt32 = 0xFF00_0000

  /// Draws on paper of a color.
  private func draw(
    _ rect: PixelRect,
    _ page: PDFPage,
    _ raster: PageRaster,
    on paper: UInt32,
    in bitmap: inout Bitmap
  ) throws(DocumentError) {
    let resolution = page.resolution(of: raster)
    var part = recto_splash_part(
      page: Int32(page.index.value),
      across: resolution.across,
      down: resolution.down,
      rotation: Int32(raster.rotation.degrees),
      x: Int32(clamping: rect.x),
      y: Int32(clamping: rect.y),
      width: Int32(rect.width),
      height: Int32(rect.height),
      paper: paper
    )
    var isDrawn = false
    bitmap.withMutablePixels { pixels, stride in
      guard let start = pixels.baseAddress else { return }
      isDrawn = recto_splash_draw(raw, &part, start, stride)
    }
    guard isDrawn else { throw DocumentError(.drawing, during: "draw", "Splash gave no picture") }
  }
}

extension PDFPage {
  /// Pixels per inch of a raster, along the rows and the columns of its picture.
  fileprivate func resolution(of raster: PageRaster) -> (across: Double, down: Double) {
    let pointsPerInch = 72.0
    guard raster.isFitted else {
      let resolution = pointsPerInch * raster.scale * raster.userUnit
      return (resolution, resolution)
    }
    let size = info().size.rotated(by: raster.rotation)
    return (
      pointsPerInch * Double(raster.size.width) / size.width,
      pointsPerInch * Double(raster.size.height) / size.height
    )
  }
}

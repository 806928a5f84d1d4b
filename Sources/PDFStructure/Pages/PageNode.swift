package import DocumentModel
package import RectoGeometry

/// A page as the page tree describes it, resolved the way poppler 22.12 resolves it.
package struct PageNode: Hashable, Sendable {
  /// The number of the page's object.
  package var objectNumber: Int
  /// The generation of the page's object.
  package var generation: Int
  /// /MediaBox in user space units, its own or inherited.
  package var mediaBox: PageBox
  /// /CropBox in user space units, its own, inherited or the media box, clipped to the media box.
  package var cropBox: PageBox
  /// /Rotate in degrees, 0 to 359; poppler keeps 45 and draws it upright.
  package var rotation: Int
  /// /UserUnit, a positive finite number; 1 if there is none. Poppler ignores it.
  package var userUnit: Double
  /// Repairs of its boxes and rotation. Poppler sees the repaired values in a subset, but not in the file.
  package var repairs = Repairs()

  /// The effective rotation: a multiple of 90; anything else counts as 0.
  package var effectiveRotation: Rotation { Rotation(degrees: rotation) ?? .none }

  /// Size and rotation for the layout, without a label.
  package var info: PageInfo {
    let crop = Rect(
      x: cropBox.x1,
      y: cropBox.y1,
      width: cropBox.width,
      height: cropBox.height
    )
    return PageInfo(
      cropBox: crop,
      rotation: effectiveRotation,
      userUnit: userUnit,
      size: crop.size.rotated(by: effectiveRotation) * userUnit,
      label: nil
    )
  }
}

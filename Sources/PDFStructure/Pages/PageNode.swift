public import DocumentModel
public import Geometry

/// A page as the page tree describes it, resolved the way poppler 22.12 resolves it.
public struct PageNode: Hashable, Sendable {
  /// The number of the page's object.
  public var objectNumber: Int
  /// The generation of the page's object.
  public var generation: Int
  /// /MediaBox in user space units, its own or inherited.
  public var mediaBox: PageBox
  /// /CropBox in user space units, its own, inherited or the media box, clipped to the media box.
  public var cropBox: PageBox
  /// /Rotate in degrees, 0 to 359; poppler keeps 45 and draws it upright.
  public var rotation: Int
  /// /UserUnit, a positive finite number; 1 when there is none. Poppler knows nothing of it.
  public var userUnit: Double
  /// What was mended of its box and rotation. Poppler finds the same in a subset, and not in the file.
  public var repairs = Repairs()

  /// The rotation that takes effect: a multiple of 90, anything else is none.
  public var effectiveRotation: Rotation { Rotation(degrees: rotation) ?? .none }

  /// Size and rotation as layout wants them, without a label.
  public var info: PageInfo {
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

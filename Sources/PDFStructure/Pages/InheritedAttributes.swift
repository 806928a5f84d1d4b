internal import DocumentModel

/// The attributes that a page inherits, resolved like in poppler, and the node that each comes
/// from.
struct InheritedAttributes: Hashable {
  var mediaBox = PageBox.letter
  /// Nil until a node has a valid one; until then it defaults to the media box.
  var cropBox: PageBox?
  /// Degrees, 0 to 359.
  var rotation = 0
  /// Whether the rotation was no integer.
  var isRotationRepaired = false

  var mediaBoxFrom: Reference?
  var cropBoxFrom: Reference?
  var rotationFrom: Reference?
  var resourcesFrom: Reference?

  /// The attributes below a node.
  func passing(_ node: TreeNode, _ reference: Reference) -> InheritedAttributes {
    var result = self
    if let box = node.mediaBox {
      result.mediaBox = box
      result.mediaBoxFrom = reference
    }
    if let box = node.cropBox {
      result.cropBox = box
      result.cropBoxFrom = reference
    }
    if let degrees = node.rotate {
      result.rotation = Self.normalized(degrees)
      result.isRotationRepaired = node.isRotationRepaired
      result.rotationFrom = reference
    }
    if node.hasResources { result.resourcesFrom = reference }
    return result
  }

  /// The page of a leaf with these attributes.
  ///
  /// If /Type is /Page, poppler resets a crop box that is too wide or too high to the media box, axis by axis. Then
  /// every crop box is clipped to the media box. Unlike in poppler, a crop box that is then empty is ignored. If another
  /// box is shown, it is the crop box.
  func page(_ node: TreeNode, _ reference: Reference) -> PageNode {
    let media = node.mediaBox ?? mediaBox
    var crop = node.cropBox ?? cropBox ?? media
    if let shown = shownBox(of: node) { crop = shown.box ?? media }
    if node.isTypedPage {
      if crop.width > media.width {
        crop.x1 = media.x1
        crop.x2 = media.x2
      }
      if crop.height > media.height {
        crop.y1 = media.y1
        crop.y2 = media.y2
      }
    }
    crop = crop.clipped(to: media)
    var repairs = Repairs()
    if !crop.hasArea, media.hasArea {
      crop = media
      repairs.add(.cropBox)
    }
    if node.rotate == nil ? isRotationRepaired : node.isRotationRepaired { repairs.add(.rotation) }
    return PageNode(
      objectNumber: Int(reference.number),
      generation: Int(reference.generation),
      mediaBox: media,
      cropBox: crop,
      rotation: node.rotate.map(Self.normalized) ?? rotation,
      userUnit: node.userUnit,
      repairs: repairs
    )
  }

  private static func normalized(_ degrees: Int32) -> Int {
    let rest = Int(degrees) % 360
    return rest < 0 ? rest + 360 : rest
  }
}

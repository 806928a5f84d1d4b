internal import DocumentModel
internal import RectoBase

extension JSONWriter {
  /// Writes what is shown of pages, if it is not what a viewer shows.
  mutating func shown(_ shown: ShownContent) {
    guard !shown.isUsual else { return }
    object("shown") { object in
      object.member("box", shown.box.rawValue)
      object.member("annotations", shown.annotations.rawValue)
      guard !shown.layers.isEmpty else { return }
      object.array("layers") { array in
        for layer in shown.layers {
          array.object { object in
            object.member("name", layer.name)
            object.member("on", layer.isOn)
          }
        }
      }
    }
  }
}

extension ShownContent {
  /// A text that differs for different content, empty for the usual; begins with a space.
  var text: String {
    let box = box == .crop ? "" : " box \(box.rawValue)"
    let annotations = annotations == .on ? "" : " annotations \(annotations.rawValue)"
    let layers = layers.map { layer in
      " layer \(layer.isOn ? "on" : "off") \(layer.name.utf8.count):\(layer.name)"
    }
    return box + annotations + layers.joined()
  }
}

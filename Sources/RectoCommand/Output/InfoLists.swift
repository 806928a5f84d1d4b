internal import DocumentModel
internal import RectoBase
internal import RectoGeometry
internal import RectoKit

/// The lists of `recto info`; nil for those that were not asked for.
struct InfoLists {
  var layers: [DocumentLayer]?
  var fonts: [DocumentFont]?
  var images: [DocumentImage]?
  var destinations: [NamedDestination]?
  var annotations: [PageAnnotation]?
  var attachments: [DocumentAttachment]?
  /// The labels of the pages of destinations.
  var labels: [PageIndex: String] = [:]
  /// XMP; empty for a document without metadata.
  var metadata: [UInt8]?
  /// The pages whose fonts, images and annotations could not all be read.
  var failing: [MeasuredPages.Failing] = []

  /// The memory for a list of annotations.
  static let mostAnnotationBytes = 64 << 20

  /// A name and a value for each element.
  var lines: [(name: String, value: String)] {
    (layers ?? []).map(\.line) + (fonts ?? []).map { ("Font", $0.words) }
      + (images ?? []).map { ("Image", $0.words) }
      + (destinations ?? []).map { ("Destination", "\($0.name): \($0.place?.words ?? "missing")") }
      + (annotations ?? []).map { ("Annotation", $0.words) }
      + (attachments ?? []).map { ("Attachment", $0.words) }
  }
}

extension DocumentLayer {
  fileprivate var line: (name: String, value: String) {
    let indent = String(repeating: "  ", count: level)
    guard let state else { return ("Layers", "\(indent)\(name)") }
    var words = [state.isOn ? "on" : "off"]
    if state.isPrinted != state.isOn { words.append(state.isPrinted ? "printed" : "not printed") }
    if state.isLocked { words.append("locked") }
    return ("Layer", "\(indent)\(name) (\(words.joined(separator: ", ")))")
  }
}

extension DocumentFont {
  fileprivate var words: String {
    var words = [name ?? "(no name)", kind]
    if let encoding { words.append(encoding) }
    words.append(isEmbedded ? "embedded" : "not embedded")
    if isSubset { words.append("subset") }
    if hasUnicode { words.append("Unicode") }
    words.append("from page \(page.number)")
    if let object { words.append("object \(object.number)") }
    return words.joined(separator: ", ")
  }
}

extension DocumentImage {
  fileprivate var words: String {
    var words = ["page \(page.number)", "\(width) x \(height)"]
    if kind != .image { words.append(kind.words) }
    if let color { words.append(color) }
    if let components, components != 1 { words.append("\(components) components") }
    if let bits { words.append(bits == 1 ? "1 bit" : "\(bits) bits") }
    words.append(encoding)
    if let bytes { words.append("\(bytes) bytes") }
    if let object { words.append("object \(object.number)") }
    return words.joined(separator: ", ")
  }
}

extension PageAnnotation {
  fileprivate var words: String {
    var words = ["page \(page.number)", kind]
    if let author { words.append(author) }
    if let modified { words.append(modified.description) }
    let head = words.joined(separator: ", ")
    return ([head, file?.words, text.isEmpty ? nil : text] as [String?]).compactMap(\.self)
      .joined(separator: ": ")
  }
}

extension DocumentAttachment {
  fileprivate var words: String {
    var words = [name.isEmpty ? "(no name)" : name]
    if let mediaType { words.append(mediaType) }
    if let bytes { words.append("\(bytes) bytes") }
    if let modified { words.append(modified.description) }
    if let description { words.append(description) }
    return words.joined(separator: ", ")
  }
}

extension DocumentImage.Kind {
  fileprivate var words: String {
    switch self {
    case .image: "image"
    case .stencil: "stencil"
    case .softMask: "soft mask"
    case .mask: "mask"
    }
  }
}

extension JSONWriter {
  /// Writes the lists that were asked for, in parts if they are long.
  ///
  /// - Parameter flush: Receives the writer when it has a part.
  /// - Throws: What `flush` throws.
  mutating func lists(
    _ lists: InfoLists,
    _ flush: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    try list("layers", lists.layers, flush) { $0.layer($1) }
    try list("fonts", lists.fonts, flush) { $0.font($1) }
    try list("images", lists.images, flush) { $0.image($1) }
    try list("destinations", lists.destinations, flush) { object, destination in
      object.member("name", destination.name)
      guard var place = destination.place else { return }
      place.name = nil
      object.destination(place, lists.labels)
    }
    try list("annotations", lists.annotations, flush) { $0.annotation($1) }
    try list("attachments", lists.attachments, flush) { $0.attachment($1) }
    if let metadata = lists.metadata, !metadata.isEmpty {
      member("metadata", String(decoding: metadata, as: UTF8.self))
    }
  }

  private mutating func list<Element>(
    _ name: String,
    _ elements: [Element]?,
    _ flush: (inout JSONWriter) throws(Failure) -> Void,
    _ write: (inout JSONWriter, Element) -> Void
  ) throws(Failure) {
    guard let elements else { return }
    openArray(name)
    for element in elements {
      object { write(&$0, element) }
      try flush(&self)
    }
    closeArray()
  }

  private mutating func layer(_ layer: DocumentLayer) {
    member("name", layer.name)
    member("level", layer.level)
    guard let state = layer.state else { return }
    member("on", state.isOn)
    member("printed", state.isPrinted)
    member("locked", state.isLocked)
  }

  private mutating func font(_ font: DocumentFont) {
    member("name", font.name)
    member("kind", font.kind)
    member("encoding", font.encoding)
    member("embedded", font.isEmbedded)
    member("subset", font.isSubset)
    member("unicode", font.hasUnicode)
    member("page", font.page.number)
    number("object", font.object)
  }

  private mutating func image(_ image: DocumentImage) {
    member("page", image.page.number)
    member("kind", image.kind.rawValue)
    member("width", image.width)
    member("height", image.height)
    member("color", image.color)
    if let components = image.components { member("components", components) }
    if let bits = image.bits { member("bits", bits) }
    member("encoding", image.encoding)
    member("interpolated", image.isInterpolated)
    if let bytes = image.bytes { member("bytes", bytes) }
    number("object", image.object)
  }

  /// Writes the members of an annotation.
  mutating func annotation(_ annotation: PageAnnotation) {
    member("page", annotation.page.number)
    member("kind", annotation.kind)
    if let area = annotation.area { rect("area", area) }
    if !annotation.text.isEmpty { member("text", annotation.text) }
    member("author", annotation.author)
    member("modified", annotation.modified?.description)
    if let file = annotation.file { object("file") { $0.attachment(file) } }
  }

  /// Writes the members of a file inside a document.
  mutating func attachment(_ file: DocumentAttachment) {
    member("name", file.name)
    member("description", file.description)
    member("mediaType", file.mediaType)
    if let bytes = file.bytes { member("bytes", bytes) }
    member("modified", file.modified?.description)
  }

  private mutating func number(_ name: String, _ object: ObjectNumber?) {
    guard let object else { return }
    member(name, object.number)
    if object.generation > 0 { member("generation", object.generation) }
  }
}

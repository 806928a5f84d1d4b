internal import DocumentModel
internal import RectoBase
internal import RectoGeometry

extension DocumentOutline {
  /// Prints a line for each item.
  ///
  /// - Throws: A failure if standard output cannot be written.
  func printText() throws(Failure) {
    var text: [UInt8] = []
    func add(_ items: [OutlineItem], level: Int) throws(Failure) {
      for item in items {
        var line = String(repeating: "  ", count: level) + item.title.escapingControls
        if let target = item.target { line += "\t" + target.words.escapingControls }
        text += Array((line + "\n").utf8)
        if text.count > 1 << 16 {
          try StandardStreams.write(text)
          text.removeAll(keepingCapacity: true)
        }
        try add(item.children, level: level + 1)
      }
    }
    try add(items, level: 0)
    try StandardStreams.write(text)
  }

  /// Prints one JSON object, in parts if it is long.
  ///
  /// - Throws: A failure if standard output cannot be written.
  func printJSON(_ labels: [PageIndex: String]) throws(Failure) {
    var writer = JSONWriter()
    writer.openObject()
    writer.member("format", 1)
    writer.openArray("items")
    for item in items {
      writer.outline(item, labels)
      if writer.bytes.count > 1 << 16 { try StandardStreams.write(writer.take()) }
    }
    writer.closeArray()
    writer.member("incomplete", incomplete)
    writer.closeObject()
    writer.newline()
    try StandardStreams.write(writer.take())
  }
}

extension LinkDestination {
  /// Prints a line.
  ///
  /// - Throws: A failure if standard output cannot be written.
  func printText() throws(Failure) {
    try StandardStreams.write(Array((words + "\n").utf8))
  }

  /// Prints one JSON object.
  ///
  /// - Throws: A failure if standard output cannot be written.
  func printJSON(_ labels: [PageIndex: String]) throws(Failure) {
    var writer = JSONWriter()
    writer.openObject()
    writer.member("format", 1)
    writer.object("destination") { $0.destination(self, labels) }
    writer.closeObject()
    writer.newline()
    try StandardStreams.write(writer.take())
  }
}

extension JSONWriter {
  /// Writes "items".
  ///
  /// - Parameters:
  ///   - items: Items of an outline, with their descendants.
  mutating func outline(_ items: [OutlineItem], _ labels: [PageIndex: String]) {
    array("items") { array in for item in items { array.outline(item, labels) } }
  }

  /// Writes an item of an outline, with its descendants.
  mutating func outline(_ item: OutlineItem, _ labels: [PageIndex: String]) {
    object { object in
      object.member("title", item.title)
      if let target = item.target { object.target(target, labels) }
      if !item.children.isEmpty {
        object.member("open", item.isOpen)
        object.outline(item.children, labels)
      }
    }
  }
}

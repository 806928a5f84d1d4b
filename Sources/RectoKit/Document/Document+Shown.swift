public import DocumentModel
internal import RectoBase

/// What is shown of a document's pages.
extension Document {
  /// What is shown of pages: part of the settings.
  public nonisolated var shown: ShownContent { settings.shown }

  /// The layers in the order of the document's list, then those that are not in it; none for a document without layers.
  ///
  /// - Throws: `usage` when the page tree reader cannot read the document, and `damaged` when it cannot read the layers.
  public func layers() throws(DocumentError) -> [DocumentLayer] {
    guard let layers = tree.layers() else { throw unread(during: "read the layers") }
    return layers
  }

  /// Fails if the settings' content cannot be shown.
  ///
  /// - Throws: `usage` when the page tree reader does not read the document, or the document does not have a layer.
  func requireShown() throws(DocumentError) {
    guard !settings.shown.isUsual else { return }
    if !isShownChecked, !settings.shown.layers.isEmpty {
      let names = try layers().filter { $0.state != nil }.map(\.name)
      for change in settings.shown.layers where !names.contains(change.name) {
        throw DocumentError(.usage, during: "", Self.missing(change.name, names))
      }
    }
    if !isShownChecked { _ = tree.info() }
    isShownChecked = true
    guard let refusal = tree.refusal else { return }
    throw DocumentError(
      .usage,
      during: "",
      "only the crop box with the usual annotations and layers can be shown: \(Self.unread(refusal))"
    )
  }

  static func unread(_ refusal: String) -> String {
    "the page tree reader does not read this document (\(refusal))"
  }

  private static func missing(_ name: String, _ names: [String]) -> String {
    guard let nearest = name.nearest(of: names) else { return "the document has no layers" }
    return "there is no layer \"\(name)\"; the nearest is \"\(nearest)\""
  }
}

extension String {
  /// The most names that are compared, and their characters.
  private static let mostCompared = (names: 1000, characters: 64)

  /// The name that differs least, ignoring case, and of those that contain this one if there are any; nil for none.
  fileprivate func nearest(of names: [String]) -> String? {
    let own = Self.compared(self)
    let compared = names.prefix(Self.mostCompared.names)
    let containing = compared.filter { !isEmpty && $0.lowercased().contains(lowercased()) }
    return (containing.isEmpty ? Array(compared) : containing).min {
      own.editDistance(to: Self.compared($0)) < own.editDistance(to: Self.compared($1))
    }
  }

  /// The characters of a name that are compared.
  private static func compared(_ name: String) -> [Character] {
    Array(name.lowercased().prefix(mostCompared.characters))
  }
}

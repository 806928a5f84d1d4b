/// How a client gets the pictures of tiles.
enum PictureTransport: String, CaseIterable, Sendable {
  /// As the path of a file in the cache; a tile that has none is sent as ``base64``.
  case file
  /// In the line.
  case base64
  /// The bytes after the line.
  case bytes
  /// As an address from which it can be fetched; in conversations that a ``ViewerHost`` has.
  case url

  /// Those that standard output can have.
  static let ofStream: [PictureTransport] = [.file, .base64, .bytes]
}

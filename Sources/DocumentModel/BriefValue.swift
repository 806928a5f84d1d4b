/// A value that holds many bytes. It is printed, dumped and logged as one short line.
public protocol BriefValue: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{}

extension BriefValue {
  /// The same line.
  public var debugDescription: String { description }
  /// Without children, so that the bytes are not dumped.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension DrawnPage: BriefValue {
  /// How many pictures, and their bytes.
  public var description: String {
    "\(pictures.count) pictures, \(pictures.reduce(0) { $0 + $1.count }) bytes"
  }
}

extension DocumentSubset: BriefValue {
  /// How many pages, and the bytes of the PDF.
  public var description: String {
    "\(pages.count) pages, \(pieces.reduce(0) { $0 + $1.count }) bytes"
  }
}

extension DocumentSubset.Piece: BriefValue {
  /// The number of bytes, and where they are.
  public var description: String {
    switch self {
    case .bytes(let bytes): "\(bytes.count) bytes"
    case .file(let range): "\(range.count) bytes of the file from \(range.lowerBound)"
    case .inflated(let range, let count):
      "\(count) bytes inflated from \(range.count) of the file from \(range.lowerBound)"
    }
  }
}

extension PageText: BriefValue {
  /// The length of the text.
  public var description: String { "text of \(utf8.count) bytes" }
}

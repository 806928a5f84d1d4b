/// A PDF name or keyword without an allocation: up to 24 bytes, and a digest of the rest.
///
/// A page's dictionary has dozens of names, a document can have a million pages, and none of the
/// relevant names is longer. Different longer names compare equal if their digests collide; a
/// longer name never equals one of up to 24 bytes.
struct PackedName: Hashable {
  private var low: UInt64 = 0
  private var middle: UInt64 = 0
  private var high: UInt64 = 0
  private(set) var count = 0

  init() {}

  /// Adds a byte at the end; from the 25th on it only goes into the digest.
  @inline(__always)
  mutating func append(_ byte: UInt8) {
    let bits = UInt64(byte) &<< UInt64((count & 7) &* 8)
    switch count &>> 3 {
    case 0: low |= bits
    case 1: middle |= bits
    case 2: high |= bits
    default: high = (high ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    count &+= 1
  }

  /// Whether the name begins with another one of up to eight bytes.
  func begins(with start: PackedName) -> Bool {
    let mask = start.count >= 8 ? UInt64.max : (1 << UInt64(start.count * 8)) - 1
    return count >= start.count && low & mask == start.low
  }

  /// The name as text, when it is short enough and ASCII.
  var text: String? {
    guard count <= 24 else { return nil }
    var text = ""
    for (word, value) in [low, middle, high].enumerated() {
      for index in 0..<max(0, min(8, count - word * 8)) {
        let byte = UInt8(truncatingIfNeeded: value >> UInt64(index * 8))
        guard byte < 0x80 else { return nil }
        text.unicodeScalars.append(Unicode.Scalar(byte))
      }
    }
    return text
  }
}

extension PackedName: ExpressibleByStringLiteral {
  init(stringLiteral value: StaticString) {
    self.init()
    value.withUTF8Buffer { bytes in
      for byte in bytes { append(byte) }
    }
  }
}

/// The names this module looks for.
enum Key {
  static let a: PackedName = "A"
  static let acroForm: PackedName = "AcroForm"
  static let annots: PackedName = "Annots"
  static let base: PackedName = "Base"
  static let border: PackedName = "Border"
  static let bitsPerComponent: PackedName = "BitsPerComponent"
  static let colors: PackedName = "Colors"
  static let columns: PackedName = "Columns"
  static let contents: PackedName = "Contents"
  static let count: PackedName = "Count"
  static let cropBox: PackedName = "CropBox"
  static let d: PackedName = "D"
  static let decodeParms: PackedName = "DecodeParms"
  static let dest: PackedName = "Dest"
  static let dests: PackedName = "Dests"
  static let direction: PackedName = "Direction"
  static let dp: PackedName = "DP"
  static let encrypt: PackedName = "Encrypt"
  static let f: PackedName = "F"
  static let fields: PackedName = "Fields"
  static let filter: PackedName = "Filter"
  static let first: PackedName = "First"
  static let h: PackedName = "H"
  static let id: PackedName = "ID"
  static let index: PackedName = "Index"
  static let info: PackedName = "Info"
  static let kids: PackedName = "Kids"
  static let l: PackedName = "L"
  static let length: PackedName = "Length"
  static let limits: PackedName = "Limits"
  static let linearized: PackedName = "Linearized"
  static let link: PackedName = "Link"
  static let mediaBox: PackedName = "MediaBox"
  static let n: PackedName = "N"
  static let names: PackedName = "Names"
  static let next: PackedName = "Next"
  static let nums: PackedName = "Nums"
  static let o: PackedName = "O"
  static let ocProperties: PackedName = "OCProperties"
  static let outlines: PackedName = "Outlines"
  static let p: PackedName = "P"
  static let page: PackedName = "Page"
  static let pageLabels: PackedName = "PageLabels"
  static let pageLayout: PackedName = "PageLayout"
  static let pages: PackedName = "Pages"
  static let parent: PackedName = "Parent"
  static let predictor: PackedName = "Predictor"
  static let prev: PackedName = "Prev"
  static let quadPoints: PackedName = "QuadPoints"
  static let r2l: PackedName = "R2L"
  static let rect: PackedName = "Rect"
  static let resources: PackedName = "Resources"
  static let root: PackedName = "Root"
  static let rotate: PackedName = "Rotate"
  static let s: PackedName = "S"
  static let size: PackedName = "Size"
  static let st: PackedName = "St"
  static let subtype: PackedName = "Subtype"
  static let t: PackedName = "T"
  static let title: PackedName = "Title"
  static let type: PackedName = "Type"
  static let uf: PackedName = "UF"
  static let unix: PackedName = "Unix"
  static let uri: PackedName = "URI"
  static let userUnit: PackedName = "UserUnit"
  static let viewerPreferences: PackedName = "ViewerPreferences"
  static let w: PackedName = "W"
  static let widget: PackedName = "Widget"
  static let win: PackedName = "Win"
  static let xrefStm: PackedName = "XRefStm"
}

/// The keywords of PDF syntax.
enum Keyword {
  static let end: PackedName = ">>"
  static let endobj: PackedName = "endobj"
  static let endstream: PackedName = "endstream"
  static let free: PackedName = "f"
  static let inUse: PackedName = "n"
  static let obj: PackedName = "obj"
  static let r: PackedName = "R"
  static let stream: PackedName = "stream"
  static let trailer: PackedName = "trailer"
  static let xref: PackedName = "xref"
}

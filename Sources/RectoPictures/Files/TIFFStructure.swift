import DocumentModel
import RectoGeometry

/// The structure of TIFF files (TIFF 6.0) as libtiff writes them for `TIFFCompressor`: little-endian, with a directory
/// of one picture.
package enum TIFFStructure {
  /// How the pixels of a picture are stored.
  struct StripLayout {
    let samples: Int
    let bits: Int
    let compression: Int
    let photometric: Int
    /// Bytes of a row before compression.
    let stride: Int
    let rowsPerStrip: Int
    let strips: Int

    /// About the bytes of a strip before compression.
    private static let stripBytes = 1 << 18

    /// The layout of a picture.
    init(_ size: PixelSize, _ style: PictureStyle) {
      samples = style.isGray ? 1 : 3
      bits = style.isBilevel ? 1 : 8
      // CCITT Group 4; Adobe Deflate.
      compression = style.isBilevel ? 4 : 8
      // White is 0; black is 0; RGB.
      photometric = style.isBilevel ? 0 : style.isGray ? 1 : 2
      stride = style.isBilevel ? (size.width + 7) / 8 : size.width * samples
      // Readers of faxes expect one strip.
      rowsPerStrip =
        style.isBilevel ? size.height : max(1, min(size.height, Self.stripBytes / max(1, stride)))
      strips = (size.height + rowsPerStrip - 1) / max(1, rowsPerStrip)
    }
  }

  /// The most bytes of a file; `Int.max` on overflow.
  static func largest(_ size: PixelSize, _ style: PictureStyle) -> Int {
    guard let area = size.area, area <= .max / 64 else { return .max }
    let layout = StripLayout(size, style)
    // A pixel in Group 4 takes up to four and a half bits, if they alternate; Deflate stores what it cannot compress.
    let rows = layout.stride * size.height
    return (style.isBilevel ? rows * 5 + size.height * 4 : rows + rows / 64) + layout.strips * 80
      + 4096
  }

  /// Whether bytes are a file with one picture of a size and style.
  ///
  /// - Complexity: O(strips).
  static func isPicture(_ file: [UInt8], size: PixelSize, _ style: PictureStyle) -> Bool {
    guard let directory = Directory(of: file), directory.next == 0 else { return false }
    let layout = StripLayout(size, style)
    let expected: [(Tag, Int)] = [
      (.width, size.width), (.height, size.height), (.compression, layout.compression),
      (.photometric, layout.photometric), (.samples, layout.samples),
      (.rowsPerStrip, layout.rowsPerStrip),
    ]
    let bits = directory.values(.bits, in: file)
    guard expected.allSatisfy({ directory.values($0, in: file) == [$1] }),
      bits == Array(repeating: layout.bits, count: layout.samples),
      let starts = directory.values(.stripOffsets, in: file), starts.count == layout.strips,
      let counts = directory.values(.stripBytes, in: file), counts.count == layout.strips,
      directory.resolutions.count == 2, directory.hasOnlyKnownTags,
      zip(starts, counts).allSatisfy({ $0 >= 8 && $1 > 0 && $0 <= file.count - $1 })
    else { return false }
    // Nothing comes after the last of them.
    return max(zip(starts, counts).map { $0 + $1 }.max() ?? 0, directory.lastByte) == file.count
  }

  /// The same file with its resolution.
  ///
  /// - Parameter pixelsPerInch: More than 0.
  static func described(_ file: [UInt8], pixelsPerInch: Double) -> [UInt8] {
    guard let directory = Directory(of: file) else { return file }
    // A fraction with a precision of a thousandth, or the whole number.
    let isWhole = pixelsPerInch == pixelsPerInch.rounded()
    let numerator = min(max(1, (pixelsPerInch * (isWhole ? 1 : 1000)).rounded()), Double(Int32.max))
    var file = file
    for place in directory.resolutions {
      file.write(UInt32(numerator), at: place)
      file.write(isWhole ? 1 : 1000, at: place + 4)
    }
    return file
  }

  /// One file with the pictures of several.
  ///
  /// - Parameter files: Each has one picture.
  /// - Returns: Nil if one of them is no such file, or the result would have 4 GiB or more.
  /// - Complexity: O(bytes).
  package static func joined(_ files: [[UInt8]]) -> [UInt8]? {
    let total = files.reduce(0) { $0 + $1.count + 1 }
    guard total < 1 << 32 else { return nil }
    var joined: [UInt8] = []
    joined.reserveCapacity(total)
    // Where the number of the next directory's first byte goes.
    var link = 4
    for file in files {
      guard let directory = Directory(of: file) else { return nil }
      // Directories begin at even numbers.
      if joined.count % 2 == 1 { joined.append(0) }
      let start = joined.count
      joined += file
      guard directory.move(by: start, in: &joined) else { return nil }
      joined.write(UInt32(start + directory.start), at: link)
      link = start + directory.end
    }
    return joined
  }
}

/// The tags of a file. Their values are those of the format.
private enum Tag: Int {
  case width = 256
  case height = 257
  case bits = 258
  case compression = 259
  case photometric = 262
  case stripOffsets = 273
  case samples = 277
  case rowsPerStrip = 278
  case stripBytes = 279
  case resolutionAcross = 282
  case resolutionDown = 283
  case orientation = 274
  case planes = 284
  case resolutionUnit = 296
  case predictor = 317
}

/// The first directory of a file, whose values are all inside the file.
private struct Directory {
  /// An entry, in bytes from the start of the file.
  private struct Entry {
    let tag: Int
    let type: Int
    let count: Int
    /// Where the value is, or the number of its first byte.
    let field: Int
    /// Where the value is.
    let place: Int
    /// Bytes of the value.
    let length: Int

    var isElsewhere: Bool { place != field }
  }

  let start: Int
  /// Where the number of the next directory's first byte is.
  let end: Int
  /// The first byte of the next directory; 0 for none.
  let next: Int
  private let entries: [Entry]

  /// Bytes of a value of each type: byte, text, 16 bits, 32 bits, fraction.
  private static let typeBytes = [1: 1, 2: 1, 3: 2, 4: 4, 5: 8]

  init?(of file: [UInt8]) {
    guard file.starts(with: [0x49, 0x49, 42, 0]), let start = file.number(4, at: 4),
      let count = file.number(2, at: start), let next = file.number(4, at: start + 2 + count * 12)
    else { return nil }
    var entries: [Entry] = []
    for field in stride(from: start + 2, to: start + 2 + count * 12, by: 12) {
      guard let tag = file.number(2, at: field), let type = file.number(2, at: field + 2),
        let count = file.number(4, at: field + 4), let bytes = Self.typeBytes[type],
        let value = file.number(4, at: field + 8)
      else { return nil }
      let length = bytes * count
      let place = length <= 4 ? field + 8 : value
      guard place <= file.count - length else { return nil }
      entries.append(
        Entry(tag: tag, type: type, count: count, field: field + 8, place: place, length: length)
      )
    }
    (self.start, self.next, self.entries) = (start, next, entries)
    end = start + 2 + count * 12
  }

  /// The whole numbers of a tag; nil without it.
  func values(_ tag: Tag, in file: [UInt8]) -> [Int]? {
    guard let entry = entries.first(where: { $0.tag == tag.rawValue }),
      entry.type == 3 || entry.type == 4
    else { return nil }
    let bytes = entry.type == 3 ? 2 : 4
    return (0..<entry.count).compactMap { file.number(bytes, at: entry.place + $0 * bytes) }
  }

  /// Whether there is nothing else in it.
  var hasOnlyKnownTags: Bool { entries.allSatisfy { Tag(rawValue: $0.tag) != nil } }

  /// Where the directory and its values end.
  var lastByte: Int { max(end + 4, entries.map { $0.place + $0.length }.max() ?? 0) }

  /// Where the fractions of the resolution are.
  var resolutions: [Int] {
    entries.filter {
      ($0.tag == Tag.resolutionAcross.rawValue || $0.tag == Tag.resolutionDown.rawValue)
        && $0.type == 5 && $0.count == 1
    }.map(\.place)
  }

  /// Corrects the numbers of bytes of a file that was moved.
  ///
  /// - Parameters:
  ///   - distance: Where it begins, in bytes.
  ///   - file: The file at its new place, with others before it.
  /// - Returns: Whether each of them was found.
  func move(by distance: Int, in file: inout [UInt8]) -> Bool {
    for entry in entries {
      if entry.isElsewhere {
        file.write(UInt32(entry.place + distance), at: entry.field + distance)
      }
      guard entry.tag == Tag.stripOffsets.rawValue else { continue }
      guard entry.type == 4 else { return false }
      for index in 0..<entry.count {
        let place = entry.place + distance + index * 4
        guard let start = file.number(4, at: place) else { return false }
        file.write(UInt32(truncatingIfNeeded: start + distance), at: place)
      }
    }
    return true
  }
}

extension [UInt8] {
  /// A little-endian number of two or four bytes; nil outside of the file.
  fileprivate func number(_ bytes: Int, at place: Int) -> Int? {
    guard place >= 0, place <= count - bytes else { return nil }
    return (0..<bytes).reduce(0) { $0 | Int(self[place + $1]) << (8 * $1) }
  }

  /// Writes a little-endian number of four bytes; the place has been checked.
  fileprivate mutating func write(_ number: UInt32, at place: Int) {
    for byte in 0..<4 { self[place + byte] = UInt8(truncatingIfNeeded: number >> UInt32(8 * byte)) }
  }
}

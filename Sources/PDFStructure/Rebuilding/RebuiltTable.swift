/// Where each object is, as found in the file, written as a cross-reference stream.
///
/// Of several objects with one number the last one in the file counts. With a stream, unlike a table, poppler takes what is
/// missing for null and does not search for it.
struct RebuiltTable {
  /// Where an object is.
  enum Location: Equatable {
    case offset(Int, generation: Int32)
    /// In an object stream, at an index.
    case member(stream: Int32, index: Int)
  }

  /// By number.
  private var places: [Location?] = [nil]
  /// The position in the file that decides between two places, by number.
  private var positions: [Int] = [-1]

  /// One past the highest number.
  var size: Int { places.count }

  /// The place of an object.
  subscript(number: Int32) -> Location? {
    Int(number) < places.count && number >= 0 ? places[Int(number)] : nil
  }

  /// Takes an object, unless one behind it has the same number.
  ///
  /// - Parameters:
  ///   - number: Its number, which has been checked against the limits.
  ///   - position: The position in the file of itself, or of the stream that it is in.
  mutating func take(_ number: Int32, _ place: Location, at position: Int) {
    let index = Int(number)
    if index >= places.count {
      places += Array(repeating: nil, count: index + 1 - places.count)
      positions += Array(repeating: -1, count: index + 1 - positions.count)
    }
    guard positions[index] <= position else { return }
    places[index] = place
    positions[index] = position
  }

  /// What is put behind a file: objects of the reader's own, and the cross-reference.
  ///
  /// - Parameters:
  ///   - added: Objects, which have the numbers from ``size`` on.
  ///   - entries: Entries of the trailer in PDF syntax.
  ///   - start: Where the file ends, counted from its header.
  func tail(adding added: [[UInt8]], _ entries: String, at start: Int) -> [UInt8] {
    var bytes: [UInt8] = [0x0A]
    var rows: [UInt8] = []
    rows.reserveCapacity((size + added.count + 1) * 9)
    func append(_ kind: UInt8, _ second: Int, _ third: Int) {
      rows.append(kind)
      rows += IncrementalUpdateWriter.bytes(second, 5) + IncrementalUpdateWriter.bytes(third, 3)
    }
    for place in places {
      switch place {
      case nil: append(0, 0, 0)
      case .offset(let offset, let generation): append(1, offset, Int(generation))
      case .member(let stream, let index): append(2, Int(stream), index)
      }
    }
    for (number, object) in zip(size..., added) {
      append(1, start + bytes.count, 0)
      bytes += Array("\(number) 0 obj\n".utf8) + object + Array("\nendobj\n".utf8)
    }
    let section = start + bytes.count
    append(1, section, 0)
    bytes += Array(
      """
      \(size + added.count) 0 obj
      << /Type /XRef /W [ 1 5 3 ] /Size \(rows.count / 9) /Length \(rows.count) \(entries) >>
      stream\n
      """.utf8
    )
    bytes += rows
    bytes += Array("\nendstream\nendobj\nstartxref\n\(section)\n%%EOF\n".utf8)
    return bytes
  }
}

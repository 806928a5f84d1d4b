/// The location of each object found in the file, written as a cross-reference stream.
///
/// Of several objects with the same number the last one in the file counts. With a stream, unlike a table, missing
/// objects are null in poppler, which does not search for them.
struct RebuiltTable {
  /// Where an object is.
  enum Location: Equatable {
    case offset(Int, generation: Int32)
    /// In an object stream, at an index.
    case member(stream: Int32, index: Int)
  }

  /// By number.
  private var places: [Location?] = [nil]
  /// The position in the file, by object number, which decides between two locations.
  private var positions: [Int] = [-1]

  /// One past the highest number.
  var size: Int { places.count }

  /// The place of an object.
  subscript(number: Int32) -> Location? {
    Int(number) < places.count && number >= 0 ? places[Int(number)] : nil
  }

  /// Adds an object, unless a later one has the same number.
  ///
  /// - Parameters:
  ///   - number: Its number, which has been checked against the limits.
  ///   - position: The position in the file of the object, or of its object stream.
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

  /// The bytes to append to a file: added objects, and the cross-reference.
  ///
  /// - Parameters:
  ///   - added: Objects, numbered from ``size`` on.
  ///   - entries: Entries of the trailer in PDF syntax.
  ///   - start: The end of the file, relative to its header.
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

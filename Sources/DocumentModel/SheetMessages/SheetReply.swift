package import RectoBase

/// What `recto-sheet` answers.
package enum SheetReply: Hashable, Sendable {
  /// A picture that could not be drawn.
  package struct Unreadable: Hashable, Sendable {
    /// Its place among the pictures of the request.
    package var index: Int
    /// The error of the file.
    package var reason: String

    /// A picture that could not be drawn.
    package init(index: Int, reason: String) {
      self.index = index
      self.reason = reason
    }
  }

  /// The file of the sheet, and the pictures that are missing in it.
  case sheet([UInt8], unreadable: [Unreadable])
  /// The reason why there is no sheet.
  case failed(String)

  /// The longest reason in bytes.
  package static let longestReason = 256

  /// The longest reply to a request, in bytes.
  ///
  /// - Parameters:
  ///   - largestFile: The most bytes that the file of the sheet can have.
  /// - Returns: The number of bytes.
  package static func largestPayload(to request: SheetRequest, largestFile: Int) -> Int {
    let (sum, overflow) = largestFile.addingReportingOverflow(
      1024 + request.pictures.count * (longestReason + 16)
    )
    return overflow ? Frame.largestPayload : min(sum, Frame.largestPayload)
  }

  /// The reply as bytes.
  package var payload: [UInt8] {
    switch self {
    case .sheet(let file, let unreadable):
      var writer = ByteWriter(capacity: file.count + 256)
      writer.write(UInt8(1))
      writer.write(unreadable.count)
      for picture in unreadable {
        writer.write(picture.index)
        writer.write(picture.reason, atMost: Self.longestReason)
      }
      writer.write(file)
      return writer.bytes
    case .failed(let reason):
      var writer = ByteWriter()
      writer.write(UInt8(2))
      writer.write(reason, atMost: Self.longestReason)
      return writer.bytes
    }
  }

  /// The reply in bytes.
  ///
  /// - Parameters:
  ///   - pictureCount: The number of pictures in the request.
  /// - Throws: `ByteCodingError` for bytes that are no reply to such a request.
  package init(payload: ArraySlice<UInt8>, pictureCount: Int) throws(ByteCodingError) {
    var reader = ByteReader(payload)
    switch try reader.readByte() {
    case 1:
      var unreadable: [Unreadable] = []
      let count = try reader.readCount(ofSize: 16)
      guard count <= pictureCount else { throw .tooLong }
      for _ in 0..<count {
        let index = try reader.readInt()
        guard (0..<pictureCount).contains(index) else { throw .unknown }
        let reason = try reader.readString(atMost: Self.longestReason)
        unreadable.append(Unreadable(index: index, reason: reason))
      }
      self = .sheet(try reader.readBytes(), unreadable: unreadable)
    case 2: self = .failed(try reader.readString(atMost: Self.longestReason))
    default: throw .unknown
    }
    try reader.finish()
  }
}

/// An error of a picture to encode, or of bytes that should be a PNG.
public struct PNGError: Error, Hashable, Sendable {
  /// The kind of failure.
  public enum Code: Hashable, Sendable {
    /// The encoder's size, stride and memory do not match.
    case badInput
    /// The bytes do not start with the PNG signature.
    case notPNG
    /// A PNG, but cut short, with a wrong checksum, or against the specification.
    case damaged
    /// A valid PNG of a kind that is not read here: 16 bits, interlaced, a color key.
    case unsupported
    /// More pixels than the given limit, or than PNG allows.
    case tooLarge
    /// Memory for the compressor could not be allocated.
    case outOfMemory
  }

  /// The kind of failure.
  public var code: Code
  /// The operation: "encode PNG", "decode PNG", "check PNG".
  public var operation: String
  /// The reason, and the limit if there is one.
  public var detail: String

  /// An error from its three parts.
  ///
  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - operation: The operation: "encode PNG", "decode PNG".
  ///   - detail: The reason, and the limit if there is one.
  public init(_ code: Code, during operation: String, _ detail: String) {
    self.code = code
    self.operation = operation
    self.detail = detail
  }
}

extension PNGError: CustomStringConvertible {
  /// `operation: detail`.
  public var description: String { "\(operation): \(detail)" }
}

internal import FoundationEssentials
internal import RectoBase
internal import SystemPackage

/// The process's arguments without loss.
///
/// File names are bytes, strings are Unicode: `CommandLine.arguments` replaces invalid UTF-8, so
/// the file is not found. Here each such byte becomes one character of a private-use plane, which
/// ``FilePath/init(argument:)`` turns back. Typed characters of that range are encoded byte by byte
/// in the same way, so nothing is ambiguous.
enum RawArguments {
  private static let base: UInt32 = 0x10_FF00

  /// The arguments after the program's name.
  static func fromProcess() -> [String] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      CommandLine.unsafeArgv[index].map {
        encode(UnsafeRawBufferPointer(start: $0, count: length($0)))
      }
    }
  }

  /// The variables of the process's environment.
  static var environment: [String: String] { ProcessInfo.processInfo.environment }

  /// The typed bytes of the argument of a path: ``FilePath`` drops bytes without meaning, such as the second of two
  /// slashes. Nil if the path is neither an argument nor an address.
  static func typed(_ path: FilePath) -> [UInt8]? {
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let start = CommandLine.unsafeArgv[index] else { continue }
      let bytes = UnsafeRawBufferPointer(start: start, count: length(start))
      if FilePath(platformString: start) == path { return Array(bytes) }
    }
    // An address without its secrets is no argument.
    return address(path)
  }

  /// The bytes of an address that is written as a path; nil for a path.
  static func address(_ path: FilePath) -> [UInt8]? {
    let bytes = path.bytes
    for scheme in ["http:/", "https:/", "s3:/"] where bytes.starts(with: scheme.utf8) {
      return Array("\(scheme)/".utf8) + bytes.dropFirst(scheme.utf8.count)
    }
    return nil
  }

  /// Bytes as a string.
  static func encode(_ bytes: UnsafeRawBufferPointer) -> String {
    if let text = String(validating: bytes, as: UTF8.self),
      !text.unicodeScalars.contains(where: isEscape)
    {
      return text
    }
    var text = ""
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    var position = 0
    loop: while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar) where !isEscape(scalar):
        text.unicodeScalars.append(scalar)
        position += UTF8.width(scalar)
      case .emptyInput: break loop
      default:
        // One byte at a time: continue after it.
        text.unicodeScalars.append(escape(bytes[position]))
        position += 1
        decoder = UTF8()
        iterator = UnsafeRawBufferPointer(rebasing: bytes[position...]).makeIterator()
      }
    }
    return text
  }

  /// The bytes of an encoded string.
  static func decode(_ text: String) -> [UInt8] {
    text.unicodeScalars.flatMap { scalar in
      isEscape(scalar) ? [UInt8(scalar.value - base)] : Array(UTF8.encode(scalar) ?? .init())
    }
  }

  private static func isEscape(_ scalar: Unicode.Scalar) -> Bool {
    (base + 0x80...base + 0xFF).contains(scalar.value)
  }

  private static func escape(_ byte: UInt8) -> Unicode.Scalar {
    // The range lies inside the last private-use plane, so every value is a scalar. A byte that
    // does not decode is at least 0x80.
    Unicode.Scalar(base + UInt32(byte)) ?? "\u{FFFD}"
  }

  private static func length(_ text: UnsafePointer<CChar>) -> Int {
    var length = 0
    while text[length] != 0 { length += 1 }
    return length
  }
}

extension FilePath {
  /// The path that was typed as an argument.
  init(argument: String) {
    let bytes = RawArguments.decode(argument).map { CChar(bitPattern: $0) } + [0]
    self = bytes.withUnsafeBufferPointer { buffer in
      // The buffer holds at least the final zero.
      buffer.baseAddress.map { FilePath(platformString: $0) } ?? FilePath()
    }
  }
}

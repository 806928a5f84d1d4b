internal import CDigest

/// Credentials of Amazon Web Services, and what requests with them are for.
package struct SigningKey: Hashable, Sendable {
  /// The identifier of the access key.
  package var accessKey: String
  /// The secret access key.
  package var secretKey: String
  /// The region.
  package var region: String
  /// The service, `s3`.
  package var service: String

  /// A key from its parts.
  package init(accessKey: String, secretKey: String, region: String, service: String = "s3") {
    self.accessKey = accessKey
    self.secretKey = secretKey
    self.region = region
    self.service = service
  }
}

/// A request to sign with AWS Signature Version 4.
package struct SignedRequest: Hashable, Sendable {
  /// `GET` or `PUT`.
  package var method: String
  /// The path, not encoded.
  package var path: String
  /// The headers that are signed, with names in lower case; `host` and `x-amz-date` among them.
  package var headers: [String: String]
  /// The SHA-256 of the body in hexadecimal digits.
  package var bodyDigest: String

  /// A request from its parts.
  ///
  /// - Parameters:
  ///   - method: `GET` or `PUT`.
  ///   - path: The path, not encoded.
  ///   - headers: The headers that are signed, with names in lower case.
  ///   - bodyDigest: The SHA-256 of the body in hexadecimal digits.
  package init(method: String, path: String, headers: [String: String], bodyDigest: String) {
    self.method = method
    self.path = path
    self.headers = headers
    self.bodyDigest = bodyDigest
  }

  /// The value of the header `Authorization`.
  ///
  /// - Parameters:
  ///   - time: When the request is made: `20130524T000000Z`.
  package func authorization(_ key: SigningKey, at time: String) -> String {
    let names = headers.keys.sorted()
    let signedNames = names.joined(separator: ";")
    let lines = names.map { "\($0):\((headers[$0] ?? "").trimmingSpaces)\n" }.joined()
    let canonical =
      "\(method)\n\(Self.encoded(path: path))\n\n\(lines)\n\(signedNames)\n\(bodyDigest)"
    let day = String(time.prefix(8))
    let scope = "\(day)/\(key.region)/\(key.service)/aws4_request"
    let text = "AWS4-HMAC-SHA256\n\(time)\n\(scope)\n\(Self.digest(canonical.utf8))"
    var signature = Array("AWS4\(key.secretKey)".utf8)
    for part in [day, key.region, key.service, "aws4_request", text] {
      signature = Self.authenticationCode(of: Array(part.utf8), key: signature)
    }
    return """
      AWS4-HMAC-SHA256 Credential=\(key.accessKey)/\(scope),SignedHeaders=\(signedNames),\
      Signature=\(signature.hexadecimal)
      """
  }

  /// The SHA-256 of bytes in hexadecimal digits.
  package static func digest(_ bytes: some Sequence<UInt8>) -> String {
    sha256(Array(bytes)).hexadecimal
  }

  private static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var context = SHA2_CTX()
    SHA256Init(&context)
    SHA256Update(&context, bytes, bytes.count)
    return [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { buffer, count in
      SHA256Final(buffer.baseAddress, &context)
      count = buffer.count
    }
  }

  /// HMAC-SHA256 (RFC 2104).
  private static func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    let length = Int(SHA256_BLOCK_LENGTH)
    var block = key.count > length ? sha256(key) : key
    block += Array(repeating: 0, count: length - block.count)
    return sha256(block.map { $0 ^ 0x5C } + sha256(block.map { $0 ^ 0x36 } + message))
  }

  /// A path with all bytes but letters, digits, `-._~` and `/` as `%XX`.
  package static func encoded(path: String) -> String {
    var text = ""
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        text += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return text
  }
}

extension Sequence<UInt8> {
  /// Two lower-case digits for each byte.
  fileprivate var hexadecimal: String {
    var text = ""
    for byte in self {
      let digits = String(byte, radix: 16)
      text += digits.count == 1 ? "0\(digits)" : digits
    }
    return text
  }
}

extension String {
  /// The text without spaces at its ends.
  fileprivate var trimmingSpaces: Substring {
    var text = self[...]
    while text.first == " " { text = text.dropFirst() }
    while text.last == " " { text = text.dropLast() }
    return text
  }
}

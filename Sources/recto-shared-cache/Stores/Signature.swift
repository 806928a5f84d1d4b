internal import Crypto

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
    var signing = SymmetricKey(data: Array("AWS4\(key.secretKey)".utf8))
    for part in [day, key.region, key.service, "aws4_request"] {
      signing = SymmetricKey(
        data: HMAC<SHA256>.authenticationCode(for: Array(part.utf8), using: signing)
      )
    }
    let signature = HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: signing)
    return """
      AWS4-HMAC-SHA256 Credential=\(key.accessKey)/\(scope),SignedHeaders=\(signedNames),\
      Signature=\(signature.hexadecimal)
      """
  }

  /// The SHA-256 of bytes in hexadecimal digits.
  package static func digest(_ bytes: some Sequence<UInt8>) -> String {
    SHA256.hash(data: Array(bytes)).hexadecimal
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

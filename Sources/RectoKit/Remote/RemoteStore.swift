internal import RectoBase

/// A store of objects with the interface of S3.
public struct RemoteStore: Hashable, Sendable {
  /// Who asks. Requests are signed with them (AWS Signature 4).
  public struct Credentials: Hashable, Sendable {
    /// The access key.
    public var key: String
    /// The secret access key.
    public var secret: String
    /// The token of temporary credentials; nil for lasting ones.
    public var token: String?

    /// Credentials from their parts.
    ///
    /// - Parameters:
    ///   - key: The access key.
    ///   - secret: The secret access key.
    ///   - token: The token of temporary credentials; nil for lasting ones.
    public init(key: String, secret: String, token: String? = nil) {
      self.key = key
      self.secret = secret
      self.token = token
    }
  }

  /// The address of the store, such as `https://minio.example.org:9000`, without a slash at the end; nil for Amazon's.
  public var endpoint: String?
  /// The region of the buckets.
  public var region: String
  /// Who asks; nil for anyone.
  public var credentials: Credentials?

  /// A store from its parts.
  ///
  /// - Parameters:
  ///   - endpoint: The address of the store; nil for Amazon's.
  ///   - region: The region of the buckets.
  ///   - credentials: Who asks; nil for anyone.
  public init(
    endpoint: String? = nil,
    region: String = "us-east-1",
    credentials: Credentials? = nil
  ) {
    self.endpoint = endpoint
    self.region = region
    self.credentials = credentials
  }

  /// The URL of an object; of the bucket for an empty key.
  func url(of key: String, in bucket: String) -> String {
    let path = key.utf8.percentEncoded(sparing: "-._~/")
    if let endpoint { return "\(endpoint)/\(bucket)/\(path)" }
    // A certificate for all buckets covers one name without dots.
    let isName = bucket.utf8.allSatisfy {
      $0 == 0x2D || (0x30...0x39).contains($0) || (0x61...0x7A).contains($0)
    }
    return isName
      ? "https://\(bucket).s3.\(region).amazonaws.com/\(path)"
      : "https://s3.\(region).amazonaws.com/\(bucket)/\(path)"
  }
}

extension RemoteStore.Credentials: CustomStringConvertible {
  /// The access key, without secrets.
  public var description: String { key }
}

import Testing
import recto_shared_cache

/// Signatures, compared with the examples of Amazon.
@Suite struct SignatureTests {
  private static let secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
  private static let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  /// "Signature Calculations for the Authorization Header", Amazon S3 API Reference.
  private static let key = SigningKey(
    accessKey: "AKIAIOSFODNN7EXAMPLE",
    secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    region: "us-east-1"
  )

  @Test func `a GET of the reference of S3 has its signature`() {
    let request = SignedRequest(
      method: "GET",
      path: "/test.txt",
      headers: [
        "host": "examplebucket.s3.amazonaws.com", "range": "bytes=0-9",
        "x-amz-content-sha256": Self.nothing, "x-amz-date": "20130524T000000Z",
      ],
      bodyDigest: Self.nothing
    )
    #expect(
      request.authorization(Self.key, at: "20130524T000000Z") == """
        AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,\
        SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,\
        Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41
        """
    )
  }

  @Test func `a PUT of the reference of S3 has its signature`() {
    let digest = SignedRequest.digest("Welcome to Amazon S3.".utf8)
    #expect(digest == "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072")
    let request = SignedRequest(
      method: "PUT",
      path: "/test$file.text",
      headers: [
        "date": "Fri, 24 May 2013 00:00:00 GMT", "host": "examplebucket.s3.amazonaws.com",
        "x-amz-content-sha256": digest, "x-amz-date": "20130524T000000Z",
        "x-amz-storage-class": "REDUCED_REDUNDANCY",
      ],
      bodyDigest: digest
    )
    let signature = request.authorization(Self.key, at: "20130524T000000Z").split(separator: "=")
      .last
    #expect(signature == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
  }

  @Test func `the plain GET of the test suite of version 4 has its signature`() {
    let request = SignedRequest(
      method: "GET",
      path: "/",
      headers: ["host": "example.amazonaws.com", "x-amz-date": "20150830T123600Z"],
      bodyDigest: Self.nothing
    )
    let key = SigningKey(
      accessKey: "AKIDEXAMPLE",
      secretKey: Self.secret,
      region: "us-east-1",
      service: "service"
    )
    let signature = request.authorization(key, at: "20150830T123600Z").split(separator: "=").last
    #expect(signature == "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31")
  }

  @Test func `a path keeps what need not be encoded`() {
    #expect(SignedRequest.encoded(path: "/b/a-._~Z9/x") == "/b/a-._~Z9/x")
    #expect(SignedRequest.encoded(path: "/ä b:+\n") == "/%C3%A4%20b%3A%2B%0A")
  }
}

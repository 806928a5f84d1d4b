import Foundation
import Testing

/// The server with a certificate.
@Suite(.timeLimit(.minutes(10))) struct EncryptionTests {
  @Test func `versions of TLS before 1.2 are refused`() throws {
    let files = try Certificate()
    let server = try ServerProcess(["book"], files.options)
    #expect(server.address.hasPrefix("https://"))
    for version in ["1.2", "1.3"] {
      let options = ["--insecure", "--tlsv\(version)", "--tls-max", version]
      #expect(try server.get("/health", options).status == 200, "\(version)")
    }
    for version in ["1.0", "1.1"] {
      // What our own curl does not offer by default.
      let options = [
        "--insecure", "--tlsv\(version)", "--tls-max", version, "--ciphers", "DEFAULT@SECLEVEL=0",
      ]
      #expect(throws: ServerError.self, "\(version)") { try server.get("/health", options) }
    }
  }

  @Test(arguments: [true, false])
  func `the cookie with the token is sent over TLS only, where there is TLS`(isProxied: Bool) throws
  {
    let files = try Certificate()
    let token = "0123456789abcdef-token"
    let options =
      isProxied ? ["--base-uri", "https://room.example"] : files.options
    let server = try ServerProcess(
      ["book"],
      options + ["--token-file", try files.write("token", Data("\(token)\n".utf8))]
    )
    let answer = try server.get("/?token=\(token)", ["--insecure"])
    #expect(answer.headers["set-cookie"]?.hasSuffix("; Secure") == true)
    let plain = try ServerProcess(["book"], ["--token-file", files.path("token")])
    #expect(try plain.get("/?token=\(token)").headers["set-cookie"]?.contains("Secure") == false)
  }
}

/// A certificate and its key in a folder of their own.
final class Certificate {
  private let folder: URL

  /// The options of a server that has it.
  var options: [String] {
    ["--tls-certificate", path("certificate.pem"), "--tls-key", path("key.pem")]
  }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "recto-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
      "/CN=localhost", "-out", path("certificate.pem"), "-keyout", path("key.pem"),
    ]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw ServerError("openssl makes no certificate") }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appending(path: name).path }

  func write(_ name: String, _ data: Data) throws -> String {
    try data.write(to: URL(filePath: path(name)))
    return path(name)
  }
}

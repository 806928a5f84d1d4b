import Foundation
import Testing

@testable import RectoCommand

/// Whom the server takes for its client, and what it tells of its token.
@Suite(.timeLimit(.minutes(10))) struct ClientAddressTests {
  @Test func `a range has the addresses that begin with its bits, and no other ones`() throws {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let four = Bool.random(using: &generator)
      let bytes = (0..<(four ? 4 : 16)).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let bits = Int.random(in: 0...bytes.count * 8, using: &generator)
      let range = try #require(NetworkRange("\(Self.text(bytes))/\(bits)"))
      var other = bytes
      let flipped = Int.random(in: 0..<bytes.count * 8, using: &generator)
      other[flipped / 8] ^= 0x80 >> UInt8(flipped % 8)
      let changed = try #require(NetworkAddress(Self.text(other)))
      #expect(range.contains(changed) == (flipped >= bits))
      let same = try #require(NetworkAddress(Self.text(bytes)))
      #expect(range.contains(same))
      #expect(NetworkAddress("\(same)") == same)
    }
  }

  private static func text(_ bytes: [UInt8]) -> String {
    guard bytes.count == 16 else { return bytes.map(String.init).joined(separator: ".") }
    return stride(from: 0, to: 16, by: 2)
      .map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16) }.joined(separator: ":")
  }

  @Test(arguments: [
    "", "localhost", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "::/129", "10.0.0/8", "1.2.3.4/8/8",
  ]) func `what is no address is no range`(text: String) {
    #expect(NetworkRange(text) == nil)
  }

  @Test func `the access log has the client of a trusted proxy, and what others say is not taken`()
    throws
  {
    let log = FileManager.default.temporaryDirectory.appending(path: "recto-log-\(UUID())")
    defer { try? FileManager.default.removeItem(at: log) }
    let fields = [
      ("203.0.113.9", "203.0.113.9"), ("spoofed, 203.0.113.9", "203.0.113.9"),
      ("198.51.100.1, 203.0.113.9, 10.1.2.3", "203.0.113.9"), ("2001:db8::7", "2001:db8::7"),
      ("203.0.113.9:4711", "203.0.113.9"), ("[2001:db8::7]:80", "2001:db8::7"),
      ("nonsense", "127.0.0.1"), ("nonsense, 10.1.2.3", "10.1.2.3"), ("", "127.0.0.1"),
    ]
    for proxies in [["--trusted-proxy", "127.0.0.0/8", "--trusted-proxy", "10.0.0.0/8"], []] {
      let server = try ServerProcess(["book"], ["--access-log", log.path] + proxies)
      for (field, _) in fields {
        let options = ["-H", "X-Forwarded-For: \(field)"]
        #expect(try server.get("/health", options).status == 200)
      }
      #expect(server.end() == 128 + SIGTERM)
      let lines = try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
      #expect(lines.count == fields.count)
      for (line, (field, client)) in zip(lines, fields) {
        let expected = proxies.isEmpty ? "127.0.0.1" : client
        #expect(line.hasPrefix("\(expected) - - "), "\(field)")
      }
      try FileManager.default.removeItem(at: log)
    }
  }

  @Test func `the token is not printed to what is no terminal`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "token-\(UUID().uuidString)")
    try Data("0123456789abcdef-token\n".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let server = try ServerProcess(["book"], ["--token-file", file.path])
    #expect(server.line.contains("://127.0.0.1:"))
    #expect(!server.line.contains("token"))
  }
}

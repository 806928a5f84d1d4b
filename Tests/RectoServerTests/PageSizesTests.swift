import Foundation
import TestSupport
import Testing

/// The sizes of several pages in one answer.
@Suite(.timeLimit(.minutes(10))) struct PageSizesTests {
  /// The numbers in an answer.
  private func numbers(_ body: Data) -> [Double] {
    stride(from: 0, to: body.count - 7, by: 8).map { place in
      let bytes = body.dropFirst(place).prefix(8).reversed()
      return Double(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) })
    }
  }

  private func address(_ server: ServerProcess, _ name: String) throws -> (String) -> String {
    let document = try server.get("/api/documents/\(server.id(name))").json()
    let thumbnails = try #require(document["thumbnails"] as? String)
    let parts = thumbnails.split(separator: "/")
    return { "/sizes/\(parts[1])/\(parts[2])/\($0)" }
  }

  @Test func `sizes are those of pages as displayed, and stay valid`() throws {
    let server = try ServerProcess(["mixed-sizes"])
    let address = try address(server, "mixed-sizes")
    let answer = try server.get(address("1-4"))
    #expect(answer.status == 200)
    #expect(answer.headers["cache-control"]?.contains("immutable") == true)
    let sizes = numbers(answer.body).map { ($0 * 1000).rounded() / 1000 }
    #expect(sizes == [595.276, 841.89, 841.89, 595.276, 612, 792, 1190.551, 841.89])
    #expect(try numbers(server.get(address("3-4096")).body).prefix(2) == [612, 792])
    let tag = try #require(answer.headers["etag"])
    #expect(try server.get(address("1-4"), ["-H", "If-None-Match: \(tag)"]).status == 304)
    for wrong in [
      "0-3", "3-2", "1-4097", "1", "1-", "99-100", "1-9223372036854775807",
      "9223372036854775807-9223372036854775807", "1-2.bin",
    ] {
      #expect(try server.get(address(wrong)).status == 404, "\(wrong)")
    }
    let parts = address("1-4").split(separator: "/")
    #expect(try server.get("/sizes/\(parts[1])/x/1-4").status != 200)
    #expect(try server.get("/sizes/0000000000000000/\(parts[2])/1-4").status == 404)
  }

  @Test func `a page that the page tree does not have has no size, and the answer is not kept`()
    throws
  {
    let server = try ServerProcess(["page-missing"])
    let answer = try server.get(address(server, "page-missing")("1-4096"))
    #expect(answer.status == 200 && answer.headers["cache-control"] == "no-store")
    #expect(numbers(answer.body).contains { $0.isNaN })
  }

  @Test func `the layout engine is compressed, or empty if it was not compiled`() throws {
    let server = try ServerProcess()
    let answer = try server.get("/viewer/pagelayout.wasm")
    #expect(answer.status == 200 && answer.headers["content-type"] == "application/wasm")
    #expect(answer.headers["content-encoding"] == (answer.body.isEmpty ? nil : "gzip"))
    #expect(try server.get("/viewer/pagelayout.js").status == 200)
  }
}

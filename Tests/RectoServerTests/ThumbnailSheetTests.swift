import Foundation
import TestSupport
import Testing

/// Thumbnails of several pages in one answer.
@Suite(.timeLimit(.minutes(10))) struct ThumbnailSheetTests {
  /// The pictures in an answer: none of a page that has no bytes.
  private func pictures(_ body: Data) throws -> [Data] {
    var (pictures, rest): ([Data], Data) = ([], body)
    while !rest.isEmpty {
      let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      try #require(rest.count >= 4 + length)
      pictures.append(Data(rest.dropFirst(4).prefix(length)))
      rest = Data(rest.dropFirst(4 + length))
    }
    return pictures
  }

  @Test func `a sheet has the thumbnails of its pages, and stays valid`() throws {
    let server = try ServerProcess()
    let document = try server.get("/api/documents/\(server.id("book"))").json()
    let pages = try #require(document["pages"] as? Int)
    let thumbnails = try #require(document["thumbnails"] as? String)
    func address(_ name: String, _ size: Int = 128) -> String {
      thumbnails.replacing("{size}", with: "\(size)").replacing("{page}.png", with: name)
    }
    let sheet = try server.get(address("1-64.webp"))
    #expect(sheet.status == 200)
    #expect(sheet.headers["cache-control"]?.contains("immutable") == true)
    let all = try pictures(sheet.body)
    #expect(all.count == min(pages, 64))
    for number in [1, 2, all.count] {
      #expect(try server.get(address("\(number).webp")).body == all[number - 1])
    }
    let tag = try #require(sheet.headers["etag"])
    #expect(try server.get(address("1-64.webp"), ["-H", "If-None-Match: \(tag)"]).status == 304)
    #expect(try pictures(server.get(address("2-3.png", 256)).body).count == 2)
    #expect(try pictures(server.get(address("\(pages)-\(pages + 9).jpg")).body).count == 1)
    for wrong in [
      "1-65.webp", "0-3.webp", "3-2.webp", "01-2.webp", "1-2-3.webp", "-1-2.webp", "1-.webp",
      "\(pages + 1)-\(pages + 2).webp", "1-9223372036854775807.webp",
      "9223372036854775807-9223372036854775807.webp", "1-2.gif",
    ] {
      #expect(try server.get(address(wrong)).status == 404, "\(wrong)")
    }
    #expect(try server.get(address("1-2.webp", 100)).status == 404)
    let whole = address("1-2.webp").replacing("/thumbnails/", with: "/pictures/")
    #expect(try server.get(whole).status == 404)
    // As from another build, which this one draws too, but not to be kept.
    let other = try server.get(address("1-2.webp").replacing("/128/", with: "x/128/"))
    #expect(other.status == 200 && other.headers["cache-control"] == "no-store")
  }

  @Test func `a page that cannot be drawn has no bytes, and its sheet is not kept`() throws {
    let server = try ServerProcess(["page-empty"])
    let document = try server.get("/api/documents/\(server.id("page-empty"))").json()
    let thumbnails = try #require(document["thumbnails"] as? String)
    let sheet = try server.get(
      thumbnails.replacing("{size}", with: "128").replacing("{page}.png", with: "1-64.webp")
    )
    #expect(sheet.status == 200 && sheet.headers["cache-control"] == "no-store")
    #expect(try pictures(sheet.body).contains { $0.isEmpty })
  }
}

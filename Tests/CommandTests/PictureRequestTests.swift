import ArgumentParser
import DocumentModel
import Foundation
import RectoGeometry
import RectoKit
import RectoTiles
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import RectoCommand

/// The request `picture` of `serve`.
@Suite(.timeLimit(.minutes(10))) struct PictureRequestTests {
  private final class Lines: Sendable {
    private let texts = Mutex<[String]>([])

    func put(_ bytes: [UInt8]) {
      texts.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) }
    }

    /// The last line that has a text.
    func last(_ text: String) -> String? { texts.withLock { $0.last { $0.contains(text) } } }
  }

  /// A document of a conversation.
  private struct Opened {
    let lines = Lines()
    let document: ServedDocument

    init(_ name: String) async throws {
      let lines = lines
      let path = TestPaths.fixture(name).path
      document = ServedDocument(
        1,
        path: FilePath(path),
        context: ServedDocument.Context.test(
          viewport: Size(width: 256, height: 256),
          output: LineOutput(pictures: .base64) { lines.put($0) }
        ),
        notices: ServedDocument.Notices(opened: { _ in }, measured: {})
      )
      let request = ServeRequest(opening: path)
      guard case .open(let opening) = try request.operation.get() else {
        throw RequestError("no opening")
      }
      await document.open(opening, options: try LayoutOptions.parse([]), request)
    }

    /// The reply to a request.
    func reply(_ members: String) async throws -> [String: Any] {
      let request = ServeRequest(.text(Array(#"{"op":"picture",\#(members)}"#.utf8)))
      guard case .content(_, let content) = try request.operation.get() else {
        throw RequestError("no request for a picture")
      }
      await document.answer(content, request)
      let line = try #require(lines.last(#""reply":"picture""#))
      return try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      )
    }

    func close() async {
      await document.close()
      await document.context.queue.shutdown()
    }
  }

  /// The sides of a page at a scale: a fraction of a pixel is rounded up.
  private func sides(_ size: Size, scale: Double) -> [Int] {
    [size.width, size.height].map { max(1, Int(($0 * scale - 1e-6).rounded(.up))) }
  }

  @Test(arguments: ["mixed-sizes", "rotate", "user-unit", "crop"])
  func `a picture is the one that pages and thumbnails have`(name: String) async throws {
    let opened = try await Opened(name)
    let document = try Document(
      FilePath(TestPaths.fixture(name).path),
      settings: DocumentSettings(cache: nil, workerProgram: FilePath(TestPaths.worker.path))
    )
    let pageCount = try await document.info().pageCount
    for page in 0..<min(pageCount, 4) {
      let info = try await document.page(at: PageIndex(page))
      let longest = max(info.size.width, info.size.height)
      let wanted: [(String, PictureSize, Double)] = [
        (#""size":1"#, .longestSide(1), 1 / longest),
        (#""size":256"#, .longestSide(256), 256 / longest),
        (#""dpi":40.5"#, .resolution(40.5), 40.5 / 72),
      ]
      for (member, size, scale) in wanted {
        let reply = try await opened.reply(#""page":\#(page + 1),\#(member)"#)
        #expect([reply["width"], reply["height"]] as? [Int] == sides(info.size, scale: scale))
        let data = try #require((reply["data"] as? String).flatMap { Data(base64Encoded: $0) })
        let picture = try await document.picture(
          of: PageIndex(page),
          geometry: PictureGeometry(size: size)
        )
        #expect(Array(data) == picture.bytes, "page \(page + 1), \(member)")
        #expect(reply["bytes"] as? Int == data.count)
      }
    }
    await opened.close()
  }

  @Test func `a picture has the format that is asked for`() async throws {
    let starts: [PictureFormat: String] = [
      .png: "\u{89}PNG", .jpeg: "\u{FF}\u{D8}", .webp: "RIFF", .ppm: "P6\n141 200\n255\n",
      .tiff: "II*\0", .svg: "<?xml ", .pdf: "%PDF-1.",
    ]
    let opened = try await Opened("book")
    for format in PictureFormat.allCases {
      let reply = try await opened.reply(#""page":2,"size":200,"format":"\#(format.rawValue)""#)
      let data = try #require((reply["data"] as? String).flatMap { Data(base64Encoded: $0) })
      let start = try #require(starts[format]?.data(using: .isoLatin1))
      #expect(data.starts(with: start), "\(format)")
      if format == .ppm { #expect(data.count == start.count + 141 * 200 * 3) }
    }
    await opened.close()
  }

  @Test func `a picture that cannot be is an error`() async throws {
    let opened = try await Opened("book")
    for members in [#""page":999,"size":9"#, #""page":1,"dpi":2400"#] {
      let reply = try await opened.reply(members)
      #expect((reply["error"] as? [String: Any])?["code"] as? String == "usage", "\(reply)")
    }
    await opened.close()
    for members in [
      #""size":9"#, #""page":1"#, #""page":1,"size":9,"dpi":9"#, #""page":1,"size":0"#,
      #""page":1,"size":16385"#, #""page":1,"dpi":0"#, #""page":1,"dpi":2401"#,
      #""page":1,"size":9,"format":"gif""#,
    ] {
      let request = ServeRequest(.text(Array(#"{"op":"picture",\#(members)}"#.utf8)))
      #expect(throws: RequestError.self, "\(members)") { try request.operation.get() }
    }
  }
}

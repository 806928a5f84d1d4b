import ArgumentParser
import DocumentModel
import Foundation
import RectoGeometry
import RectoKit
import RectoTiles
import SystemPackage
import TestSupport
import Testing

@testable import RectoCommand

/// A conversation that needs no document.
@Suite(.timeLimit(.minutes(10))) struct ServeSessionTests {
  /// The replies to requests, which are sent one after the other.
  private func replies(to requests: [String], host: (any ViewerHost)? = nil) async throws
    -> [String]
  {
    let (output, written) = AsyncStream<String>.makeStream()
    let context = ServedDocument.Context.test(
      host: host,
      output: LineOutput { written.yield(String(decoding: $0, as: UTF8.self)) }
    )
    let session = ServeSession(context, options: try LayoutOptions.parse([]))
    let (lines, sending) = AsyncStream<[UInt8]>.makeStream()
    let (end, ending) = AsyncStream<Never>.makeStream()
    async let run: Void = session.run(lines, until: end)
    var replies: [String] = []
    var lineReader = output.makeAsyncIterator()
    for request in requests {
      sending.yield(Array(request.utf8))
      while let line = await lineReader.next() {
        guard line.hasPrefix(#"{"reply":"#) else { continue }
        replies.append(line)
        break
      }
    }
    ending.finish()
    sending.finish()
    await run
    return replies
  }

  /// A host without documents.
  private struct EmptyHost: ViewerHost {
    func document(named name: String) -> HostedDocument? { nil }

    func open(
      _ document: HostedDocument,
      _ settings: DocumentSettings
    ) async throws(DocumentError) -> (Document, any PublishedPictures) {
      throw DocumentError(.unreadable, during: "open", "there is none")
    }
  }

  @Test func `settings takes the values that it names, and no others`() async throws {
    let names = ["file", "base64", "bytes", "url", "x"]
    let requests = names.map { #"{"op":"settings","pictures":"\#($0)"}"# }
    let own = try await replies(to: requests)
    try #require(own.count == names.count)
    for (name, line) in zip(names, own).prefix(3) {
      #expect(line == #"{"reply":"settings","pictures":"\#(name)"}"# + "\n")
    }
    for line in own.suffix(2) {
      #expect(line.contains("settings.pictures: must be file, base64 or bytes, is"), "\(line)")
    }
    let hosted = try await replies(to: requests, host: EmptyHost())
    try #require(hosted.count == names.count)
    #expect(hosted[3] == #"{"reply":"settings","pictures":"url"}"# + "\n")
    for line in hosted.prefix(3) + hosted.suffix(1) {
      #expect(line.contains("settings.pictures: must be url, is"), "\(line)")
    }
  }

  @Test(arguments: [#"{"op":"cancel"}"#, #"{"op":"cancel","id":null}"#])
  func `a cancellation without an id is an error`(request: String) async throws {
    let line = try #require(try await replies(to: [request]).first)
    #expect(line.contains(#""error":{"code":"usage","message":"cancel.id: missing"}"#), "\(line)")
  }
}

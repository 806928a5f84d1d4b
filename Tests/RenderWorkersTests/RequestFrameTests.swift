import DocumentModel
import Foundation
import RectoBase
import RectoGeometry
import TestSupport
import Testing

/// What a worker answers to bytes on its standard input.
@Suite(.timeLimit(.minutes(10))) struct RequestFrameTests {
  /// The replies of a worker to payloads, until there are `count` that end a request.
  private func replies(to payloads: [[UInt8]], count: Int) throws -> [WorkerReply] {
    let input = try Pipes()
    let output = try Pipes()
    let worker = try ChildProcess(
      URL(filePath: "/bin/bash"),
      ["-c", "exec \"$0\" 3<\"$1\"", TestPaths.worker.path, TestPaths.fixture("book").path],
      input: .descriptor(input.reading.descriptor),
      output: .descriptor(output.writing.descriptor)
    )
    output.writing.close()
    try input.writing.write(Data(payloads.flatMap { Frame.framed($0) }))
    var reader = FrameReader()
    var replies: [WorkerReply] = []
    while replies.count(where: Self.endsRequest) < count {
      let bytes = try output.reading.read()
      guard !bytes.isEmpty else { break }
      Array(bytes).withUnsafeBytes { reader.append($0) }
      while let payload = try reader.next() { replies.append(try WorkerReply(payload: payload)) }
    }
    input.writing.close()
    #expect(worker.wait() == 0)
    return replies
  }

  private static func endsRequest(_ reply: WorkerReply) -> Bool {
    switch reply {
    case .opened, .done, .failed: true
    default: false
    }
  }

  @Test(arguments: [[], [255], [0], [2, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]])
  func `a request that cannot be read costs itself only`(payload: [UInt8]) throws {
    let open = WorkerRequest.open(password: nil, subset: nil)
    let measure = WorkerRequest.measure(0..<1)
    let payloads = [payload, open.payload, payload, measure.payload, payload]
    let replies = try replies(to: payloads, count: payloads.count)
    let errors = replies.filter {
      if case .failed(let error) = $0 { error.code == .fault } else { false }
    }
    #expect(errors.count == 3, "\(replies)")
    #expect(replies.contains { if case .opened = $0 { true } else { false } })
    #expect(replies.contains { if case .measured = $0 { true } else { false } })
  }
}

// A libFuzzer target over the messages between the command, its workers and its other programs.

import DocumentModel
import RectoBase
import RectoTiles

/// One input, as a stream that arrives in portions, and as one payload of each kind: what can be read is written and
/// read to the same bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFrames(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  readStream(bytes)
  let payload = bytes[...]
  check((try? WorkerRequest(payload: payload))?.payload) { try? WorkerRequest(payload: $0).payload }
  check((try? WorkerReply(payload: payload))?.payload) { try? WorkerReply(payload: $0).payload }
  check((try? SharedCacheRequest(payload: payload))?.payload) {
    try? SharedCacheRequest(payload: $0).payload
  }
  check((try? SharedCacheReply(payload: payload))?.payload) {
    try? SharedCacheReply(payload: $0).payload
  }
  return 0
}

private func check(_ written: [UInt8]?, _ again: (ArraySlice<UInt8>) -> [UInt8]?) {
  guard let written else { return }
  precondition(
    again(written[...]) == written,
    "a message that is another one when it is read again"
  )
}

/// Cuts the stream into portions as long as its own bytes say.
private func readStream(_ bytes: [UInt8]) {
  let limit = 1 << 12
  var reader = FrameReader()
  var rest = bytes[...]
  var whole: [UInt8] = []
  while let first = rest.first {
    let portion = rest.prefix(Int(first) % 61 + 1)
    rest = rest.dropFirst(portion.count)
    Array(portion).withUnsafeBytes { reader.append($0) }
    do {
      while let payload = try reader.next(atMost: limit) {
        precondition(payload.count <= limit, "a payload beyond the limit")
        whole += Frame.framed(Array(payload))
      }
    } catch {
      return
    }
  }
  precondition(bytes.starts(with: whole), "other bytes than those of the stream")
}

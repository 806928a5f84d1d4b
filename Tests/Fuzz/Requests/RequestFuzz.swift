// A libFuzzer target over the requests to `recto serve`.

import DocumentModel

@testable import RectoCommand

/// One input: a line. What its layout changes and its text names is read as well.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRequest(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  let request = ServeRequest(.text(bytes))
  if let id = request.id {
    precondition(id.count <= ServeRequest.longestID, "an id that is too long")
    // Of which numbers can have any size, unlike those of other members.
    var text: [UInt8]?
    let reply = Array(#"{"id":"#.utf8) + id + Array("}".utf8)
    precondition(
      (try? JSONValue(parsing: reply, member: "id", text: &text)) != nil,
      "an id that is no JSON"
    )
    precondition(text == id, "an id that is another in a reply")
  }
  guard case .success(let operation) = request.operation else { return 0 }
  let changes: [String: JSONValue]
  switch operation {
  case .open(let opening): changes = opening.layout
  case .layout(_, let members): changes = members
  default: return 0
  }
  guard let options = try? defaults.changed(by: changes) else { return 0 }
  _ = try? options.configuration(for: DocumentInfo(pageCount: 7), path: "a.pdf")
  return 0
}

private let defaults: LayoutOptions = {
  guard let options = try? LayoutOptions.parse([]) else { preconditionFailure("no options") }
  return options
}()

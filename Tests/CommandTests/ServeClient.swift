import Foundation
import TestSupport
import Testing

/// A client of `recto serve` that exchanges lines, as any other program would.
final class ServeClient {
  typealias Line = [String: Any]

  private let process: ChildProcess
  private let requests: PipeEnd
  private let replies: PipeEnd
  private var buffer = Data()
  private var events: [Line] = []
  private var count = 0
  /// The first line; nil until one was read.
  private(set) var hello: Line?

  var processIdentifier: pid_t { process.processIdentifier }

  init(
    _ sandbox: CommandSandbox,
    _ arguments: [String] = [],
    environment more: [String: String] = [:]
  ) throws {
    let input = try Pipes()
    let output = try Pipes()
    process = try ChildProcess(
      TestPaths.recto,
      ["serve", "--stdio"] + arguments,
      environment: sandbox.environment.merging(more) { $1 },
      folder: sandbox.folder.url,
      input: .descriptor(input.reading.descriptor),
      output: .descriptor(output.writing.descriptor)
    )
    requests = input.writing
    replies = output.reading
    input.reading.close()
    output.writing.close()
  }

  /// Sends a line as it is.
  func send(_ text: String) throws {
    try requests.write(Data((text + "\n").utf8))
  }

  /// Sends a request and returns its reply; events that come before it are kept for ``event()``.
  func ask(_ operation: String, _ members: Line = [:]) throws -> Line {
    count += 1
    let id = "request \(count)"
    let request = members.merging(["op": operation, "id": id]) { $1 }
    let bytes = try JSONSerialization.data(withJSONObject: request)
    try send(String(decoding: bytes, as: UTF8.self))
    while let line = try line() {
      if line["reply"] != nil, line["id"] as? String == id {
        if line["error"] == nil {
          RecordedOutput.add(String(decoding: bytes, as: UTF8.self), to: "serve-request")
        }
        return line
      }
      events.append(line)
    }
    throw ServeClientError("no reply to \(operation)")
  }

  /// As ``ask(_:_:)``, and the reply must be no error.
  func done(_ operation: String, _ members: Line = [:]) throws -> Line {
    let reply = try ask(operation, members)
    if let error = reply["error"] { throw ServeClientError("\(operation): \(error)") }
    return reply
  }

  /// The reply to a request that was sent as a line; events that come before it are kept.
  func reply(to id: Int) throws -> Line {
    while let line = try line() {
      if line["reply"] != nil, line["id"] as? Int == id { return line }
      events.append(line)
    }
    throw ServeClientError("no reply to \(id)")
  }

  /// The next event of a kind; others are dropped.
  func next(_ name: String) throws -> Line {
    while let event = try event() {
      if event["event"] as? String == name { return event }
    }
    throw ServeClientError("the engine ended without \(name)")
  }

  /// The next event or reply that has not been returned yet; nil at the end.
  func event() throws -> Line? {
    events.isEmpty ? try line() : events.removeFirst()
  }

  /// All events up to the one that says there is nothing left to do.
  func eventsUntilIdle() throws -> [Line] {
    var all: [Line] = []
    while let event = try event() {
      if event["event"] as? String == "idle" { return all }
      all.append(event)
    }
    throw ServeClientError("the engine ended before it was idle")
  }

  /// Closes the engine's input, and returns what it still said and its exit code.
  func end() throws -> (lines: [Line], code: Int32) {
    requests.close()
    var rest: [Line] = []
    while let line = try event() { rest.append(line) }
    return (rest, process.wait())
  }

  /// Closes both ends, as a client that was killed, and returns the exit code.
  func leave() -> Int32 {
    requests.close()
    replies.close()
    return process.wait(seconds: 60)
  }

  /// Sends a signal and returns the exit code; 137 when that does not end the engine.
  func end(with signal: Int32) -> Int32 {
    process.send(signal)
    return process.wait(seconds: 10)
  }

  private func line() throws -> Line? {
    while let text = try text() {
      var line = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Line
      if line?["follows"] as? Bool == true {
        let picture = try bytes(Int(line?.number("bytes") ?? 0))
        line?["picture"] = picture
      }
      guard line?["event"] as? String == "hello" else { return line }
      hello = line
    }
    return nil
  }

  /// So many bytes that follow a line.
  private func bytes(_ count: Int) throws -> Data {
    while buffer.count < count {
      let more = try replies.read()
      if more.isEmpty { throw ServeClientError("\(count) bytes were announced") }
      buffer.append(more)
    }
    defer { buffer = Data(buffer.dropFirst(count)) }
    return Data(buffer.prefix(count))
  }

  /// The next line as it is; nil at the end.
  func text() throws -> String? {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        let text = buffer[buffer.startIndex..<end]
        buffer = Data(buffer[(end + 1)...])
        let line = String(decoding: text, as: UTF8.self)
        RecordedOutput.add(line, to: line.hasPrefix(#"{"reply""#) ? "serve-reply" : "serve-event")
        return line
      }
      let more = try replies.read()
      guard !more.isEmpty else {
        try #require(buffer.isEmpty, "half a line at the end")
        return nil
      }
      buffer.append(more)
    }
  }
}

struct ServeClientError: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) {
    self.description = description
  }
}

extension ServeClient.Line {
  func number(_ path: String...) -> Double? {
    var value: Any? = self
    for key in path { value = (value as? [String: Any])?[key] }
    return (value as? NSNumber)?.doubleValue
  }

  /// The pages of a reply or a geometry event.
  var scenePages: [ServeClient.Line] {
    (self["spreads"] as? [ServeClient.Line] ?? []).flatMap {
      $0["pages"] as? [ServeClient.Line] ?? []
    }
  }

  /// The tiles that a window consists of.
  var wantedTiles: Set<ServedTile> {
    Set(
      scenePages.flatMap { page in
        (page["tiles"] as? [ServeClient.Line] ?? []).compactMap {
          ServedTile(page: page.number("number"), raster: page, tile: $0)
        }
      }
    )
  }

  /// The tile that an event brings; nil when it is another event.
  var servedTile: ServedTile? {
    guard self["event"] as? String == "tile" else { return nil }
    return ServedTile(page: number("page"), raster: self, tile: self)
  }
}

/// What tells tiles apart.
struct ServedTile: Hashable {
  var page: Int
  var width: Int
  var height: Int
  var column: Int
  var row: Int

  init?(page: Double?, raster: ServeClient.Line, tile: ServeClient.Line) {
    guard let page, let width = raster.number("raster", "width"),
      let height = raster.number("raster", "height"), let column = tile.number("column"),
      let row = tile.number("row")
    else { return nil }
    self.page = Int(page)
    self.width = Int(width)
    self.height = Int(height)
    self.column = Int(column)
    self.row = Int(row)
  }
}

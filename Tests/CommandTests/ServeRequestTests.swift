import Foundation
import TestSupport
import Testing

/// What requests may hold, and what is wrong with the others.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ServeRequestTests {
  /// What a member takes.
  private enum Kind {
    /// A number in a range; `missing` tells whether it is needed.
    case number(ClosedRange<Double>, isNeeded: Bool = false)
    case aboveZero(Double)
    case whole(Int, isNeeded: Bool = false)
    case bool, text
    case object
  }

  private static let coordinates = -1e15...1e15

  /// Members of requests; `rest` is what the request needs besides.
  private static var members: [(op: String, path: String, kind: Kind, rest: ServeClient.Line)] {
    var all: [(String, String, Kind, ServeClient.Line)] = []
    for op in ["view", "open"] {
      let rest: ServeClient.Line = op == "open" ? ["path": "book.pdf"] : [:]
      for point in ["offset", "by", "velocity"] {
        all.append((op, point, .object, rest))
        all.append((op, point + ".x", .number(coordinates), rest))
        all.append((op, point + ".y", .number(coordinates), rest))
      }
      all += [
        (op, "anchor", .object, rest), (op, "anchor.page", .whole(1, isNeeded: true), rest),
        (
          op, "anchor.fraction", .number(coordinates),
          rest.merging(["anchor": ["page": 2]]) { $1 }
        ),
        (
          op, "anchor.across", .number(coordinates),
          rest.merging(["anchor": ["page": 2]]) { $1 }
        ),
        (
          op, "anchor.occurrence", .whole(0),
          rest.merging(["anchor": ["page": 2]]) { $1 }
        ),
        (op, "place", .object, rest), (op, "place.page", .whole(1, isNeeded: true), rest),
        (op, "place.x", .number(coordinates), rest.merging(["place": ["page": 2]]) { $1 }),
        (op, "spread", .whole(0), rest), (op, "progress", .number(0...1), rest),
        (op, "geometry", .whole(1), rest), (op, "viewport", .object, rest),
        (
          op, "viewport.width", .number(0...1e15, isNeeded: true),
          rest.merging(["viewport": ["height": 300]]) { $1 }
        ),
        (
          op, "viewport.height", .number(0...1e15, isNeeded: true),
          rest.merging(["viewport": ["width": 300]]) { $1 }
        ), (op, "zoom", .aboveZero(1e6), rest), (op, "scale", .aboveZero(1000), rest),
      ]
    }
    all += [
      ("open", "path", .text, [:]), ("open", "password", .text, ["path": "book.pdf"]),
      ("open", "layout", .object, ["path": "book.pdf"]), ("layout", "layout", .object, [:]),
      ("view", "transition", .bool, [:]), ("zoom", "factor", .aboveZero(1e6), [:]),
      ("zoom", "zoom", .aboveZero(1e6), [:]), ("zoom", "about", .object, ["factor": 2]),
      (
        "zoom", "about.x", .number(coordinates, isNeeded: true),
        ["factor": 2, "about": ["y": 1]]
      ),
      (
        "zoom", "about.y", .number(coordinates, isNeeded: true),
        ["factor": 2, "about": ["x": 1]]
      ), ("page", "at", .object, [:]),
      ("page", "at.x", .number(coordinates, isNeeded: true), ["at": ["y": 1]]),
      ("page", "at.y", .number(coordinates, isNeeded: true), ["at": ["x": 1]]),
      ("page", "geometry", .whole(1), ["at": ["x": 1, "y": 1]]),
      ("destination", "page", .whole(1, isNeeded: true), ["type": "Fit"]),
      ("destination", "type", .text, ["page": 1]),
      ("destination", "keepZoom", .bool, ["page": 1, "type": "Fit"]),
      ("destination", "zoom", .number(0...1e6), ["page": 1, "type": "XYZ"]),
      ("settings", "pictures", .text, [:]), ("destination", "name", .text, [:]),
    ]
    all += contentMembers
    for side in ["left", "top"] {
      all.append(
        ("destination", side, .number(coordinates), ["page": 1, "type": "XYZ"])
      )
    }
    for side in ["left", "bottom", "right", "top"] {
      var rest: ServeClient.Line = ["left": 1, "bottom": 1, "right": 9, "top": 9]
      rest[side] = nil
      rest.merge(["page": 1, "type": "FitR"]) { $1 }
      all.append(("destination", side, .number(coordinates, isNeeded: true), rest))
    }
    for op in ["view", "layout", "zoom", "page", "destination", "close", "reload"] {
      let rest: ServeClient.Line =
        switch op {
        case "zoom": ["factor": 1]
        case "page": ["at": ["x": 1, "y": 1]]
        case "destination": ["page": 1, "type": "Fit"]
        default: [:]
        }
      all.append((op, "document", .whole(1), rest))
    }
    return all
  }

  /// Members of requests for what lies on pages.
  private static var contentMembers: [(String, String, Kind, ServeClient.Line)] {
    let words: ServeClient.Line = ["words": "leaves"]
    let point: ServeClient.Line = ["x": 1, "y": 1]
    var all: [(String, String, Kind, ServeClient.Line)] = [
      ("text", "page", .whole(1, isNeeded: true), [:]), ("text", "area", .object, ["page": 1]),
      ("text", "characters", .bool, ["page": 1]), ("text", "styles", .bool, ["page": 1]),
      ("text", "coordinates", .text, ["page": 1]), ("links", "page", .whole(1), [:]),
      ("links", "at", .object, [:]),
      ("links", "at.x", .number(coordinates, isNeeded: true), ["at": ["y": 1]]),
      ("links", "at.y", .number(coordinates, isNeeded: true), ["at": ["x": 1]]),
      ("links", "geometry", .whole(1), ["at": point]), ("search", "words", .text, [:]),
      ("search", "pages", .text, words), ("search", "caseSensitive", .bool, words),
      ("search", "diacritics", .bool, words), ("search", "wholeWords", .bool, words),
      ("search", "from", .whole(1), words), ("search", "context", .whole(0), words),
      ("search", "maxCount", .whole(1), words), ("search", "coordinates", .text, words),
      ("picture", "page", .whole(1, isNeeded: true), ["size": 64]),
      ("picture", "size", .whole(1), ["page": 1]),
      ("picture", "dpi", .aboveZero(2400), ["page": 1]),
      ("picture", "format", .text, ["page": 1, "size": 64]),
      ("select", "geometry", .whole(1), ["from": point, "to": point]),
      ("select", "unit", .text, ["from": point, "to": point]),
      ("select", "joinHyphens", .bool, ["from": point, "to": point]),
    ]
    for side in ["x", "y", "width", "height"] {
      var area: ServeClient.Line = ["x": 1, "y": 1, "width": 1, "height": 1]
      area[side] = nil
      let range = side.count > 1 ? 0...1e15 : coordinates
      all.append(
        ("text", "area.\(side)", .number(range, isNeeded: true), ["page": 1, "area": area])
      )
    }
    for (end, other) in [("from", "to"), ("to", "from")] {
      all.append(("select", end, .object, [other: point]))
      all.append(
        ("select", "\(end).x", .number(coordinates, isNeeded: true), [other: point, end: ["y": 1]])
      )
    }
    for op in ["text", "links", "search", "select", "outline", "picture"] {
      let rest: ServeClient.Line =
        switch op {
        case "text", "links": ["page": 1]
        case "picture": ["page": 1, "size": 64]
        case "search": words
        case "select": ["from": point, "to": point]
        default: [:]
        }
      all.append((op, "document", .whole(1), rest))
    }
    return all
  }

  /// Values that the member must not have, and what the message has to say of each.
  private static func wrong(_ kind: Kind) -> [(value: Any, words: String)] {
    let types: [Any] = ["NaN", true, [1], ["q": 1]]
    func others(_ words: String, but: Int) -> [(Any, String)] {
      types.enumerated().filter { $0.offset != but }.map { ($0.element, words) }
    }
    switch kind {
    case .number(let range, _):
      let words = "must be between \(Int(range.lowerBound)) and \(Int(range.upperBound)), is "
      return others("must be a number, is ", but: -1) + [
        (range.lowerBound * 1.5 - 1, words), (range.upperBound * 1.5 + 5, words), (1e300, words),
        (-1e300, words),
      ]
    case .aboveZero(let limit):
      let words = "must be above 0 and at most \(Int(limit)), is "
      return others("must be a number, is ", but: -1) + [
        (0, words), (-1, words), (limit + 1, words), (1e300, words),
      ]
    case .whole(let least, _):
      let words = "must be at least \(least), is "
      return others("must be a number, is ", but: -1) + [
        (least - 1, words), (-1e9, words), (1.5, "must be a whole number, is 1.5"),
        (1e300, "must be a whole number, is "),
      ]
    case .bool: return others("must be true or false, is ", but: 1) + [(1, "is 1")]
    case .text: return others("must be a string, is ", but: 0) + [(1, "is 1")]
    case .object: return others("must be an object, is ", but: 3) + [(1, "is 1")]
    }
  }

  /// The request with a value at a path; nil leaves it out.
  private static func request(
    _ op: String,
    _ path: String,
    _ value: Any?,
    _ rest: ServeClient.Line
  ) -> ServeClient.Line {
    var request = rest
    let keys = path.split(separator: ".").map(String.init)
    if keys.count == 1 {
      request[keys[0]] = value
    } else {
      var object = rest[keys[0]] as? ServeClient.Line ?? [:]
      object[keys[1]] = value
      request[keys[0]] = object
    }
    return request
  }

  @Test func `a member with a wrong value is an error that names member, value and range`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("book", to: "book.pdf")
    let client = try ServeClient(sandbox, ["book.pdf", "--sizes", "estimated"])
    _ = try client.eventsUntilIdle()
    let before = try client.done("view")
    for member in Self.members {
      for (value, words) in Self.wrong(member.kind) {
        let request = Self.request(member.op, member.path, value, member.rest)
        let reply = try client.ask(member.op, request)
        let error = reply["error"] as? ServeClient.Line
        let message = error?["message"] as? String ?? ""
        #expect(error?["code"] as? String == "usage", "\(member.op) \(request): \(reply)")
        #expect(message.hasPrefix("\(member.op).\(member.path): "), "\(request): \(message)")
        #expect(message.contains(words), "\(request): \(message)")
      }
      if case .number(_, isNeeded: true) = member.kind {
        let reply = try client.ask(
          member.op,
          Self.request(member.op, member.path, nil, member.rest)
        )
        let message = (reply["error"] as? ServeClient.Line)?["message"] as? String
        #expect(message == "\(member.op).\(member.path): missing")
      }
    }
    let after = try client.done("view")
    for key in ["geometry", "zoom", "pixelScale", "current"] {
      #expect(after.number(key) == before.number(key), "\(key)")
    }
    #expect(try client.done("stats")["documents"] as? [Int] == [1])
    #expect(try client.end().code == 0)
  }

  @Test func `the ends of each range are accepted`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("book", to: "book.pdf")
    let client = try ServeClient(sandbox, ["book.pdf", "--sizes", "estimated"])
    for member in Self.members where member.op == "view" {
      guard case .number(let range, _) = member.kind else { continue }
      for value in [range.lowerBound, range.upperBound] {
        let request = Self.request("view", member.path, value, member.rest)
        let error = try client.ask("view", request)["error"] as? ServeClient.Line
        let message = error?["message"] as? String ?? ""
        // The layout may have something against it, but not the member.
        #expect(!message.contains("must be between"), "\(request): \(message)")
      }
    }
    #expect(try client.end().code == 0)
  }

  @Test func `a missing coordinate of an offset is the present one`() throws {
    let sandbox = try CommandSandbox()
    let client = try ServeClient(
      sandbox,
      [fixture("mixed-sizes"), "--viewport", "200x200", "--zoom", "2"]
    )
    _ = try client.eventsUntilIdle()
    let start = try client.done("view", ["offset": ["x": 150, "y": 900]])
    #expect(start.number("viewport", "x") == 150)
    #expect(start.number("viewport", "y") == 900)
    let across = try client.done("view", ["offset": ["x": 60]])
    #expect(across.number("viewport", "x") == 60)
    #expect(across.number("viewport", "y") == 900)
    let along = try client.done("view", ["offset": ["y": 1200]])
    #expect(along.number("viewport", "x") == 60)
    #expect(along.number("viewport", "y") == 1200)
    // In an older geometry the present place has another offset.
    let anchor = try #require(along.number("anchor", "page"))
    let zoomed = try client.done("zoom", ["zoom": 3, "about": ["x": 0, "y": 0]])
    #expect(zoomed.number("anchor", "page") == anchor)
    let back = try client.done(
      "view",
      ["offset": ["x": 0], "geometry": try #require(along.number("geometry"))]
    )
    let moved = (back.number("viewport", "y") ?? 0) - (zoomed.number("viewport", "y") ?? 0)
    #expect(abs(moved) < 0.01)
    let empty = try client.ask("view", ["offset": ServeClient.Line()])
    #expect(
      (empty["error"] as? ServeClient.Line)?["message"] as? String
        == "view.offset: needs x, y or both"
    )
    #expect(try client.end().code == 0)
  }

  @Test func `a byte order mark at the start and empty lines are ignored`() throws {
    let sandbox = try CommandSandbox()
    let input =
      Data([0xEF, 0xBB, 0xBF]) + Data("{\"op\":\"stats\",\"id\":1}\n\n\r\n  \t\n".utf8)
      + Data("{\"op\":\"stats\",\"id\":2}\r\n\n".utf8)
    let lines = try sandbox.recto(["serve", "--stdio"], input: input).jsonLines()
    #expect(lines.compactMap { $0.number("id") } == [1, 2])
    #expect(lines.allSatisfy { $0["error"] == nil })
    // Only at the start.
    let later = Data("{\"op\":\"stats\"}\n".utf8) + input
    let replies = try sandbox.recto(["serve", "--stdio"], input: later).jsonLines()
      .filter { $0["reply"] != nil }
    #expect(replies.map { $0["error"] != nil } == [false, true, false])
  }

  @Test func `a document without pages cannot be opened`() throws {
    let sandbox = try CommandSandbox()
    let client = try ServeClient(sandbox)
    for reader in ["tree", "poppler"] {
      let client = try ServeClient(sandbox, ["--page-reader", reader])
      let error = try client.ask("open", ["path": fixture("zero-pages")])["error"]
      #expect((error as? ServeClient.Line)?["code"] as? String == "damaged")
      #expect((error as? ServeClient.Line)?["message"] as? String == "the document has no pages")
      #expect(try client.end().code == 0)
    }
    #expect(try client.done("stats")["documents"] as? [Int] == [])
  }

  @Test func `the first line says what the reference says`() throws {
    let sandbox = try CommandSandbox()
    let client = try ServeClient(sandbox)
    _ = try client.done("stats")
    let hello = try #require(client.hello)
    let version = try sandbox.recto("--version").text.trimmingCharacters(in: .newlines)
    #expect(hello["program"] as? String == version)
    #expect(hello.number("protocol") == 1)
    let reference = try String(
      contentsOf: TestPaths.root.appending(path: "docs/SERVE.md"),
      encoding: .utf8
    )
    func rows(_ start: String) throws -> [String] {
      let table = try #require(reference.components(separatedBy: start).dropFirst().first)
      return table.components(separatedBy: "\n\n")[0].matches(of: /(?m)^\| `(\w+)` \|/).map {
        String($0.1)
      }
    }
    #expect(hello["operations"] as? [String] == (try rows("| `op` |")))
    #expect(hello["events"] as? [String] == (try rows("| `event` |")))
    #expect(hello["transports"] as? [String] == ["file", "base64", "bytes"])
    for operation in hello["operations"] as? [String] ?? [] {
      let message = (try client.ask(operation)["error"] as? ServeClient.Line)?["message"]
      #expect((message as? String)?.contains("unknown") != true, "\(operation)")
      if operation == "stats" { break }
    }
  }
}

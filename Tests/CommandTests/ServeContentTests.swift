import Foundation
import TestSupport
import Testing

/// Text, links, the outline, selections and searches in `serve`.
@Suite(.timeLimit(.minutes(10))) struct ServeContentTests {
  private typealias Line = ServeClient.Line

  private let sandbox: CommandSandbox

  init() throws { sandbox = try CommandSandbox() }

  private static let window: [String] = ["--viewport", "500x600", "--sizes", "exact"]

  private static func objects(_ value: Line?, _ key: String) -> [Line] {
    value?[key] as? [Line] ?? []
  }

  private static func words(_ reply: Line) -> [Line] {
    objects(reply, "blocks").flatMap { objects($0, "lines") }.flatMap { objects($0, "words") }
  }

  private static func center(_ area: Line) -> Line {
    [
      "x": (area.number("x") ?? 0) + (area.number("width") ?? 0) / 2,
      "y": (area.number("y") ?? 0) + (area.number("height") ?? 0) / 2,
    ]
  }

  /// Whether two points are the same but for rounding.
  private static func near(_ one: Line, _ other: Line) -> Bool {
    ["x", "y"].allSatisfy { abs((one.number($0) ?? 0) - (other.number($0) ?? 1e9)) < 1e-4 }
  }

  private static func code(_ reply: Line) -> String? {
    (reply["error"] as? Line)?["code"] as? String
  }

  @Test("A word in content coordinates is where the request page finds the word on its page")
  func wordsInContent() throws {
    let client = try ServeClient(
      sandbox,
      [fixture("book"), "--spread", "double", "--zoom", "1.7"] + Self.window
    )
    for page in [1, 9] {
      let onPage = try client.done("text", ["page": page])
      let inContent = try client.done("text", ["page": page, "coordinates": "content"])
      #expect(onPage["geometry"] == nil && inContent["geometry"] != nil)
      #expect(inContent["text"] as? String == onPage["text"] as? String)
      let pairs = zip(Self.words(onPage), Self.words(inContent))
      for (word, shown) in pairs {
        let hit = try client.done("page", ["at": Self.center(shown)])
        #expect(hit.number("page", "number") == Double(page))
        let point = (hit["page"] as? Line)?["point"] as? Line
        #expect(Self.near(try #require(point), Self.center(word)))
      }
      #expect(Self.words(onPage).count == Self.words(inContent).count)
    }
    #expect(try client.end().code == 0)
  }

  @Test func `annotations and attached files are those of info`() throws {
    let options = ["info", fixture("notes"), "--json", "--annotations", "--attachments"]
    let info = try sandbox.recto(options).json()
    let client = try ServeClient(sandbox, [fixture("notes")] + Self.window)
    let all = try client.done("annotations", ["first": 1, "count": 1000])
    let files = try client.done("attachments", [:])
    for (reply, name) in [(all, "annotations"), (files, "attachments")] {
      #expect(reply[name] as? NSArray == info[name] as? NSArray)
    }
    #expect(all["next"] == nil && all["unreadable"] == nil)
    let second = try client.done("annotations", ["first": 2])
    #expect(Self.objects(second, "annotations").count == 2)
    #expect(Self.code(try client.ask("annotations", ["first": 4])) == "usage")
    #expect(try client.end().code == 0)
  }

  @Test func `a reply with many annotations ends with a page, and the next one goes on`() throws {
    let path = sandbox.folder.path("many.pdf")
    let note = "<< /Subtype /Text /Contents (\(String(repeating: "word ", count: 10_000))) >>"
    let annotations = String(repeating: note, count: 12)
    let pages = 9
    let kids = (0..<pages).map { "\($0 + 4) 0 R" }.joined(separator: " ")
    try TestPDF.write(
      objects: [
        "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [\(kids)] /Count \(pages) >>",
        "[\(annotations)]",
      ]
        + (0..<pages).map { _ in
          "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Annots 3 0 R >>"
        },
      to: path
    )
    let client = try ServeClient(sandbox, [path] + Self.window)
    var (first, replies, counted) = (1, 0, 0)
    while first <= pages {
      let reply = try client.done("annotations", ["first": first, "count": 1000])
      counted += Self.objects(reply, "annotations").count
      replies += 1
      first = (reply["next"] as? Int) ?? pages + 1
    }
    #expect(replies == 5 && counted == 12 * pages)
    #expect(try client.end().code == 0)
  }

  @Test("Pages tell their labels, and a label its first page")
  func labels() throws {
    let client = try ServeClient(sandbox, [fixture("book")] + Self.window)
    let some = try client.done("pages", ["first": 3, "count": 3])
    #expect(Self.objects(some, "pages").map { $0["label"] as? String } == ["iii", "iv", "1"])
    #expect(Self.objects(some, "pages").map { $0.number("number") } == [3, 4, 5])
    // The last ones, of which there are fewer.
    let last = try client.done("pages", ["first": 12, "count": 1000])
    #expect(Self.objects(last, "pages").count == 1)
    let labeled = try client.done("pages", ["label": "iv"])
    #expect(Self.objects(labeled, "pages").map { $0.number("number") } == [4])
    let none = try client.done("pages", ["label": "no such label"])
    #expect(Self.objects(none, "pages").isEmpty)
    for wrong: Line in [["first": 13], ["first": 0], ["first": 1, "count": 1001], [:]] {
      #expect(Self.code(try client.ask("pages", wrong)) == "usage")
    }
    #expect(try client.end().code == 0)
  }

  @Test("The link under a point is the topmost one there, on pages with any rotation and user unit")
  func linksAtPoints() throws {
    let client = try ServeClient(sandbox, [fixture("links"), "--zoom", "1.3"] + Self.window)
    var found = 0
    for page in 1...6 {
      let onPage = Self.objects(try client.done("links", ["page": page]), "links")
      let shown = Self.objects(
        try client.done("links", ["page": page, "coordinates": "content"]),
        "links"
      )
      #expect(onPage.count == shown.count)
      for (link, place) in zip(onPage, shown) {
        for area in Self.objects(place, "areas") {
          let center = Self.center(area)
          let reply = try client.done("links", ["at": center])
          let hit = try #require(reply["link"] as? Line)
          #expect(hit.number("page") == Double(page))
          let isTopmost = shown.last { other in
            Self.objects(other, "areas").contains { Self.contains($0, center) }
          }
          #expect(
            NSDictionary(dictionary: hit["target"] as? Line ?? [:])
              == NSDictionary(dictionary: isTopmost?["target"] as? Line ?? [:])
          )
          found += 1
        }
        _ = link
      }
    }
    #expect(found > 15)
    #expect(try client.done("links", ["at": ["x": -50, "y": -50]])["link"] is NSNull)
    #expect(try client.end().code == 0)
  }

  private static func contains(_ area: Line, _ point: Line) -> Bool {
    guard let x = area.number("x"), let y = area.number("y"), let width = area.number("width"),
      let height = area.number("height"), let across = point.number("x"),
      let down = point.number("y")
    else { return false }
    return across >= x && across < x + width && down >= y && down < y + height
  }

  @Test("A destination is reached by its name, and a name that there is not changes nothing")
  func names() throws {
    let client = try ServeClient(sandbox, [fixture("links")] + Self.window)
    _ = try client.eventsUntilIdle()
    let before = try client.done("view")
    let reply = try client.ask("destination", ["name": "no such name"])
    #expect(Self.code(reply) == "usage")
    #expect(try client.done("view").number("geometry") == before.number("geometry"))
    let scene = try client.done("destination", ["name": "fitv.4", "keepZoom": true])
    #expect(scene.number("current") == 4)
    #expect(try client.end().code == 0)
  }

  @Test("A selection over two pages is the same in both directions, and its text that of its pages")
  func selection() throws {
    let client = try ServeClient(sandbox, [fixture("book"), "--pages", "9-10"] + Self.window)
    func words(_ page: Int) throws -> [Line] {
      Self.words(try client.done("text", ["page": page, "coordinates": "content"]))
    }
    let first = try #require(try words(9).first)
    let last = try #require(try words(10).last)
    let ends = (Self.center(first), Self.center(last))
    let forward = try client.done("select", ["from": ends.0, "to": ends.1, "unit": "word"])
    let backward = try client.done("select", ["from": ends.1, "to": ends.0, "unit": "word"])
    #expect(forward["text"] as? String == backward["text"] as? String)
    let pages = Self.objects(forward, "pages")
    #expect(pages.map { $0.number("page") } == [9, 10])
    let texts = try [9, 10].map { try client.done("text", ["page": $0])["text"] as? String ?? "" }
    #expect(forward["text"] as? String == texts.joined(separator: "\n"))
    let one = try client.done(
      "select",
      ["from": ends.0, "to": ends.0, "unit": "word", "coordinates": "content"]
    )
    #expect(one["text"] as? String == first["text"] as? String)
    let area = try #require(Self.objects(Self.objects(one, "pages").first, "areas").first)
    #expect(Self.contains(area, ends.0))
    #expect(try client.end().code == 0)
  }

  @Test(
    "Slanted words have corners wherever they are told, in points and in content coordinates",
    arguments: ["0", "90", "270"]
  )
  func corners(rotation: String) throws {
    let slanted = "0.8 0.6 -0.6 0.8 100 100 Tm (slanted words) Tj 1 0 0 1 20 20 Tm (upright) Tj"
    let path = try sandbox.file("slanted.pdf", TextPages.pages(1, slanted))
    let client = try ServeClient(
      sandbox,
      [path, "--rotate", rotation, "--zoom", "1.7"] + Self.window
    )
    func corners(_ area: Line) -> [Line] { Self.objects(area, "quad") }
    // The corners of the one are at the places of the other.
    func check(_ onPage: Line, _ shown: Line) throws {
      for (corner, expected) in zip(corners(shown), corners(onPage)) {
        let hit = try client.done("page", ["at": corner])
        let point = (hit["page"] as? Line)?["point"] as? Line
        #expect(Self.near(try #require(point), expected))
      }
      for area in [onPage, shown] {
        #expect(corners(area).count == 4)
        for (start, length) in [("x", "width"), ("y", "height")] {
          let places = corners(area).compactMap { $0.number(start) }
          let (low, high) = (places.min() ?? 0, places.max() ?? 0)
          #expect(abs(low - (area.number(start) ?? 0)) < 1e-3)
          #expect(abs(high - low - (area.number(length) ?? 0)) < 1e-3)
        }
      }
    }
    let members: Line = ["page": 1, "characters": true]
    let onPage = Self.words(try client.done("text", members))
    let shown = Self.words(
      try client.done("text", members.merging(["coordinates": "content"]) { $1 })
    )
    #expect(onPage.count == 3)
    for (word, place) in zip(onPage, shown) {
      guard word["text"] as? String != "upright" else {
        #expect(word["quad"] == nil && place["quad"] == nil)
        continue
      }
      try check(word, place)
      let characters = zip(Self.objects(word, "characters"), Self.objects(place, "characters"))
      for (character, place) in characters { try check(character, place) }
      // From the middle of a word all of it is selected, and found.
      let selection = try client.done(
        "select",
        [
          "from": Self.center(place), "to": Self.center(place), "unit": "word",
          "coordinates": "content",
        ]
      )
      let area = try #require(Self.objects(Self.objects(selection, "pages").first, "areas").first)
      #expect(NSArray(array: corners(area)) == NSArray(array: corners(place)))
      _ = try client.done("search", ["words": word["text"] as? String ?? ""])
      var event = try client.event()
      while let other = event, other["event"] as? String != "hits" { event = try client.event() }
      let found = try #require(Self.objects(Self.objects(event, "hits").first, "areas").first)
      #expect(NSArray(array: corners(found)) == NSArray(array: corners(word)))
    }
    #expect(try client.end().code == 0)
  }

  @Test("The text of a page that was just drawn is complete, and stays so in the cache")
  func drawnPage() throws {
    let arguments = ["text", "--json", fixture("book"), "1"]
    let expected = try sandbox.recto(arguments + ["--no-cache"]).jsonLines()[0]["text"] as? String
    let client = try ServeClient(
      sandbox,
      [fixture("book"), "--pages", "1", "--jobs", "1"] + Self.window
    )
    _ = try client.eventsUntilIdle()
    #expect(try client.done("text", ["page": 1])["text"] as? String == expected)
    #expect(try client.end().code == 0)
    #expect(try sandbox.recto(arguments).jsonLines()[0]["text"] as? String == expected)
  }

  /// The pages of hits before the reply to a search, and the reply.
  private func search(_ client: ServeClient, _ members: Line) throws -> (pages: [Int], reply: Line)
  {
    let reply = try client.ask("search", members)
    var pages: [Int] = []
    // The event idle of this search, or one from before it that ends this early; then none follow.
    while pages.count < reply.number("pages").map(Int.init) ?? 0, let event = try client.event() {
      if event["event"] as? String == "hits" { pages.append(Int(event.number("page") ?? 0)) }
    }
    return (pages, reply)
  }

  @Test("A search begins with the blocks of pages nearest to a page, and finds all")
  func nearest() throws {
    let path = try sandbox.file("many.pdf", TextPages.pages(100, "(some words) Tj"))
    let client = try ServeClient(sandbox, [path] + Self.window)
    let (pages, reply) = try search(client, ["words": "WORDS", "from": 70])
    #expect(reply.number("hits") == 100 && reply.number("pages") == 100)
    #expect(pages.sorted() == Array(1...100))
    #expect(pages.prefix(16).allSatisfy { (65...80).contains($0) })
    let blocks = pages.map { abs(($0 - 1) / 16 - 4) }
    #expect(blocks == blocks.sorted())
    let (listed, _) = try search(client, ["words": "words", "pages": "5,3,90"])
    #expect(listed == [5, 3, 90])
    let limited = try client.done("search", ["words": "words", "maxCount": 7])
    #expect(limited.number("hits") == 7)
    #expect(try client.end().code == 0)
  }

  @Test("Hits on pages that the layout does not show have no areas in content coordinates")
  func hidden() throws {
    let client = try ServeClient(sandbox, [fixture("book"), "--pages", "1-4"] + Self.window)
    let reply = try client.done("search", ["words": "leaves", "coordinates": "content"])
    #expect(reply.number("hits") == 4)
    var areas: [Int: Bool] = [:]
    while areas.count < 3, let event = try client.event() {
      guard event["event"] as? String == "hits", let page = event.number("page") else { continue }
      areas[Int(page)] = Self.objects(event, "hits").allSatisfy { $0["areas"] != nil }
    }
    #expect(areas == [1: true, 9: false, 10: false])
    #expect(Self.code(try client.ask("text", ["page": 9, "coordinates": "content"])) == "usage")
    #expect(try client.end().code == 0)
  }

  /// A search that cannot end before its hits are read: they are more than a pipe holds.
  private func longSearch(_ client: ServeClient, id: Int) throws {
    try client.send(#"{"op":"search","id":\#(id),"words":"a","context":1000}"#)
  }

  private func longDocument() throws -> String {
    let line = "(" + String(repeating: "a b ", count: 40) + ") Tj 0 -12 Td "
    return try sandbox.file("long.pdf", TextPages.pages(3000, String(repeating: line, count: 4)))
  }

  @Test("A search that is cancelled is answered as such, and no hits follow")
  func cancelled() throws {
    let client = try ServeClient(sandbox, [try longDocument()] + Self.window)
    _ = try client.eventsUntilIdle()
    try longSearch(client, id: 5)
    while try client.event()?["event"] as? String != "hits" {}
    try client.send(#"{"op":"cancel","id":5}"#)
    #expect(Self.code(try client.reply(to: 5)) == "cancelled")
    let (rest, code) = try client.end()
    // What was read on the way to the reply comes first in `rest`.
    #expect(rest.count { $0["event"] as? String == "hits" } < 2999)
    #expect(code == 0)
  }

  @Test("A view is answered while a search runs, and closing the document cancels the search")
  func beside() throws {
    let client = try ServeClient(sandbox, [try longDocument()] + Self.window)
    _ = try client.eventsUntilIdle()
    try longSearch(client, id: 5)
    #expect(try client.done("view", ["anchor": ["page": 900]]).number("current") == 900)
    try client.send(#"{"op":"close","id":6}"#)
    #expect(Self.code(try client.reply(to: 5)) == "cancelled")
    #expect(Self.code(try client.reply(to: 6)) == nil)
    #expect(Self.code(try client.ask("search", ["words": "a"])) == "usage")
    #expect(try client.end().code == 0)
  }

  @Test("At the end of the input a search goes on to its end")
  func endOfInput() throws {
    let path = try sandbox.file("many.pdf", TextPages.pages(300, "(some words) Tj"))
    let client = try ServeClient(sandbox, [path] + Self.window)
    try client.send(#"{"op":"search","id":5,"words":"words"}"#)
    let (lines, code) = try client.end()
    #expect(lines.count { $0["event"] as? String == "hits" } == 300)
    #expect(lines.last { $0["reply"] as? String == "search" }?.number("hits") == 300)
    #expect(code == 0)
  }

  @Test("A page that cannot be searched is an event with an error, and the others are searched")
  func failing() throws {
    let client = try ServeClient(
      sandbox,
      [fixture("page-missing"), "--page-reader", "poppler"] + Self.window
    )
    let reply = try client.done("search", ["words": "a"])
    var error: Line?
    while error == nil, let event = try client.event() {
      if event["event"] as? String == "hits" { error = event }
    }
    #expect(Self.code(try #require(error)) == "page-missing")
    #expect(reply.number("hits") == 0 && reply.number("pages") == 3)
    #expect(try client.end().code == 0)
  }

  @Test("A document that was written to since is not searched any further")
  func changed() throws {
    try sandbox.copy("book", to: "book.pdf")
    let client = try ServeClient(sandbox, ["book.pdf", "--no-cache"] + Self.window)
    _ = try client.eventsUntilIdle()
    let file = try FileHandle(forWritingTo: sandbox.folder.url.appending(path: "book.pdf"))
    try file.seekToEnd()
    try file.write(contentsOf: Data("\n".utf8))
    try file.close()
    #expect(Self.code(try client.ask("search", ["words": "leaves"])) == "changed")
    #expect(try client.end().code == 0)
  }

  @Test("Requests that do not fit the document are refused")
  func refused() throws {
    let client = try ServeClient(sandbox, [fixture("book")] + Self.window)
    let requests: [(String, Line, String)] = [
      ("text", ["page": 13], "text.page: the document has 12 pages, is 13"),
      ("links", ["page": 13], "links.page: the document has 12 pages, is 13"),
      ("search", ["words": "a", "from": 13], "search.from: the document has 12 pages, is 13"),
      ("search", ["words": "a", "pages": "99-"], "search.pages: the document has 12 pages"),
      ("search", ["words": " "], "search.words: must not be empty"),
      ("search", ["words": "a", "context": 1001], "search.context: must be at most 1000, is 1001"),
      ("links", [:], "links.page: missing"),
      ("destination", ["name": "a", "page": 1], #"destination: unknown member "page""#),
    ]
    for (op, members, message) in requests {
      let error = try client.ask(op, members)["error"] as? Line
      #expect(error?["code"] as? String == "usage")
      #expect(error?["message"] as? String == message)
    }
    #expect(try client.end().code == 0)
  }
}

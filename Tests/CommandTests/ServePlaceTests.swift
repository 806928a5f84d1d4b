import Foundation
import TestSupport
import Testing

/// The reader's place in `serve`: the same page after every change, in the same spot.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ServePlaceTests {
  private static let modes = ["continuous", "paged", "grid", "flow", "carousel"]

  private static var changes: [String: [Any]] {
    [
      "mode": modes, "spread": ["single", "double", "book"], "axis": ["vertical", "horizontal"],
      "rotate": [0, 90, 180, 270], "gap": [0, 10, 60], "rtl": [true, false],
      "insets": ["0", "40,0,0,0"], "fit": ["none", "width", "page"],
    ]
  }

  /// A document of 60 pages of several sizes.
  private func document(_ sandbox: CommandSandbox) throws -> String {
    var random = SeededGenerator(5)
    let sizes = (0..<60).map { _ in
      random.pick([(width: 612.0, height: 792.0), (842, 595), (300, 900), (400, 400)])
    }
    let path = sandbox.folder.url.appending(path: "mixed.pdf").path
    try TestPDF.write(sizes, to: path)
    return path
  }

  /// Where each page in sight is in the viewport.
  private func pages(_ scene: ServeClient.Line) -> [Int: (x: Double, y: Double)] {
    var found: [Int: (x: Double, y: Double)] = [:]
    let (x, y) = (scene.number("viewport", "x") ?? 0, scene.number("viewport", "y") ?? 0)
    for spread in scene["spreads"] as? [ServeClient.Line] ?? [] {
      for page in spread["pages"] as? [ServeClient.Line] ?? []
      where page.number("fraction") ?? 0 > 0 {
        found[Int(page.number("number") ?? 0)] = (
          (page.number("frame", "x") ?? 0) - x, (page.number("frame", "y") ?? 0) - y
        )
      }
    }
    return found
  }

  /// Reads events until all sizes are known: nothing but requests can move a page from then on.
  private func awaitSizes(_ opened: ServeClient.Line, _ client: ServeClient) throws {
    func isExact(_ scene: ServeClient.Line) -> Bool {
      (scene["content"] as? ServeClient.Line)?["exact"] as? Bool ?? false
    }
    var scene = opened
    while !isExact(scene) { scene = try client.next("geometry") }
  }

  private func expectSame(
    _ found: ServeClient.Line,
    _ wanted: ServeClient.Line,
    _ context: String
  ) {
    #expect(found.number("current") == wanted.number("current"), "\(context)")
    let (after, before) = (pages(found), pages(wanted))
    #expect(after.keys.sorted() == before.keys.sorted(), "\(context)")
    for (page, place) in before {
      let moved = after[page].map { max(abs($0.x - place.x), abs($0.y - place.y)) } ?? .infinity
      #expect(moved < 1e-4, "\(context): page \(page)")
    }
  }

  @Test func `changes without a movement keep the current page and end where they began`() throws {
    let sandbox = try CommandSandbox()
    let client = try ServeClient(sandbox, ["--no-cache"])
    let path = try document(sandbox)
    var random = SeededGenerator(11)
    let options = Self.changes.keys.sorted()
    for round in 0..<200 {
      var layout: ServeClient.Line = [:]
      for name in options { layout[name] = Self.changes[name].map { random.pick($0) } }
      let viewport = ["width": 900, "height": 700]
      let opened = try client.done("open", ["path": path, "viewport": viewport, "layout": layout])
      let number = try #require(opened["document"])
      try awaitSizes(opened, client)
      let page = Int.random(in: 1...60, using: &random)
      let fraction = Double.random(in: 0..<1, using: &random)
      let anchor: ServeClient.Line = ["page": page, "fraction": fraction]
      var start = try client.done("view", ["document": number, "anchor": anchor])
      if random.pick([true, false]) {
        let step = ["x": 0, "y": Int.random(in: -300...300, using: &random)]
        start = try client.done("view", ["document": number, "by": step])
      }
      let current = try #require(start.number("current"), "round \(round)")
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let name = random.pick(options)
        let value = try #require(Self.changes[name].map { random.pick($0) })
        let sizes = [[0, 0], [1, 1], [300, 200], [1900, 900]]
        let isResized = random.pick([true, false])
        let size = random.pick(sizes)
        let scene =
          isResized
          ? try client.done(
            "view",
            ["document": number, "viewport": ["width": size[0], "height": size[1]]]
          ) : try client.done("layout", ["document": number, "layout": [name: value]])
        #expect(scene.number("current") == current, "round \(round)")
        let seen = pages(scene)
        #expect(seen.isEmpty || seen[Int(current)] != nil, "round \(round)")
      }
      let back = try client.done(
        "layout",
        ["document": number, "layout": layout, "viewport": viewport]
      )
      expectSame(back, start, "round \(round): \(layout)")
      let place = try #require(start["place"])
      _ = try client.done("view", ["document": number, "anchor": ["page": 30]])
      expectSame(
        try client.done("view", ["document": number, "place": place]),
        start,
        "round \(round): given back"
      )
      _ = try client.done("close", ["document": number])
    }
    _ = try client.end()
  }

  @Test func `steps over pages that were not measured move what is on the screen by the step`()
    throws
  {
    let sandbox = try CommandSandbox()
    let path = try document(sandbox)
    for layout in [[:], ["fit": "width"], ["spread": "double"]] as [ServeClient.Line] {
      let client = try ServeClient(sandbox, ["--no-cache", "--sizes", "estimated"])
      var before = try client.done(
        "open",
        ["path": path, "layout": layout, "anchor": ["page": 50]]
      )
      for step in 0..<150 {
        let scene = try client.done("view", ["by": ["x": 0, "y": -97]])
        let (old, new) = (pages(before), pages(scene))
        before = scene
        guard scene.number("viewport", "y") ?? 0 > 0 else { continue }
        for (page, place) in old {
          guard let moved = new[page] else { continue }
          #expect(abs(moved.y - place.y - 97) < 0.01, "step \(step), page \(page)")
        }
      }
      _ = try client.end()
    }
  }

  @Test func `a window of no size keeps the page, also while opening`() throws {
    let sandbox = try CommandSandbox()
    let client = try ServeClient(sandbox, ["--no-cache"])
    let path = try document(sandbox)
    for mode in Self.modes {
      let layout = ["mode": mode]
      let anchor: ServeClient.Line = ["page": 40, "fraction": 0.25]
      let size = ["width": 900, "height": 700]
      let start = try client.done(
        "open",
        ["path": path, "layout": layout, "anchor": anchor, "viewport": size]
      )
      let first = try #require(start["document"])
      try awaitSizes(start, client)
      let wanted = try client.done("view", ["document": first, "anchor": anchor])
      let none = try client.done(
        "view",
        ["document": first, "viewport": ["width": 0, "height": 0]]
      )
      #expect(none.number("current") == 40, "\(mode)")
      let back = try client.done("view", ["document": first, "viewport": size])
      expectSame(back, wanted, mode)
      let hidden = try client.done(
        "open",
        [
          "path": path, "layout": layout, "anchor": anchor,
          "viewport": ["width": 0, "height": 0],
        ]
      )
      let second = try #require(hidden["document"])
      #expect(hidden.number("current") == 40)
      let shown = try client.done("view", ["document": second, "viewport": size])
      #expect(shown.number("current") == 40, "\(mode)")
      _ = try client.done("close", ["document": first])
      _ = try client.done("close", ["document": second])
    }
    _ = try client.end()
  }

  @Test(arguments: modes)
  func `a window of no size keeps the page wherever it is moved`(mode: String) throws {
    let sandbox = try CommandSandbox()
    let client = try ServeClient(sandbox, ["--no-cache"])
    let viewport = ["width": 900, "height": 700]
    let opened = try client.done(
      "open",
      ["path": fixture("book"), "viewport": viewport, "layout": ["mode": mode]]
    )
    let number = try #require(opened["document"])
    try awaitSizes(opened, client)
    let start = try client.done(
      "view",
      ["document": number, "anchor": ["page": 7, "fraction": 0.3]]
    )
    let none = ["width": 0, "height": 0]
    for move in [["offset": ["x": 0, "y": 0]], ["by": ["y": 5]]] as [ServeClient.Line] {
      let request: ServeClient.Line = ["document": number, "viewport": none]
      let small = try client.done("view", request.merging(move) { $1 })
      #expect(small.number("current") == 7)
      let back = try client.done("view", ["document": number, "viewport": viewport])
      expectSame(back, start, "\(move)")
    }
  }

  @Test func `another layout ends the turn of a page`() throws {
    let sandbox = try CommandSandbox()
    let client = try ServeClient(sandbox, ["--no-cache"])
    let opened = try client.done(
      "open",
      [
        "path": fixture("book"), "viewport": ["width": 900, "height": 700],
        "layout": ["mode": "paged"],
      ]
    )
    let number = try #require(opened["document"])
    let turned = try client.done("view", ["document": number, "spread": 4, "progress": 0.4])
    #expect(turned["turn"] != nil)
    for mode in ["carousel", "continuous", "paged"] {
      let scene = try client.done("layout", ["document": number, "layout": ["mode": mode]])
      #expect(scene["turn"] == nil, "\(mode)")
    }
  }

  @Test func `an event says that the layout has become exact, also if nothing has moved`() throws {
    let sandbox = try CommandSandbox()
    let path = sandbox.folder.url.appending(path: "equal.pdf").path
    try TestPDF.write(Array(repeating: (width: 612, height: 792), count: 700), to: path)
    let client = try ServeClient(sandbox, ["--no-cache"])
    let opened = try client.done("open", ["path": path])
    #expect((opened["content"] as? ServeClient.Line)?["exact"] as? Bool == false)
    var isExact = false
    for event in try client.eventsUntilIdle() where event["event"] as? String == "geometry" {
      isExact = (event["content"] as? ServeClient.Line)?["exact"] as? Bool ?? false
    }
    #expect(isExact)
    _ = try client.end()
  }

  @Test func `a change of layout goes to a position`() throws {
    let sandbox = try CommandSandbox()
    let client = try ServeClient(sandbox, ["--no-cache"])
    let path = try document(sandbox)
    _ = try client.done("open", ["path": path, "anchor": ["page": 3]])
    let scene = try client.done(
      "layout",
      ["layout": ["mode": "grid"], "anchor": ["page": 40], "transition": true]
    )
    #expect(scene.number("current") == 40)
    #expect(pages(scene)[40] != nil && scene["transition"] != nil)
    let refused = try client.ask("layout", ["layout": ["mode": "paged"], "anchor": ["page": 99]])
    #expect(refused["error"] != nil)
    #expect(try client.done("view").number("current") == 40, "nothing has changed")
    let offset = try client.done("layout", ["layout": ["mode": "continuous"], "offset": ["y": 0]])
    #expect(offset.number("viewport", "y") == 0 && offset.number("current") == 1)
    _ = try client.end()
  }

  @Test func `a place in the output of a command is taken back by it`() throws {
    let sandbox = try CommandSandbox()
    let path = try document(sandbox)
    func layout(_ options: [String]) throws -> ServeClient.Line {
      let result = try sandbox.recto(["layout", path] + options)
      let value = try JSONSerialization.jsonObject(with: result.output)
      return try #require(value as? ServeClient.Line, "\(result)")
    }
    for mode in Self.modes {
      let first = try layout(["--page", "20+0.4", "--mode", mode, "--sizes", "exact"])
      let data = try JSONSerialization.data(withJSONObject: try #require(first["place"]))
      let text = String(decoding: data, as: UTF8.self)
      let again = try layout(["--place", text, "--mode", mode, "--sizes", "exact"])
      expectSame(again, first, mode)
      let other = try layout(["--place", text, "--mode", "grid", "--spread", "book"])
      #expect(other.number("current") == 20 && pages(other)[20] != nil)
    }
    #expect(try layout(["--page", "60", "--viewport", "800x3000"]).number("current") == 60)
  }
}

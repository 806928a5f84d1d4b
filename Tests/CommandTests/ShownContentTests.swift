import Foundation
import PNGCoding
import TestSupport
import Testing

/// What is shown of pages: the box, annotations and layers.
@Suite(.timeLimit(.minutes(10))) struct ShownContentTests {
  private static let colors: [Character: UInt32] = [
    "m": 0xFFFF_0000, "b": 0xFFFF_FF00, "c": 0xFF00_FF00, "t": 0xFF00_00FF, "a": 0xFF00_0000,
  ]

  /// What each box of `boxes.pdf` shows: the size in points, and the color at the corners.
  private static let boxes: [String: [(width: Double, height: Double, color: Character)]] = [
    "crop": [
      (340, 420, "c"), (840, 680, "c"), (340, 420, "c"), (340, 420, "c"), (340, 420, "c"),
      (400, 500, "m"),
    ],
    "media": [
      (400, 500, "m"), (1000, 800, "m"), (400, 500, "m"), (400, 500, "m"), (400, 500, "m"),
      (400, 500, "m"),
    ],
    "trim": [
      (289.875, 369.875, "t"), (739.75, 579.75, "t"), (289.875, 369.875, "t"),
      (289.875, 369.875, "t"), (340, 420, "c"), (400, 500, "m"),
    ],
    "bleed": [
      (370, 450, "b"), (900, 740, "b"), (340, 420, "c"), (200, 500, "m"), (340, 420, "c"),
      (370, 450, "b"),
    ],
    "art": [
      (200, 280, "a"), (560, 400, "a"), (340, 420, "c"), (0.5, 0.5, "m"), (340, 420, "c"),
      (400, 500, "m"),
    ],
  ]

  /// The pages of a fixture at 72 dpi.
  private func pictures(
    _ name: String,
    _ options: [String],
    _ sandbox: CommandSandbox? = nil
  ) throws -> [PNGPicture] {
    let sandbox = try sandbox ?? CommandSandbox()
    let result = try sandbox.recto(
      ["pages", fixture(name), "--dpi", "72", "-o", "{page:02}.png"] + options
    )
    #expect(result.code == 0, "\(result.errors)")
    return try sandbox.folder.files.filter { $0.hasSuffix(".png") }.sorted()
      .map { try picture(sandbox.folder.path($0)) }
  }

  @Test(arguments: ["crop", "media", "trim", "bleed", "art"], ["cairo", "splash"])
  func `each box is shown with its size and what is in it`(box: String, rasterizer: String) throws {
    let expected = try #require(Self.boxes[box])
    let sandbox = try CommandSandbox()
    let info = try sandbox.recto("info", fixture("boxes"), "--all", "--json", "--box", box).json()
    let pages = try #require(info["pages"] as? [[String: Any]])
    let shown = info["shown"] as? [String: Any]
    #expect(shown?["box"] as? String == (box == "crop" ? nil : box))
    let drawn = try pictures("boxes", ["--box", box, "--rasterizer", rasterizer])
    #expect(pages.count == expected.count && drawn.count == expected.count)
    for (number, (page, (picture, wanted))) in zip(pages, zip(drawn, expected)).enumerated() {
      let size = try #require(page["size"] as? [String: Double])
      #expect(abs((size["width"] ?? 0) - wanted.width) < 1e-9, "page \(number + 1)")
      #expect(abs((size["height"] ?? 0) - wanted.height) < 1e-9, "page \(number + 1)")
      let (width, height) = (picture.size.width, picture.size.height)
      #expect(width == Int(wanted.width.rounded(.up)) && height == Int(wanted.height.rounded(.up)))
      guard width > 4 else { continue }
      for (x, y) in [(2, 2), (width - 4, 2), (2, height - 4), (width - 4, height - 4)] {
        #expect(picture.pixels[y * width + x] == Self.colors[wanted.color], "page \(number + 1)")
      }
    }
  }

  @Test(arguments: ["cairo", "splash"])
  func `the media box and the crop box are drawn like poppler's programs draw them`(
    rasterizer: String
  ) throws {
    let program = rasterizer == "cairo" ? "pdftocairo" : "pdftoppm"
    for name in ["boxes", "crop", "crop-shifted", "crop-overhang", "inherited", "rotate"] {
      for (box, option) in [("media", []), ("crop", ["-cropbox"])] {
        let sandbox = try CommandSandbox()
        let other = try Program.runInPath(
          program,
          ["-png", "-r", "72"] + option + [fixture(name), sandbox.folder.path("other")]
        )
        #expect(other.code == 0)
        let expected = try sandbox.folder.files.sorted().map {
          try picture(sandbox.folder.path($0))
        }
        let drawn = try pictures(
          name,
          ["--box", box, "--rasterizer", rasterizer, "--text", "poppler"]
        )
        for (page, (one, two)) in zip(drawn, expected).enumerated()
        // poppler does not know UserUnit.
        where name != "boxes" || page != 1 {
          #expect(one.size == two.size, "\(name) \(page + 1) \(box)")
          let differing = zip(one.pixels, two.pixels).count { $0 != $1 }
          #expect(differing * 200 < one.pixels.count, "\(name) \(page + 1) \(box)")
        }
      }
    }
  }

  @Test(arguments: ["cairo", "splash"])
  func `annotations and fields are drawn by their flags`(rasterizer: String) throws {
    // The flags of the squares, and whether each is one of a form; see the generator.
    let flags = [0, 4, 2, 6, 32, 36, 4, 0]
    for (which, isShown) in [
      ("on", { $0 & 2 == 0 && $0 & 32 == 0 }), ("off", { _ in false }),
      ("print", { $0 & 2 == 0 && $0 & 4 != 0 }),
    ] as [(String, (Int) -> Bool)] {
      let pages = try pictures(
        "annotations",
        ["--annotations", which, "--rasterizer", rasterizer]
      )
      #expect(pages.count == 3)
      for (page, squares) in [(0, 8), (1, 6), (2, 0)] {
        for (index, flags) in flags.enumerated() {
          let pixel = pages[page].pixels[40 * pages[page].size.width + 40 + 50 * index]
          let color: UInt32 = index < 6 ? 0xFFFF_0000 : 0xFF00_00FF
          let isDrawn = pixel == color
          #expect(isDrawn == (index < squares && isShown(flags)), "\(which) \(page) \(index)")
        }
      }
    }
  }

  @Test func `without annotations a page looks as pdftoppm draws it with that option`() throws {
    for name in ["form", "annotations"] {
      let sandbox = try CommandSandbox()
      let other = try Program.runInPath(
        "pdftoppm",
        ["-png", "-r", "72", "-cropbox", "-hide-annotations", fixture(name)]
          + [sandbox.folder.path("other")]
      )
      #expect(other.code == 0)
      let expected = try sandbox.folder.files.sorted().map { try picture(sandbox.folder.path($0)) }
      let drawn = try pictures(name, ["--annotations", "off", "--rasterizer", "splash"])
      #expect(drawn.count == expected.count)
      for (one, two) in zip(drawn, expected) { #expect(one.pixels == two.pixels, "\(name)") }
    }
  }

  /// The layers of `layer-order.pdf` that are shown, by their place.
  private func layers(_ options: [String], _ sandbox: CommandSandbox? = nil) throws -> [Int] {
    let drawn = try pictures("layer-order", options, sandbox)[0]
    return (0..<8).filter { drawn.pixels[30 * drawn.size.width + 50 * $0 + 25] == 0xFF00_0000 }
  }

  @Test(arguments: ["cairo", "splash"])
  func `layers are shown as the document sets them, for print, and as asked for`(
    rasterizer: String
  ) throws {
    let options = ["--rasterizer", rasterizer]
    #expect(try layers(options) == [0, 3, 4, 6])
    #expect(try layers(options + ["--annotations", "print"]) == [0, 2, 4, 6])
    #expect(try layers(options + ["--annotations", "off"]) == [0, 3, 4, 6])
    let roads = ["--show-layer", "Roads, small", "--hide-layer", "Größe"]
    #expect(try layers(options + roads) == [0, 1, 3, 4])
    // All layers of a name; a radio button group has one.
    #expect(try layers(options + ["--hide-layer", "Map"]) == [3, 4, 6])
    #expect(try layers(options + ["--show-layer", "Map"]) == [0, 3, 4, 6, 7])
    #expect(try layers(options + ["--show-layer", "Deutsch"]) == [0, 3, 5, 6])
    // Over what /AS says.
    #expect(try layers(options + ["--show-layer", "For print"]) == [0, 2, 3, 4, 6])
    let printed = ["--annotations", "print", "--show-layer", "For the screen"]
    #expect(try layers(options + printed) == [0, 2, 3, 4, 6])
  }

  @Test func `the list of layers has headings, levels and states`() throws {
    let sandbox = try CommandSandbox()
    let info = try sandbox.recto("info", fixture("layer-order"), "--layers", "--json").json()
    let lines = try #require(info["layers"] as? [[String: Any]])
    let texts = lines.map { line in
      let name = "\(line["level"] ?? "?") \(line["name"] ?? "?")"
      guard let isOn = line["on"] as? Bool else { return name }
      return
        "\(name) \(isOn) \(line["printed"] as? Bool == true) \(line["locked"] as? Bool == true)"
    }
    #expect(
      texts == [
        "0 Map true true false", "1 Roads, small false false true", "0 For print false true false",
        "0 For the screen true false false", "0 Languages", "1 English true true false",
        "1 Deutsch false false false", "0 Größe true true false", "0 Map false false false",
      ]
    )
    let text = try sandbox.recto("info", fixture("layer-order"), "--layers").text
    #expect(text.contains("Roads, small (off, locked)"))
    #expect(text.contains("For print (off, printed)"))
    let none = try sandbox.recto("info", fixture("book"), "--layers", "--json").json()
    #expect((none["layers"] as? [Any])?.isEmpty == true)
  }

  @Test func `a layer that the document does not have is a usage error with the nearest name`()
    throws
  {
    let sandbox = try CommandSandbox()
    for (name, nearest) in [
      ("roads,small", "Roads, small"), ("grosse", "Größe"), ("road", "Roads, small"),
    ] {
      let result = try sandbox.recto("pages", fixture("layer-order"), "--show-layer", name)
      #expect(result.code == 64)
      #expect(
        result.errors.contains("there is no layer \"\(name)\"; the nearest is \"\(nearest)\"")
      )
    }
    let none = try sandbox.recto("pages", fixture("book"), "--hide-layer", "Map")
    #expect(none.code == 64 && none.errors.contains("the document has no layers"))
    let both = ["--show-layer", "Map", "--hide-layer", "Map"]
    let twice = try sandbox.recto(["pages", fixture("layer-order")] + both)
    #expect(twice.code == 64 && twice.errors.contains("--hide-layer"))
    #expect(sandbox.folder.files.isEmpty)
  }

  @Test func `a document that poppler reads is shown as usual only`() throws {
    let sandbox = try CommandSandbox()
    for options in [
      ["--box", "media"], ["--annotations", "off"], ["--annotations", "print"],
      ["--show-layer", "Map"],
    ] {
      let result = try sandbox.recto(["pages", fixture("encrypted-open"), "1"] + options)
      #expect(result.code == 64, "\(options)")
      #expect(result.errors.contains("encrypted"), "\(result.errors)")
      let forced = ["pages", fixture("form"), "1", "--page-reader", "poppler"] + options
      #expect(try sandbox.recto(forced).code == 64)
    }
    #expect(sandbox.folder.files.isEmpty)
    #expect(try sandbox.recto("pages", fixture("encrypted-open"), "1", "--dpi", "20").code == 0)
    #expect(try sandbox.recto("info", fixture("encrypted-open"), "--box", "trim").code == 64)
  }

  @Test func `the cache never has a picture or a size of another setting`() throws {
    let settings = [
      [], ["--box", "media"], ["--box", "trim"], ["--annotations", "off"],
      ["--annotations", "print"],
    ]
    for name in ["boxes", "annotations"] {
      let sandbox = try CommandSandbox()
      func window(_ options: [String], _ image: String) throws -> [UInt8] {
        let window = ["--viewport", "600x600", "--mode", "paged", "--image", image]
        let result = try sandbox.recto(["render", fixture(name)] + window + options)
        #expect(result.code == 0, "\(result.errors)")
        return [UInt8](try Data(contentsOf: sandbox.folder.url.appending(path: image)))
      }
      let fresh = try settings.map { try window($0 + ["--no-cache"], "fresh.png") }
      for _ in 0..<2 {
        for (options, expected) in zip(settings, fresh) {
          #expect(try window(options, "cached.png") == expected, "\(name) \(options)")
        }
      }
      let different = Set(fresh)
      #expect(different.count == 3, "\(name)")
    }
  }

  @Test func `coordinates of links and text are those of the box`() throws {
    let sandbox = try CommandSandbox()
    var file = PDFFile()
    file.add("<< /Type /Catalog /Pages 2 0 R >>")
    file.add("<< /Type /Pages /Kids [3 0 R] /Count 1 >>")
    file.add(
      """
      << /Type /Page /Parent 2 0 R /MediaBox [0 0 300 400] /CropBox [20 30 280 370] \
      /TrimBox [50 60 250 340] /Resources << /Font << /F 4 0 R >> >> /Contents 5 0 R \
      /Annots [6 0 R] >>
      """
    )
    file.add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    let content = Data("BT /F 20 Tf 100 200 Td (word) Tj ET".utf8)
    file.add("<< /Length \(content.count) >>", stream: content)
    file.add(
      "<< /Type /Annot /Subtype /Link /Rect [100 195 150 215] /A << /S /URI /URI (a:b) >> >>"
    )
    try file.finished().write(to: sandbox.folder.url.appending(path: "a.pdf"))
    func places(_ box: String) throws -> [Double] {
      let link = try sandbox.recto("links", "a.pdf", "--json", "--box", box).jsonLines()[0]
      let hit = try sandbox.recto("search", "a.pdf", "word", "--json", "--box", box).jsonLines()[0]
      func corner(_ value: Any?) throws -> [Double] {
        let box = try #require(value as? [String: Double])
        return try [#require(box["x"]), #require(box["y"])]
      }
      let links = try #require(link["links"] as? [[String: Any]])
      let areas = try #require(links[0]["areas"] as? [Any])
      let hits = try #require(hit["hits"] as? [[String: Any]])
      let words = try #require(hits[0]["areas"] as? [Any])
      return try corner(areas[0]) + corner(words[0])
    }
    let crop = try places("crop")
    for (box, left, top) in [("media", -20.0, -30.0), ("trim", 30, 30)] {
      let found = try places(box)
      for (index, (one, two)) in zip(crop, found).enumerated() {
        #expect(abs(one - two - (index % 2 == 0 ? left : top)) < 0.01, "\(box)")
      }
    }
  }

  @Test func `a viewer opens a document with other boxes, annotations and layers at a time`() throws
  {
    let sandbox = try CommandSandbox()
    let client = try ServeClient(sandbox, ["--box", "bleed", "--no-cache"])
    func size(_ members: ServeClient.Line, _ name: String = "boxes") throws -> [Double] {
      let reply = try client.ask("open", members.merging(["path": fixture(name)]) { $1 })
      #expect(reply["error"] == nil, "\(reply)")
      let spreads = try #require(reply["spreads"] as? [[String: Any]])
      let pages = try #require(spreads[0]["pages"] as? [[String: Any]])
      let size = try #require(pages[0]["size"] as? [String: Double])
      return try [#require(size["width"]), #require(size["height"])]
    }
    #expect(try size([:]) == [370, 450])
    #expect(try size(["box": "media"]) == [400, 500])
    #expect(try size(["box": "crop", "annotations": "off"]) == [340, 420])
    let reply = try client.ask(
      "open",
      ["path": fixture("layer-order"), "layers": ["Map": false, "Deutsch": true]]
    )
    let shown = try #require(reply["shown"] as? [String: Any])
    #expect(
      (shown["layers"] as? [[String: Any]])?.map { $0["name"] as? String } == ["Deutsch", "Map"]
    )
    for (members, message) in [
      (["layers": ["No such": true]], "there is no layer \"No such\""),
      (["layers": ["Map": 1]], "open.layers.Map: must be true or false"),
      (["box": "cut"], "open.box: must be crop, media, trim, bleed, art or content"),
      (["annotations": true], "open.annotations: must be a string"),
    ] as [(ServeClient.Line, String)] {
      let reply = try client.ask(
        "open",
        members.merging(["path": fixture("layer-order")]) { one, _ in one }
      )
      let error = try #require(reply["error"] as? [String: Any])
      #expect(error["code"] as? String == "usage")
      #expect((error["message"] as? String)?.contains(message) == true, "\(error)")
    }
    #expect(try client.end().code == 0)
  }

  @Test func `thumbnails of other content are made again, and not for file managers`() throws {
    let sandbox = try CommandSandbox()
    func make(_ options: String...) throws -> [UInt32] {
      let base = ["thumbs", fixture("annotations"), "-o", "out", "--size", "64", "--resume"]
      let result = try sandbox.recto(base + options)
      #expect(result.code == 0, "\(result.errors)")
      let name = try #require(sandbox.folder.files.first { $0.hasSuffix(".png") })
      return try picture(sandbox.folder.path(name)).pixels
    }
    let usual = try make()
    #expect(try make("--annotations", "off") != usual)
    #expect(try make() == usual)
    let refused = try sandbox.recto("thumbs", fixture("book"), "--freedesktop", "--box", "trim")
    #expect(refused.code == 64 && refused.errors.contains("--freedesktop"))
  }

  // MARK: Hostile documents

  /// A page with a square in each layer that is listed, and any list of layers.
  private func document(layers: Int, order: String, lists: [String] = []) -> Data {
    var file = PDFFile()
    let first = 6 + lists.count
    let all = (0..<layers).map { "\(first + $0) 0 R" }.joined(separator: " ")
    let settings = order.replacing("ALL", with: all)
    file.add(
      "<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [\(all)] /D << \(settings) >> >> >>"
    )
    file.add("<< /Type /Pages /Kids [3 0 R] /Count 1 >>")
    file.add(
      """
      << /Type /Page /Parent 2 0 R /MediaBox [0 0 60 60] /Contents 4 0 R \
      /Resources << /Properties << /L \(first + layers - 1) 0 R >> >> >>
      """
    )
    let content = Data("/OC /L BDC 0 0 0 rg 10 10 40 40 re f EMC".utf8)
    file.add("<< /Length \(content.count) >>", stream: content)
    file.add("[5 0 R 3 0 R (heading) 6 0 R [5 0 R]]")
    for list in lists { file.add(list) }
    for layer in 0..<layers { file.add("<< /Type /OCG /Name (Layer \(layer)) >>") }
    return file.finished()
  }

  @Test func `lists of layers that contain themselves end, and so do deep ones`() throws {
    let deep = String(repeating: "[", count: 400) + String(repeating: "]", count: 400)
    for order in ["/Order 5 0 R", "/Order [5 0 R 5 0 R \(deep)]", "/Order \(deep)", "/Order 7"] {
      let sandbox = try CommandSandbox()
      let path = sandbox.folder.path("a.pdf")
      try document(layers: 3, order: order).write(to: URL(filePath: path))
      let info = try sandbox.recto("info", "a.pdf", "--layers", "--json").json()
      let names = (info["layers"] as? [[String: Any]])?.compactMap { line in
        line["on"] == nil ? nil : line["name"] as? String
      }
      #expect(names?.sorted() == ["Layer 0", "Layer 1", "Layer 2"], "\(order)")
      let hidden = ["pages", "a.pdf", "--dpi", "72", "--hide-layer", "Layer 2", "-o", "a.png"]
      #expect(try sandbox.recto(hidden).code == 0)
      #expect(try picture(sandbox.folder.path("a.png")).pixels[30 * 60 + 30] == 0xFFFF_FFFF)
    }
  }

  @Test func `a hundred thousand layers are listed and switched`() throws {
    let sandbox = try CommandSandbox()
    let count = 100_000
    let path = sandbox.folder.path("a.pdf")
    let settings = "/Order [ALL] /OFF [ALL] /AS [<< /Event /View /Category [/View] /OCGs [ALL] >>]"
    try document(layers: count, order: settings).write(to: URL(filePath: path))
    let info = try sandbox.recto("info", "a.pdf", "--layers", "--json")
    #expect(info.code == 0, "\(info.errors)")
    #expect((try info.json()["layers"] as? [Any])?.count == count)
    for (options, color) in [([], 0xFFFF_FFFF), (["--show-layer", "Layer 99999"], 0xFF00_0000)]
      as [([String], UInt32)]
    {
      let result = try sandbox.recto(["pages", "a.pdf", "--dpi", "72", "-o", "a.png"] + options)
      #expect(result.code == 0, "\(result.errors)")
      #expect(try picture(sandbox.folder.path("a.png")).pixels[30 * 60 + 30] == color)
    }
    let wrong = try sandbox.recto("pages", "a.pdf", "--show-layer", "Layer 1000000")
    #expect(wrong.code == 64)
  }

  @Test(arguments: ["trim", "bleed", "art", "media"])
  func `poppler finds every box of random digits as it was promised`(box: String) throws {
    var random = SeededGenerator(seed: 47)
    func number(_ range: ClosedRange<Double>) -> String {
      let value = Double.random(in: range, using: &random)
      return String(format: "%.\(Int.random(in: 0...12, using: &random))f", value)
    }
    func corners(_ range: ClosedRange<Double>) -> String {
      (0..<4).map { _ in number(range) }.joined(separator: " ")
    }
    let count = 300
    var file = PDFFile()
    let kids = (3..<3 + count).map { "\($0) 0 R" }.joined(separator: " ")
    file.add("<< /Type /Catalog /Pages 2 0 R >>")
    file.add("<< /Type /Pages /Kids [\(kids)] /Count \(count) /CropBox [10 10 200.7 200.3] >>")
    for _ in 0..<count {
      let crop = Bool.random(using: &random) ? "/CropBox [\(corners(-50...450))]" : ""
      let boxes = ["Trim", "Bleed", "Art"].map { "/\($0)Box [\(corners(-50...450))]" }
      file.add(
        """
        << /Type /Page /Parent 2 0 R /MediaBox [0 0 \(number(300...400)) \(number(300...400))] \
        \(crop) \(boxes.joined(separator: " ")) /Resources << >> \
        /Rotate \(90 * Int.random(in: 0...3, using: &random)) >>
        """
      )
    }
    let sandbox = try CommandSandbox()
    try file.finished().write(to: sandbox.folder.url.appending(path: "a.pdf"))
    let drawn = ["pages", "a.pdf", "--box", box, "--dpi", "10", "-o", "out/"]
    let result = try sandbox.recto(drawn)
    #expect(result.code == 0 && result.errors.isEmpty, "\(result.errors)")
    #expect(sandbox.folder.files.count { $0.hasSuffix(".png") } == count)
  }

  @Test func `boxes with any numbers are shown or have their default`() throws {
    let boxes = [
      "nan 0 10 10", "1e400 0 10 10", "0 0 0 0", "10 10 10 10", "-5 -5 -1 -1", "90 90 10 10",
      "1 2 3", "1 2 3 4 5", "99999999999999999999 0 10 10", "-999999999999 -9999999999999 1e9 9e9",
      "0.1 0.2 50.3333333333333333 60.7", "-0.0000001 0 50 50", "/a /b /c /d", "10 0 R 5 5 90",
      "[0 0] 1 2 3", "-1000000 -1000000 1000000 1000000",
    ]
    let sandbox = try CommandSandbox()
    for (index, box) in boxes.enumerated() {
      var file = PDFFile()
      file.add("<< /Type /Catalog /Pages 2 0 R >>")
      file.add("<< /Type /Pages /Kids [3 0 R] /Count 1 >>")
      file.add(
        """
        << /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /TrimBox [\(box)] \
        /Resources << >> >>
        """
      )
      try file.finished().write(to: sandbox.folder.url.appending(path: "\(index).pdf"))
      let info = try sandbox.recto("info", "\(index).pdf", "--box", "trim", "--json")
      #expect([0, 64].contains(info.code), "\(box): \(info.errors)")
      guard info.code == 0 else { continue }
      let page = try #require(try info.json()["firstPage"] as? [String: Any])
      let size = try #require(page["size"] as? [String: Double])
      for side in ["width", "height"] {
        let length = try #require(size[side])
        #expect(length > 0 && length <= 100, "\(box)")
      }
      let drawn = ["pages", "\(index).pdf", "--box", "trim", "--dpi", "72", "-o", "\(index).png"]
      let result = try sandbox.recto(drawn)
      #expect(result.code == 0, "\(box): \(result.errors)")
    }
  }
}

import DocumentModel
import Foundation
import RectoGeometry
import Testing

@testable import RectoServer

/// The IIIF Image API.
@Suite(.timeLimit(.minutes(10))) struct ImageTests {
  @Test(arguments: [
    ("full/max/0/default.jpg", 200), ("square/100,100/0/color.png", 200),
    ("0,0,100,100/50,/90/gray.webp", 200),
    ("pct:10,10,20.5,20/!60,80/180/bitonal.png", 200), ("full/,100/!270/default.png", 200),
    ("full/pct:10/0/default.jpg", 200), ("full/^pct:110/0/default.jpg", 200),
    ("full/^!3000,3000/0/default.jpg", 200),
    ("full/100,30/0/default.png", 200), ("1700,2400,500,500/max/0/default.png", 200),
    ("5000,0,10,10/max/0/default.png", 400), ("0,0,0,10/max/0/default.png", 400),
    ("-1,0,10,10/max/0/default.png", 400), ("nan,0,10,10/max/0/default.png", 400),
    ("full/0,/0/default.png", 400), ("full/,/0/default.png", 400),
    ("full/9999,/0/default.png", 400),
    ("full/^99999,99999/0/default.png", 400), ("0,0,9,1/^16384,/0/default.png", 400),
    ("full/1e3,/0/default.png", 400),
    ("full/max/-90/default.png", 400),
    ("full/max/361/default.png", 400), ("full/max/45/default.png", 501),
    ("full/max/0/sepia.png", 400),
    ("full/max/0/default.tif", 501), ("full/max/0/default.exe", 400), ("full/max/0/default", 400),
    ("full/999999999999999999999,/0/default.png", 400), ("full/max/0", 404),
  ]) func `parameters of the specification are answered, others are refused`(
    path: String,
    status: Int
  ) throws {
    let server = try ServerProcess()
    let answer = try server.get("/iiif/3/\(try server.id("book"));3/\(path)")
    #expect(answer.status == status, "\(answer.text.prefix(300))")
    guard status == 200 else { return }
    #expect(answer.headers["link"]?.contains("level2.json>;rel=\"profile\"") == true)
    let canonical = try #require(
      answer.headers["link"]?.firstMatch(of: /<[^>]*(\/iiif[^>]*)>;rel="canonical"/)?.1
    )
    // The canonical form is answered with the same picture, and is canonical itself.
    let again = try server.get(String(canonical))
    #expect(again.body == answer.body)
    #expect(again.headers["link"]?.contains("\(canonical)>;rel=\"canonical\"") == true)
  }

  @Test func `an image says its size, and each tile that it names exists`() throws {
    let server = try ServerProcess()
    let image = "/iiif/3/\(try server.id("book"));3"
    #expect(try server.get(image).status == 303)
    let info = try server.get(image + "/info.json").json()
    #expect(info["type"] as? String == "ImageService3" && info["profile"] as? String == "level2")
    let (width, height) = (
      try #require(info["width"] as? Int), try #require(info["height"] as? Int)
    )
    let tiles = try #require((info["tiles"] as? [[String: Any]])?.first)
    let side = try #require(tiles["width"] as? Int)
    let factors = try #require(tiles["scaleFactors"] as? [Int])
    let factor = try #require(factors.last)
    #expect(max(width, height) <= side * factor)
    for factor in factors.dropFirst() {
      let x = (width - 1) / (side * factor) * side * factor
      let y = (height - 1) / (side * factor) * side * factor
      let (right, bottom) = (width - x, height - y)
      let size = "\((right + factor - 1) / factor),\((bottom + factor - 1) / factor)"
      let answer = try server.get("\(image)/\(x),\(y),\(right),\(bottom)/\(size)/0/default.png")
      #expect(answer.status == 200)
    }
  }

  /// Pages from business cards to plotter rolls, in points.
  private static let extents: [Double] = [1, 20, 144, 200, 595.276, 841.89, 2030.5, 8000, 14_400]

  @Test(arguments: extents, extents)
  func `all of an image that is described can be had`(width: Double, height: Double) throws {
    let box = Rect(x: 0, y: 0, width: width, height: height)
    for pixels in [1_000_000, 20_000_000, 50_000_000, 100_000_000] {
      for rotation in [Rotation.none, .quarter] {
        let size = box.size.rotated(by: rotation)
        let info = PageInfo(cropBox: box, rotation: rotation, userUnit: 1, size: size, label: nil)
        let image = try PageImage(0, info, pixels: pixels)
        #expect(image.size.width * image.size.height <= pixels)
        for format in PictureFormat.allCases {
          #expect(max(image.size.width, image.size.height) <= format.largestSide)
          let request = ImageRequest(region: .full, size: .max, format: format)
          #expect(try ImagePlan(request, of: image, pixels: pixels).size == image.size)
        }
      }
    }
  }

  @Test func `JSON-LD is sent to those who ask for it`() throws {
    let server = try ServerProcess()
    let path = "/iiif/3/\(try server.id("book"));1/info.json"
    #expect(try server.get(path).headers["content-type"] == "application/json")
    let asked = try server.get(path, ["-H", "Accept: application/ld+json"])
    #expect(
      asked.headers["content-type"]
        == "application/ld+json;profile=\"http://iiif.io/api/image/3/context.json\""
    )
  }

  @Test func `a manifest has a canvas for each page, with its label, and the outline`() throws {
    let server = try ServerProcess()
    let id = try server.id("book")
    let answer = try server.get("/iiif/presentation/3/\(id)/manifest", ["--compressed"])
    #expect(answer.headers["content-encoding"] == "gzip")
    let manifest = try answer.json()
    let canvases = try #require(manifest["items"] as? [[String: Any]])
    #expect(canvases.count == 12)
    let labels = canvases.map { ($0["label"] as? [String: [String]])?["none"]?.first }
    #expect(labels.prefix(5) == ["i", "ii", "iii", "iv", "1"])
    #expect((manifest["structures"] as? [Any])?.count == 1)
    let collection = try server.get("/iiif/presentation/3/collection").json()
    let items = try #require(collection["items"] as? [[String: Any]])
    #expect(items.first?["id"] as? String == manifest["id"] as? String)
  }

  @Test func `a manifest is paged if the file asks for pages side by side`() throws {
    let server = try ServerProcess(["book", "two-column-right"])
    for (name, behavior) in [("book", "individuals"), ("two-column-right", "paged")] {
      let manifest = try server.get("/iiif/presentation/3/\(server.id(name))/manifest").json()
      #expect(manifest["behavior"] as? [String] == [behavior])
    }
  }

  @Test func `structures have no range without items`() throws {
    func check(_ range: [String: Any]) throws {
      let items = try #require(range["items"] as? [[String: Any]])
      #expect(!items.isEmpty, "\(range)")
      for item in items where item["type"] as? String == "Range" { try check(item) }
    }
    let server = try ServerProcess(["book", "links"])
    for name in ["book", "links"] {
      let manifest = try server.get("/iiif/presentation/3/\(server.id(name))/manifest").json()
      let ranges = try #require(manifest["structures"] as? [[String: Any]])
      for range in ranges { try check(range) }
    }
  }

  @Test func `a search finds words with their places on canvases`() throws {
    let server = try ServerProcess()
    let id = try server.id("book")
    let found = try server.get("/iiif/search/2/\(id)?q=measure").json()
    let items = try #require(found["items"] as? [[String: Any]])
    #expect(!items.isEmpty)
    for item in items {
      let target = try #require(item["target"] as? String)
      #expect(target.contains(/\/canvas\/[0-9]+#xywh=[0-9]+,[0-9]+,[0-9]+,[0-9]+$/))
    }
    #expect(try server.get("/iiif/search/2/\(id)?q=").status == 400)
    #expect(try server.get("/iiif/search/2/\(id)").status == 400)
  }

  @Test func `slanted words are found with a polygon on their canvas`() throws {
    let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "recto-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let content = "BT /F 12 Tf 0.8 0.6 -0.6 0.8 100 100 Tm (slanted words) Tj ET"
    let objects = [
      "<</Type/Catalog/Pages 2 0 R>>",
      "<</Type/Pages/Count 1/Kids[3 0 R]>>",
      "<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R"
        + "/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>",
      "<</Length \(content.utf8.count)>>\nstream\n\(content)\nendstream",
    ]
    // Without a table, which a reader makes from the objects.
    let file = objects.enumerated().map { "\($0 + 1) 0 obj\n\($1)\nendobj\n" }.joined()
    let path = folder.appending(path: "slanted.pdf")
    try "%PDF-1.4\n\(file)trailer\n<</Size 5/Root 1 0 R>>\nstartxref\n0\n%%EOF\n"
      .write(to: path, atomically: true, encoding: .utf8)
    let server = try ServerProcess([path.path(percentEncoded: false)])
    let collection = try server.get("/iiif/presentation/3/collection").json()
    let item = try #require((collection["items"] as? [[String: Any]])?.first?["id"] as? String)
    let id = try #require(item.split(separator: "/").dropLast().last)
    let found = try server.get("/iiif/search/2/\(id)?q=words").json()
    let hit = try #require((found["items"] as? [[String: Any]])?.first)
    let target = try #require(hit["target"] as? [String: Any])
    #expect((target["source"] as? String)?.hasSuffix("/canvas/1") == true)
    let selector = try #require(target["selector"] as? [String: String])
    #expect(selector["type"] == "SvgSelector")
    let polygon = /<svg xmlns='[^']*'><polygon points='([0-9]+,[0-9]+ ){3}[0-9]+,[0-9]+'\/><\/svg>/
    #expect(try polygon.wholeMatch(in: selector["value"] ?? "") != nil)
  }

  @Test func `a page without an end costs its own request only`() throws {
    let server = try ServerProcess(["endless-forms", "book"], ["--timeout", "2"])
    let endless = try server.get(
      "/iiif/3/\(try server.id("endless-forms"));2/full/100,/0/default.png"
    )
    #expect(endless.status == 504)
    #expect(try endless.json()["code"] as? String == "time-limit")
    #expect(
      try server.get("/iiif/3/\(try server.id("book"));1/full/100,/0/default.png").status == 200
    )
  }
}

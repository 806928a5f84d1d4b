import Foundation
import PNGCoding
import RectoGeometry
import TestSupport
import Testing

/// Windows on their way from one layout to another, as the command and its clients see them.
@Suite(.serialized, .timeLimit(.minutes(10))) struct TransitionCommandTests {
  private struct TransitionOutput: Decodable {
    struct Point: Decodable {
      var x: Double
      var y: Double
    }
    struct Ends<Value: Decodable>: Decodable {
      var from: Value
      var to: Value
    }
    struct End: Decodable {
      var position: Int?
      var frame: RenderOutput.Frame
      var opacity: Double
    }
    struct Now: Decodable {
      var frame: RenderOutput.Frame
      var angle: Double
      var opacity: Double
    }
    struct Page: Decodable {
      var number: Int
      var from: End
      var to: End
      var now: Now?
    }
    struct Transition: Decodable {
      var pivot: Ends<Point>
      var angle: Ends<Double>
      var progress: Double?
      var pages: [Page]
    }
    var viewport: RenderOutput.Frame
    var transition: Transition
  }

  private static let window = ["--page", "7", "--viewport", "560x420"]
  private static let paged = ["--mode", "paged", "--fit", "page"]
  private static let grid = "--mode grid --columns 5 --fit width"

  private func image(_ sandbox: CommandSandbox, _ options: [String], _ name: String) throws
    -> PNGPicture
  {
    let result = try sandbox.recto(
      ["render", fixture("book"), "--image", name] + Self.window + options
    )
    #expect(result.code == 0, "\(result.errors)")
    return try picture(sandbox.folder.path(name))
  }

  @Test(arguments: [
    (paged, grid), (["--rotate", "90", "--fit", "width"], "--rotate 0 --zoom 0.4"),
  ])
  func `at its end it is the picture of the window, in between it is neither`(
    options: [String],
    other: String
  ) throws {
    let sandbox = try CommandSandbox()
    let plain = try image(sandbox, options, "plain.png")
    let tiles = sandbox.cachedTiles
    func moving(_ progress: String) throws -> PNGPicture {
      try image(
        sandbox,
        options + ["--from-layout", other, "--progress", progress],
        "\(progress).png"
      )
    }
    #expect(try moving("1").pixels == plain.pixels)
    let half = try moving("0.5").pixels
    #expect(try half != plain.pixels && half != moving("0").pixels)
    // Something of the pages is there: more than paper and background.
    #expect(Set(half).count > 50)
    #expect(sandbox.cachedTiles == tiles, "only those of the window at rest")
  }

  @Test func `a transition describes the start and end of each page`() throws {
    let sandbox = try CommandSandbox()
    let result = try sandbox.recto(
      ["layout", fixture("book"), "--from-layout", Self.grid, "--progress", "0.25"]
        + Self.window + Self.paged
    )
    #expect(result.code == 0, "\(result.errors)")
    let output: TransitionOutput = try result.decoded()
    let page = try #require(output.transition.pages.first { $0.number == 7 })
    #expect(page.from.frame.width == 100, "a fifth of the width, less the gaps")
    let now = try #require(page.now)
    #expect(abs(now.frame.x - (page.from.frame.x * 0.75 + page.to.frame.x * 0.25)) < 1e-5)
    #expect(output.transition.pages.allSatisfy { $0.from.opacity == 1 && $0.to.opacity == 1 })
    let plain: RenderOutput = try sandbox.recto(
      ["layout", fixture("book")] + Self.window + Self.paged
    ).decoded()
    let shown = try #require(plain.pages.first)
    #expect(plain.viewport == output.viewport)
    #expect(abs(page.to.frame.y - (shown.frame.y - plain.viewport.y)) < 1e-5)
    #expect(page.to.frame.width == shown.frame.width)
  }

  @Test func `malformed requests are named in the error`() throws {
    let sandbox = try CommandSandbox()
    func message(_ arguments: [String]) throws -> String {
      let result = try sandbox.recto([arguments[0], fixture("book")] + arguments.dropFirst())
      #expect(result.code == 64, "\(arguments)")
      return result.errors
    }
    let image = ["render", "--image", "a.png", "--progress", "0.5", "--from-layout"]
    #expect(try message(image + ["--mode mosaic"]).contains("--from-layout: "))
    #expect(try message(image + ["--mode mosaic"]).contains("mosaic"))
    #expect(try message(image + ["--page 3"]).contains("--from-layout: "))
    #expect(try message(image + ["--zoom 0"]).contains("--zoom"))
    #expect(
      try message(["render", "--from-layout", "--mode grid", "--progress", "0"]).contains("--image")
    )
    #expect(
      try message(["render", "--from-layout", "--mode grid", "--image", "a.png"])
        .contains("--progress")
    )
    #expect(sandbox.folder.files.isEmpty)
  }

  @Test func `a transition request returns the frames of both layouts`() throws {
    let sandbox = try CommandSandbox()
    let client = try ServeClient(sandbox, [fixture("book"), "--viewport", "560x420"])
    _ = try #require(try client.event())
    let plain = try client.done("layout", ["layout": ["mode": "grid", "columns": 5]])
    #expect(plain["transition"] == nil)
    let reply = try client.done("layout", ["layout": ["rotate": 90], "transition": true])
    #expect(reply.number("transition", "from", "geometry") == plain.number("geometry"))
    #expect(reply.number("transition", "angle", "to") == 90)
    let data = try JSONSerialization.data(withJSONObject: reply)
    let output = try JSONDecoder().decode(TransitionOutput.self, from: data)
    let page = try #require(output.transition.pages.first { $0.number == 1 })
    #expect(page.from.frame.width < page.from.frame.height)
    #expect(page.to.frame.width > page.to.frame.height)
    #expect(page.from.position == 0 && page.to.position == 0 && page.now == nil)
    let removed = try client.done("layout", ["layout": ["pages": "2-12"], "transition": true])
    let after = try JSONDecoder().decode(
      TransitionOutput.self,
      from: JSONSerialization.data(withJSONObject: removed)
    )
    let gone = try #require(after.transition.pages.first { $0.number == 1 })
    #expect(gone.to.position == nil && gone.to.opacity == 0 && gone.from.opacity == 1)
    let refused = try client.ask("zoom", ["factor": 2, "transition": 1])
    #expect("\(refused)".contains("zoom.transition: must be true or false"))
  }
}

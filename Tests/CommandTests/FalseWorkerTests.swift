import Foundation
import Glibc
import PNGCoding
import TestSupport
import Testing

/// Workers that do what no worker may do: `Tests/FalseWorker/false-worker` plays them.
@Suite(.serialized, .timeLimit(.minutes(10))) struct FalseWorkerTests {
  /// What a worker does and the code of the error that it ends as.
  struct Case: CustomTestStringConvertible {
    var behavior: String
    var error: String

    init(_ behavior: String, _ error: String) {
      self.behavior = behavior
      self.error = error
    }

    var testDescription: String { behavior }
  }

  static let program = TestPaths.root.appending(path: "Tests/FalseWorker/false-worker").path

  static func environment(_ behavior: String) -> [String: String] {
    ["RECTO_WORKER": program, "RECTO_WORKER_BEHAVIOR": behavior]
  }

  /// Met when the worker opens or measures the whole document, so poppler is to read the page tree.
  static let readings = [
    Case("open-trickles", "time-limit"), Case("open-floods", "fault"),
    Case("open-is-a-picture", "fault"), Case("open-says-more", "fault"),
    Case("open-is-cancelled", "fault"), Case("engine-escapes", "fault"),
    Case("engine-is-long", "fault"), Case("measure-amplifies", "fault"),
    Case("measure-says-nothing", "fault"), Case("measure-repeats", "fault"),
    Case("measure-is-elsewhere", "fault"), Case("measure-leaves-out", "fault"),
    Case("measure-trickles", "time-limit"), Case("never-reads", "time-limit"),
  ]

  static let drawings = [
    Case("draw-trickles", "time-limit"), Case("draw-is-slow", "time-limit"),
    Case("draw-floods", "fault"), Case("draw-floods-with-nothing", "fault"),
    Case("draw-says-more", "fault"), Case("draw-leaves-out", "fault"),
    Case("draw-is-cancelled", "fault"), Case("draw-fails-at-length", "fault"),
    Case("picture-is-html", "fault"), Case("picture-has-other-size", "fault"),
    Case("picture-is-interlaced", "fault"), Case("picture-has-alpha", "fault"),
    Case("picture-has-text", "fault"), Case("picture-is-torn", "fault"),
    Case("picture-has-bad-checksums", "fault"), Case("leaves-group", "time-limit"),
    Case("leaves-group-with-pipes", "crash"), Case("joins-group-of-parent", "time-limit"),
    Case("never-reads", "time-limit"), Case("speaks-first", "fault"),
  ]

  @Test(arguments: readings)
  func `a false worker that reads is an error and leaves nothing`(_ one: Case) throws {
    try expectError(
      one,
      ["render", "--page-reader", "poppler", "--image", "window.png", "--viewport", "300x700"]
    )
  }

  @Test(arguments: drawings)
  func `a false worker that draws is an error and leaves nothing`(_ one: Case) throws {
    try expectError(one, ["render", "--image", "window.png", "--viewport", "200x200"])
  }

  @Test(arguments: [Case("picture-is-html", "fault"), Case("draw-floods", "fault")])
  func `a false worker makes no thumbnails`(_ one: Case) throws {
    try expectError(one, ["thumbs"])
  }

  @Test(arguments: ["jpeg", "webp", "ppm"])
  func `a false worker that sends PNG in place of another format makes no thumbnails`(
    _ format: String
  ) throws {
    try expectError(Case("sends-png", "fault"), ["thumbs", "--format", format])
  }

  @Test func `the test worker draws correctly without a fault`() throws {
    let sandbox = try CommandSandbox()
    let run = try WatchedCommand(
      sandbox,
      ["render", fixture("rotate"), "--viewport", "300x300", "-o", "out"],
      environment: Self.environment("")
    )
    #expect(run.code == 0)
    #expect(run.messages.isEmpty)
    #expect(try expectWholePictures(in: sandbox.folder) > 0)
    #expect(run.leftovers.isEmpty)
    // What it drew is not what the true worker draws, though both name the same libraries.
    let output: RenderOutput = try sandbox.recto(
      "render",
      fixture("rotate"),
      "--viewport",
      "300x300"
    )
    .decoded()
    #expect(!output.tiles.isEmpty)
    #expect(output.tiles.allSatisfy { $0.source == "rendered" })
  }

  @Test func `a worker that does not read its request reaches the time limit`() throws {
    let sandbox = try CommandSandbox()
    // The window takes the identifier over, and no socket holds as much.
    _ = try sandbox.file("large.pdf", Self.document(identifierBytes: 4_000_000))
    // What the worker draws with is known by now, so the window is the first that it is sent.
    let known = try sandbox.recto(["info", "large.pdf"], environment: Self.environment(""))
    #expect(known.code == 0, "\(known.errors)")
    let run = try WatchedCommand(
      sandbox,
      ["render", "large.pdf", "-o", "out", "--timeout", "2"],
      environment: Self.environment("never-reads")
    )
    #expect(run.code == 1)
    #expect(run.messages.map { $0["code"] as? String } == ["time-limit"])
    #expect(run.leftovers.isEmpty)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal takes along what left its group`(signal: Int32) throws {
    let sandbox = try CommandSandbox()
    let mark = UUID().uuidString
    let environment = Self.environment("leaves-group").merging(["RECTO_WORKER_TEST_MARK": mark]) {
      $1
    }
    let command = try RunningCommand(
      sandbox,
      ["render", fixture("rotate"), "-o", "out", "--viewport", "200x200"],
      environment: environment
    )
    // The command, the worker and the two that left.
    #expect(poll { ProcessTable.processes(marked: mark).count >= 4 })
    #expect(command.end(with: signal) == 128 + signal)
    let leftovers = ProcessTable.processes(marked: mark)
    #expect(leftovers.isEmpty)
    for process in leftovers { kill(process, SIGKILL) }
  }

  /// Runs a command on a page with a false worker, and expects one typed error, no memory to speak
  /// of, no file that is no picture, and no process.
  private func expectError(_ one: Case, _ command: [String]) throws {
    let sandbox = try CommandSandbox()
    // A fault is told at once; a limit that it does not come near shows that.
    let seconds = one.error == "time-limit" ? "2" : "40"
    let run = try WatchedCommand(
      sandbox,
      [command[0], fixture("rotate"), "-o", "out", "--timeout", seconds] + command.dropFirst(),
      environment: Self.environment(one.behavior)
    )
    // A minute is what it is given, so a limit that does not hold shows as the code of a kill.
    #expect([1, 65, 70, 75].contains(run.code))
    #expect(!run.messages.isEmpty)
    #expect(run.messages.allSatisfy { $0["code"] as? String == one.error }, "\(run.messages)")
    #expect(run.peakBytes > 0)
    #expect(run.peakBytes <= 100_000_000)
    #expect(run.leftovers.isEmpty)
    try expectWholePictures(in: sandbox.folder)
    try expectWholePictures(in: sandbox.cache)
  }

  /// A document of one empty page whose trailer holds an identifier of so many bytes.
  private static func document(identifierBytes: Int) -> String {
    let objects = [
      "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>",
    ]
    var text = "%PDF-1.4\n"
    var rows = "0000000000 65535 f \n"
    for (place, object) in objects.enumerated() {
      let digits = String(text.utf8.count)
      rows += String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n"
      text += "\(place + 1) 0 obj\n\(object)\nendobj\n"
    }
    let start = text.utf8.count
    let identifier = String(repeating: "ab", count: identifierBytes)
    return text
      + "xref\n0 4\n\(rows)trailer\n<< /Root 1 0 R /Size 4 /ID [<\(identifier)> <00>] >>\n"
      + "startxref\n\(start)\n%%EOF\n"
  }
}

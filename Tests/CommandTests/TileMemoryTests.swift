import Foundation
import TestSupport
import Testing

/// Memory that workers use again.
struct TileMemoryTests {
  /// Counts the page faults of a program and its children that were answered without a disk.
  private static let script = """
    import resource, subprocess, sys
    subprocess.run(sys.argv[2:], check=True, stdout=subprocess.DEVNULL)
    with open(sys.argv[1], "w") as file:
        file.write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt))
    """

  @Test func `tiles are drawn in memory that is there`() throws {
    let sandbox = try CommandSandbox()
    try ClaimedPages.pdf(1, size: "200 300")
      .write(to: sandbox.folder.url.appending(path: "page.pdf"))
    let faults = { (side: Int) in
      let count = sandbox.folder.url.appending(path: "faults")
      let window = [
        "--viewport", "\(side)x\(side)", "--zoom", "100", "--gap", "0", "--margin", "0",
      ]
      let result = try Program.run(
        URL(filePath: "/usr/bin/env"),
        ["python3", "-c", Self.script, count.path, TestPaths.recto.path, "render", "page.pdf"]
          + window,
        environment: sandbox.environment,
        folder: sandbox.folder.url
      )
      try #require(result.code == 0, "\(result.errors)")
      return try #require(Int(try String(contentsOf: count, encoding: .utf8)))
    }
    // One tile of 1 MB, and 400 more.
    let (one, many) = (try faults(512), try faults(512 * 20))
    #expect(many - one < 400 * 128, "\(many - one) page faults")
  }
}

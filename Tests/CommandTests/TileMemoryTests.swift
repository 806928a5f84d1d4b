import Foundation
import TestSupport
import Testing

/// Memory that workers use again.
struct TileMemoryTests {
  @Test func `tiles are drawn in memory that is there`() throws {
    let sandbox = try CommandSandbox()
    try ClaimedPages.pdf(1, size: "200 300")
      .write(to: sandbox.folder.url.appending(path: "page.pdf"))
    let faults = { (side: Int) in
      let (result, faults) = try MemoryUse.pageFaults(
        sandbox,
        ["render", "page.pdf", "--viewport", "\(side)x\(side)", "--zoom", "100"]
          + ["--gap", "0", "--margin", "0"]
      )
      try #require(result.code == 0, "\(result.errors)")
      return faults
    }
    // One tile of 1 MB, and 400 more.
    let (one, many) = (try faults(512), try faults(512 * 20))
    #expect(many - one < 400 * 128, "\(many - one) page faults")
  }
}

import Foundation
import TestSupport
import Testing

/// Modules of the viewer that need no browser.
@Suite(.timeLimit(.minutes(10))) struct ViewerModuleTests {
  @Test(arguments: [
    "coarse", "expected", "fetching", "foundtext", "fragment", "keptdocument", "names",
    "outlinetree", "preloads", "quads",
    "strings", "zooming",
  ])
  func `the tests of a module pass`(name: String) throws {
    let node = Process()
    node.executableURL = URL(filePath: "/usr/bin/env")
    let tests = TestPaths.root.appending(path: "Tests/ViewerModules/\(name).test.mjs")
    node.arguments = ["node", tests.path(percentEncoded: false)]
    let output = Pipe()
    node.standardOutput = output
    try node.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    node.waitUntilExit()
    #expect(node.terminationStatus == 0, "\(text)")
  }
}

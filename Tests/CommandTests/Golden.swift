import Foundation
import TestSupport
import Testing

/// Compares texts with files in the folder of these tests.
///
/// `RECTO_RECORD=1` rewrites the files and makes the run fail, so that a recording is not mistaken
/// for a passing test.
enum Golden {
  private static let folder = TestPaths.root.appending(path: "Tests/CommandTests")
  private static let isRecording = ProcessInfo.processInfo.environment["RECTO_RECORD"] == "1"

  static func expect(_ text: String, equals name: String) throws {
    let file = folder.appending(path: name)
    if isRecording {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try Data(text.utf8).write(to: file)
      Issue.record("recorded \(name)")
      return
    }
    let expected = try String(contentsOf: file, encoding: .utf8)
    #expect(text == expected, "\(name) differs; RECTO_RECORD=1 rewrites it")
  }
}

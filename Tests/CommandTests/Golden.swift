import Foundation
import TestSupport
import Testing

/// Texts that are compared whole with files beside these tests.
///
/// `RECTO_RECORD=1` writes the files anew and makes the run fail, so that nobody mistakes a
/// recording for a proof.
enum Golden {
  private static let folder = Places.root.appending(path: "Tests/CommandTests")
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
    #expect(text == expected, "\(name) differs; RECTO_RECORD=1 writes it anew")
  }
}

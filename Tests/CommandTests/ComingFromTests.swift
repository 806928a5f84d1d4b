import Foundation
import TestSupport
import Testing

/// The lines in docs/COMMAND.md for users of other programs.
@Suite(.timeLimit(.minutes(10))) struct ComingFromTests {
  /// The second column of the table.
  static let lines: [String] = {
    let path = TestPaths.root.appending(path: "docs/COMMAND.md")
    guard let text = try? String(contentsOf: path, encoding: .utf8) else { return [] }
    let section = text.components(separatedBy: "\n## Coming from other programs\n").last ?? ""
    return section.components(separatedBy: "\n## ")[0].split(separator: "\n")
      .compactMap { $0.firstMatch(of: /^\| `.*` \| `recto (.*)` \|$/).map { String($0.1) } }
  }()

  @Test func `there are lines for 25 usual ones`() { #expect(Self.lines.count >= 25) }

  @Test(arguments: lines) func `a line does what it says`(line: String) throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("book", to: "in.pdf")
    let result = try sandbox.shell("\"$recto\" \(line)")
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.errors.isEmpty)
    let written = sandbox.folder.files.filter { $0 != "in.pdf" }
    #expect(result.output.isEmpty != written.isEmpty || line.hasPrefix("thumbs"))
    for name in written {
      let bytes = try Data(contentsOf: sandbox.folder.url.appending(path: name))
      #expect(!bytes.isEmpty, "\(name)")
    }
    let pages = line.contains("'out") && !line.contains(#/ [0-9]+-| odd/#)
    #expect(!pages || written.count == 12)
  }
}

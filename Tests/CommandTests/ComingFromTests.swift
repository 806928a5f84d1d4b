import Foundation
import TestSupport
import Testing

/// The lines in docs/COMMAND.md for users of other programs.
@Suite(.timeLimit(.minutes(10))) struct ComingFromTests {
  /// The rows of the table: a line of another program, and the arguments of recto.
  static let rows: [(usual: String, recto: String)] = {
    let path = TestPaths.root.appending(path: "docs/COMMAND.md")
    guard let text = try? String(contentsOf: path, encoding: .utf8) else { return [] }
    let section = text.components(separatedBy: "\n## Coming from other programs\n").last ?? ""
    return section.components(separatedBy: "\n## ")[0].split(separator: "\n").compactMap { line in
      line.firstMatch(of: /^\| `(.*)` \| `recto (.*)` \|$/).map { match in
        // A pipe in a table.
        (String(match.1), String(match.2).replacing("\\|", with: "|"))
      }
    }
  }()

  /// The widths and heights of the PNG files of a folder, by the order of their names.
  private func sizes(_ folder: TemporaryFolder) throws -> [[UInt8]] {
    try folder.files.sorted().filter { $0.hasSuffix(".png") }.map { name in
      Array(try Data(contentsOf: folder.url.appending(path: name)).dropFirst(16).prefix(8))
    }
  }

  @Test func `there are lines for 25 usual ones`() { #expect(Self.rows.count >= 25) }

  @Test(arguments: rows.map(\.recto)) func `a line writes what it says`(line: String) throws {
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
  }

  @Test(arguments: rows.filter { $0.usual.contains(/^pdfto(ppm|cairo) .*-png/) }.map(\.usual))
  func `pictures have the sizes of those of the other program`(usual: String) throws {
    let row = try #require(Self.rows.first { $0.usual == usual })
    let (other, own) = (try CommandSandbox(), try CommandSandbox())
    for sandbox in [other, own] { try sandbox.copy("book", to: "in.pdf") }
    #expect(try other.shell(usual).code == 0)
    #expect(try own.shell("\"$recto\" \(row.recto)").code == 0)
    let expected = try sizes(other.folder)
    #expect(!expected.isEmpty)
    #expect(try sizes(own.folder) == expected)
  }
}

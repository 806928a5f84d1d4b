import ArgumentParser
import DocumentModel
import Foundation
import TestSupport
import Testing

@testable import RectoCommand

/// The schemas in `docs/schema`. All other tests of the command keep their outputs for them, see
/// ``RecordedOutput``.
@Suite(.timeLimit(.minutes(10))) struct SchemaTests {
  private static let hasValidator: Bool = {
    let result = try? Program.run(URL(filePath: "/usr/bin/python3"), ["-c", "import jsonschema"])
    return result?.code == 0
  }()

  /// Runs the validator.
  private static func validate(_ arguments: [String], _ input: Data? = nil) throws -> ProgramResult
  {
    try Program.run(
      TestPaths.root.appending(path: "scripts/dev/validate-schemas"),
      arguments,
      input: input
    )
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: TestPaths.root.appending(path: path), encoding: .utf8)
  }

  @Test(.enabled(if: hasValidator, "python3-jsonschema is not installed"))
  func `the schemas are valid`() throws {
    let result = try Self.validate(["--check"])
    #expect(result.code == 0, "\(result.errors)")
  }

  @Test(
    .enabled(if: hasValidator, "python3-jsonschema is not installed"),
    arguments: [
      ("layout", ["layout", "--all", "--sticky", "1"]),
      ("layout", ["layout", "--mode", "paged", "--progress", "0.3"]),
      ("layout", ["layout", "--from-layout", "--mode grid", "--progress", "0.3"]),
      ("render", ["render", "--spread", "book"]),
      ("render", ["render", "--from-layout", "--zoom 2", "--progress", "1", "--image", "a.png"]),
      ("info", ["info", "--json"]),
      ("text-line", ["text", "--json", "--characters", "--styles", fixture("book"), "1"]),
      (
        "text-line",
        ["text", "--json", "--layout", "--mode grid --rotate 90", fixture("book"), "1"]
      ),
      (
        "search-line",
        ["search", "--json", "-m", "1", "--layout", "--zoom 2", fixture("book"), "leaves"]
      ),
      (
        "links-line", ["links", "--json", "--pages", "1", "--layout", "--zoom 2", fixture("links")]
      ),
      ("search-line", ["search", "--json", "--max-count", "1", fixture("book"), "leaves"]),
      ("links-line", ["links", "--json", "--pages", "1", fixture("links")]),
      ("outline", ["outline", "--json", fixture("links")]),
      ("outline", ["outline", "--json", "--destination", "fitr.1", fixture("links")]),
      ("thumbs-line", ["thumbs", "-o", "out", "--pages", "1-3"]),
      ("cache-info", ["cache", "info"]),
      ("cache-trim", ["cache", "trim"]),
      ("cache-verify", ["cache", "verify"]),
    ] as [(String, [String])]
  )
  func `the schema of an output refuses undocumented members`(
    schema: String,
    command: [String]
  ) throws {
    let sandbox = try CommandSandbox()
    let hasInput =
      command[0] == "cache" || ["text", "search", "links", "outline"].contains(command[0])
    let output = try sandbox.recto(command + (hasInput ? [] : [fixture("book")]))
    let result = try Self.validate(["--closed", schema], output.output)
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.text.hasPrefix("1 "))
  }

  @Test(.enabled(if: hasValidator, "python3-jsonschema is not installed"))
  func `the schemas of serve refuse undocumented members`() throws {
    let lines = try Self.text("docs/SERVE.md").split(separator: "\n")
      .map { $0.replacing(#""bytes":…"#, with: #""bytes":1"#) }
    // One of the requests has an unknown member, which the reply names.
    let schemas = [
      ("serve-request", "→ ", 1), ("serve-reply", #"← {"reply""#, 0),
      ("serve-event", #"← {"event""#, 0),
    ]
    for (schema, start, unknown) in schemas {
      let values = lines.filter { $0.hasPrefix(start) }.map { $0.dropFirst(2) }
        .filter { unknown == 0 || !$0.contains(#""ofset""#) }
      #expect(values.count > 5)
      let input = Data(values.joined(separator: "\n").utf8)
      let result = try Self.validate(["--closed", schema], input)
      #expect(result.code == 0, "\(result.errors)")
    }
    let request = Data(#"{"op":"view","id":7,"ofset":{"x":0,"y":0}}"#.utf8)
    #expect(try Self.validate(["serve-request"], request).code == 1)
  }

  @Test func `every code is in the documentation with its exit code, and in the schema`() throws {
    let source = try Self.text("Sources/DocumentModel/DocumentError.swift")
    let codes = source.matches(of: /Code\(rawValue: "([a-z-]+)"\)/).map { String($0.1) }
    #expect(codes.count > 15)
    let rows = try Self.text("docs/COMMAND.md")
      .matches(of: /\n\| `([a-z-]+)` \| ([0-9]+|–) \|/).map { (String($0.1), String($0.2)) }
    let documented = Dictionary(rows) { first, _ in first }
    for code in codes {
      let exitCode = ExitCode(DocumentError.Code(rawValue: code)).rawValue
      #expect(documented[code] == String(exitCode), "\(code)")
    }
    let others = [
      "cache", "empty", "incomplete", "info", "journal", "more", "pages", "shared-cache", "warning",
    ]
    for code in others { #expect(documented[code] == "–", "\(code)") }
    #expect(documented.count == codes.count + others.count)

    let schema = try JSONSerialization.jsonObject(
      with: Data(Self.text("docs/schema/common.json").utf8)
    )
    let definitions = (schema as? [String: Any])?["$defs"] as? [String: Any]
    let code = definitions?["errorCode"] as? [String: Any]
    #expect(Set(code?["enum"] as? [String] ?? []) == Set(codes))
  }

  @Test func `every schema is named in the documentation`() throws {
    let text = try ["COMMAND", "SERVE", "WASM"].map { try Self.text("docs/\($0).md") }.joined()
    let folder = TestPaths.root.appending(path: "docs/schema")
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      #expect(text.contains("schema/\(name)"), "\(name)")
    }
  }
}

import Foundation
import SystemPackage
import TestSupport

/// The JSON that tests get from the command, kept for `scripts/dev/validate-schemas`.
///
/// `scripts/test` sets `RECTO_OUTPUTS` to a folder, and validates the files in it at the end: one for
/// each schema, with a value on each line.
enum RecordedOutput {
  private static let folder = ProcessInfo.processInfo.environment["RECTO_OUTPUTS"]
    .map { FilePath($0) }
  /// Longer outputs are those of shorter ones with more pages, and take long to validate.
  private static let longest = 1 << 18

  /// Keeps what a command has written, if that is JSON.
  static func add(_ result: ProgramResult, of arguments: [String]) {
    guard folder != nil else { return }
    if let schema = schema(of: arguments) { add(result.text, to: schema) }
    if arguments.contains("--errors") { add(result.errors, to: "message") }
  }

  /// Keeps the lines of a text that are JSON objects.
  static func add(_ text: String, to schema: String) {
    guard let folder, text.utf8.count <= longest else { return }
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("{\"") }
    guard !lines.isEmpty else { return }
    do {
      let file = try FileDescriptor.open(
        folder.appending("\(schema).jsonl"),
        .writeOnly,
        options: [.create, .append],
        permissions: .ownerReadWrite
      )
      try file.closeAfter {
        _ = try file.writeAll((lines.joined(separator: "\n") + "\n").utf8)
      }
    } catch {
      // What is missing is found at the end: each schema needs values.
      print("recto: cannot keep an output in \(folder): \(error)")
    }
  }

  /// The schema of what a command writes to standard output.
  private static func schema(of arguments: [String]) -> String? {
    if arguments.contains("--from"), arguments.first != "thumbs" { return "library-line" }
    return switch arguments.first {
    case "layout", "render", "info": arguments.first
    case "thumbs": "thumbs-line"
    case "pages" where arguments.contains("--json"): "pages-line"
    case "text", "search", "links":
      arguments.contains("--json") ? arguments.first.map { "\($0)-line" } : nil
    case "doctor" where arguments.contains("--json"): "doctor"
    case "outline" where arguments.contains("--json"): "outline"
    case "cache":
      arguments.dropFirst().first.flatMap {
        ["info", "trim", "verify"].contains($0) ? "cache-\($0)" : nil
      }
    default: nil
    }
  }
}

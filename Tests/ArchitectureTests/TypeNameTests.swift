import Testing

/// No two types have the same name.
///
/// Types inside other types are compared by their full names: `WorkerPool.Settings` and `RenderQueue.Settings` differ. But
/// none is named as a type at the top level that can be used in the same module. The scan finds the type around a
/// declaration by its indentation.
@Suite struct TypeNameTests {
  private struct Declaration {
    /// The path of its source; the first folder is the module.
    var path: String
    /// The types around it, outermost first, and itself.
    var names: [String]
    /// Whether other modules can see it.
    var isExported: Bool

    var module: Substring { path.prefix { $0 != "/" } }
    var name: String { names.joined(separator: ".") }
  }

  /// The types that a source declares; aliases only if they are public.
  private static func declarations(in source: String, path: String) -> [Declaration] {
    let pattern =
      /^ *((?:@\w+ |public |package |private |fileprivate |final |indirect |nonisolated )*)(struct|class|actor|enum|protocol|extension|typealias) (?!func |var |let )([\w.]+)/
    var found: [Declaration] = []
    var scopes: [(indentation: Int, name: String)] = []
    for line in source.split(separator: "\n") {
      let indentation = line.prefix { $0 == " " }.count
      let isEnd = line.dropFirst(indentation).first == "}"
      let match = isEnd ? nil : line.prefixMatch(of: pattern)
      guard isEnd || match != nil else { continue }
      scopes.removeAll { $0.indentation >= indentation }
      guard let match else { continue }
      let isExported = match.1.contains(/public|package/)
      let name = String(match.3)
      if match.2 != "extension", match.2 != "typealias" || match.1.contains("public") {
        let names = (scopes.map(\.name) + [name]).joined(separator: ".").split(separator: ".")
        found.append(
          Declaration(path: path, names: names.map(String.init), isExported: isExported)
        )
      }
      if match.2 != "typealias" { scopes.append((indentation, name)) }
    }
    return found
  }

  /// The names that two types have, with the sources of both.
  private static func conflicts(in sources: [(path: String, text: String)]) -> [String] {
    // Each program begins with a `Main`.
    let all = sources.flatMap { declarations(in: $0.text, path: $0.path) }
      .filter { $0.name != "Main" }
    var first: [String: Declaration] = [:]
    var conflicts: [String] = []
    for type in all {
      if let other = first[type.name] {
        conflicts.append("\(type.name): \(other.path), \(type.path)")
      } else {
        first[type.name] = type
      }
    }
    for type in all where type.names.count > 1 {
      guard let other = type.names.last.flatMap({ first[$0] }),
        type.isExported || other.isExported || type.module == other.module
      else { continue }
      conflicts.append("\(type.name), \(other.name): \(type.path), \(other.path)")
    }
    return conflicts
  }

  @Test func `no two types have the same name`() throws {
    let sources = try swiftSources(in: "Sources")
    #expect(sources.flatMap { Self.declarations(in: $0.text, path: $0.path) }.count > 800)
    #expect(Self.conflicts(in: sources) == [])
  }

  @Test(arguments: [
    ("struct Size {\n}", "enum Size {\n}"),
    ("struct Page {\n  struct Size {}\n}", "extension Page {\n  enum Size {\n  }\n}"),
    ("public struct Size {}", "struct Page {\n  var x = 0\n  private enum Size {\n  }\n}"),
    ("actor Size {}", "final class Page {\n  public struct Size {\n  }\n}"),
    ("public typealias Size = Int", "@MainActor final class Size {}"),
  ])
  func `two types of one name are found`(first: String, second: String) {
    #expect(Self.conflicts(in: [("A/1.swift", first), ("B/2.swift", second)]).count == 1)
  }

  @Test(arguments: [
    ("struct Page {\n  struct Size {}\n}", "struct Sheet {\n  struct Size {}\n}"),
    ("struct Size {}", "struct Page {\n  struct Size {}\n}"),
    ("struct Size {}", "extension Size {\n  class func whole() {\n  }\n}"),
    ("typealias Size = Int", "/// A\n/// struct Size\nextension Size {}"),
  ])
  func `names that differ, or do not meet, are not found`(first: String, second: String) {
    #expect(Self.conflicts(in: [("A/1.swift", first), ("B/2.swift", second)]) == [])
  }
}

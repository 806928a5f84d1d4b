import Foundation
import TestSupport
import Testing

/// The table of modules in `docs/ARCHITECTURE.md`, compared with `Package.swift` and with the sources.
@Suite struct ImportTableTests {
  /// A module and what it imports.
  private struct Module {
    var name: String
    var imports: Set<String>
  }

  /// The rows of the table, from the top.
  private let table: [Module]
  /// The targets of `Package.swift` that are compiled and no tests, with their dependencies.
  private let targets: [Module]

  init() throws {
    let document = try Self.text("docs/ARCHITECTURE.md")
    table = document.matches(of: /(?m)^\| `([\w-]+)` \| .* \| ([^|]+) \|$/).map { row in
      let names = row.2 == "–" ? [] : row.2.split(separator: ", ").map(String.init)
      return Module(name: String(row.1), imports: Set(names))
    }
    let package = try Self.text("Package.swift")
    let list = /(?s)\.(?:t|executableT)arget\(\s*name: "([\w-]+)",(.*?)swiftSettings: settings/
    targets = package.matches(of: list).compactMap { target in
      let name = String(target.1)
      guard name != "TestSupport" else { return nil }
      let dependencies = target.2.firstMatch(of: /(?s)dependencies: \[(.*?)\]/)?.1 ?? ""
      var names = dependencies.matches(of: /"([\w-]+)"/).map { String($0.1) }
      names.removeAll { $0 == "swift-argument-parser" }
      if dependencies.contains(/\bsystem\b/) { names.append("SystemPackage") }
      return Module(name: name, imports: Set(names))
    }
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: Places.root.appending(path: path), encoding: .utf8)
  }

  /// What the sources of a module import, without what comes with the toolchain.
  private func imports(of module: String) throws -> Set<String> {
    let path = module == "ExampleArrangements" ? "Examples/Arrangements" : "Sources/\(module)"
    let folder = Places.root.appending(path: path)
    let files = try #require(
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [])
    )
    var names: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let source = try String(contentsOf: file, encoding: .utf8)
      for line in source.matches(of: /(?m)^(?:public |package |internal )?import (\w+)$/) {
        names.insert(String(line.1))
      }
    }
    return names.subtracting(["Dispatch", "Glibc", "Synchronization"])
  }

  @Test func `the table has every module of the package`() {
    #expect(table.count > 10)
    #expect(Set(table.map(\.name)) == Set(targets.map(\.name)))
  }

  @Test func `a module imports what the table says`() throws {
    for module in table {
      #expect(try imports(of: module.name) == module.imports, "\(module.name)")
    }
  }

  @Test func `a target depends on what the table says`() throws {
    for target in targets {
      let row = try #require(table.first { $0.name == target.name })
      #expect(target.imports == row.imports, "\(target.name)")
    }
  }

  @Test func `imports point upward in the table`() {
    let own = Set(table.map(\.name))
    var above: Set<String> = []
    for module in table {
      #expect(module.imports.intersection(own).isSubset(of: above), "\(module.name)")
      above.insert(module.name)
    }
  }
}

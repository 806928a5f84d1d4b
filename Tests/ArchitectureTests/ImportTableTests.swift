import Foundation
import TestSupport
import Testing

/// The table of modules in `docs/ARCHITECTURE.md`, compared with `Package.swift` and with the sources.
@Suite struct ImportTableTests {
  /// A module and what it imports.
  private struct Module {
    var name: String
    var imports: Set<String>
    /// Where its sources are.
    var folder = ""
  }

  /// The rows of the table, from the top.
  private let table: [Module]
  /// The target of each module of a system library, of which a map has several.
  private let libraries: [String: String]
  /// The targets of `Package.swift` that are compiled and no tests, with their dependencies.
  private let targets: [Module]

  init() throws {
    let document = try Self.text("docs/ARCHITECTURE.md")
    table = document.matches(of: /(?m)^\| `([\w-]+)` \| .* \| ([^|]+) \|$/).map { row in
      let names = row.2 == "–" ? [] : row.2.split(separator: ", ").map(String.init)
      return Module(name: String(row.1), imports: Set(names))
    }
    var libraries: [String: String] = [:]
    for target in ["CLibraries", "CDrawing"] {
      let map = try Self.text("Sources/\(target)/module.modulemap")
      for module in map.matches(of: /(?m)^module (\w+)/) { libraries[String(module.1)] = target }
    }
    self.libraries = libraries
    let manifest = try Self.text("Package.swift")
    let own = manifest[..<(try #require(manifest.range(of: "let package = ")).lowerBound)]
    targets = own.matches(of: /(?m)^  (?:module|program)\(\s*"([\w-]+)"/).compactMap { start in
      let name = String(start.1)
      guard name != "TestSupport" else { return nil }
      let call = Self.inParentheses(own[start.range.upperBound...])
      let path = call.firstMatch(of: /path: "([^"]+)"/).map { String($0.1) }
      return Module(
        name: name,
        imports: Self.dependencies(call),
        folder: path ?? "Sources/\(name)"
      )
    }
  }

  /// What is left of a call's arguments.
  private static func inParentheses(_ text: Substring) -> Substring {
    var depth = 1
    return text.prefix { character in
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      return depth > 0
    }
  }

  /// The names in the list behind a target's name.
  private static func dependencies(_ call: Substring) -> Set<String> {
    guard let list = call.prefixMatch(of: /,\s*\[(.*?)\]/.dotMatchesNewlines())?.1 else {
      return []
    }
    var names = list.replacing(/product\("(\w+)", "[\w-]+"\)/) { "\"\($0.1)\"" }
      .matches(of: /"([\w-]+)"/).map { String($0.1) }
    if list.contains(/\barguments\b/) { names.append("ArgumentParser") }
    if list.contains(/\bsystemPackage\b/) { names.append("SystemPackage") }
    return Set(names)
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: TestPaths.root.appending(path: path), encoding: .utf8)
  }

  /// Modules that come with the toolchain.
  private static let toolchain: Set = [
    "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Synchronization",
  ]

  /// The texts of the sources in a folder.
  private func sources(in folder: String) throws -> [String] {
    let folder = TestPaths.root.appending(path: folder)
    let files = try #require(
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [])
    )
    return try files.compactMap { file in
      guard let file = file as? URL, ["swift", "h", "c", "cpp"].contains(file.pathExtension) else {
        return nil
      }
      return try String(contentsOf: file, encoding: .utf8)
    }
  }

  /// What the sources in a folder import.
  private func imports(in folder: String) throws -> Set<String> {
    let list = /(?m)^(?:@_exported )?(?:public |package |internal )?import (\w+)$/
    var names: Set<String> = []
    for source in try sources(in: folder) {
      for line in source.matches(of: list) {
        let name = String(line.1)
        names.insert(libraries[name] ?? name)
      }
    }
    return names
  }

  @Test func `the table has every module of the package`() {
    #expect(table.count > 10)
    #expect(Set(table.map(\.name)) == Set(targets.map(\.name)))
  }

  @Test func `a module imports what the table says`() throws {
    for target in targets {
      let row = try #require(table.first { $0.name == target.name })
      let imports = try imports(in: target.folder).subtracting(Self.toolchain)
      #expect(imports == row.imports, "\(target.name)")
    }
  }

  @Test func `no source of the package imports Foundation`() throws {
    for target in targets where target.folder.hasPrefix("Sources/") {
      #expect(try !imports(in: target.folder).contains("Foundation"), "\(target.name)")
    }
  }

  @Test func `sources that are linked with poppler are under its license, and no others`() throws {
    let identifier = "// SPDX-License-Identifier: GPL-2.0-or-later\n"
    var linked: Set = ["CDrawing", "CSplash"]
    let libraries = linked.map { Module(name: $0, imports: [], folder: "Sources/\($0)") }
    // From the bottom of the table: what imports a linked module is linked as well.
    for module in table where !module.imports.isDisjoint(with: linked) {
      linked.insert(module.name)
    }
    #expect(linked.contains("recto-worker") && !linked.contains("RectoKit"))
    for target in targets + libraries where target.folder.hasPrefix("Sources/") {
      for source in try sources(in: target.folder) {
        #expect(source.hasPrefix(identifier) == linked.contains(target.name), "\(target.name)")
      }
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

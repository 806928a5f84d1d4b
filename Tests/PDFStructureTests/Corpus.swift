import Foundation
import PageNumbers
import Testing

/// The folder of test documents beside the project, and the poppler tools that judge them.
enum Corpus {
  /// The folders with documents; empty when there is no corpus.
  static let folders: [URL] = {
    let root =
      ProcessInfo.processInfo.environment["RECTO_CORPUS"].map { URL(fileURLWithPath: $0) }
      ?? URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../shared/corpus").standardizedFileURL
    return ["real", "generated"].map { root.appending(path: $0) }
      .filter { FileManager.default.fileExists(atPath: $0.path) }
  }()

  /// All documents, by name.
  static let files: [URL] = {
    let files = folders.flatMap {
      (try? FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)) ?? []
    }
    return files.filter { $0.pathExtension == "pdf" }.sorted { $0.path < $1.path }
  }()

  /// Whether the whole corpus is to be rendered, and not only a sample.
  static let isThorough = ProcessInfo.processInfo.environment["RECTO_CORPUS_FULL"] != nil

  static let skipped: Comment = "skipped: no corpus"

  /// The result of a program.
  struct Output {
    var status: Int32
    var output: Data
    var errors: String

    var text: String { String(decoding: output, as: UTF8.self) }
  }

  /// Runs a program for at most some seconds; status 124 when they were not enough.
  static func run(_ program: String, _ arguments: [String], seconds: Int = 10) throws -> Output {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["timeout", "-k", "1", "\(seconds)", program] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(["LC_ALL": "C"]) { $1 }
    let folder = FileManager.default.temporaryDirectory
    let errors = folder.appending(path: "recto-errors-\(UUID().uuidString)")
    try Data().write(to: errors)
    defer { try? FileManager.default.removeItem(at: errors) }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    // The pipe is drained before waiting, or a long answer would never end.
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: try Data(contentsOf: errors).prefix(65536), as: UTF8.self)
    return Output(status: process.terminationStatus, output: data, errors: text)
  }
}

/// What `pdfinfo` says of a document.
struct PopplerPages {
  /// One page; nil boxes for a page that is missing.
  struct Page {
    var size: (width: Double, height: Double) = (0, 0)
    var rotation = 0
    var media: [Double]?
    var crop: [Double]?
  }

  var count = 0
  var pages: [PageIndex: Page] = [:]
  var isEncrypted = false
  /// Whether poppler opened the file without a word about damage and without rebuilding it.
  var isUndamaged = false

  /// Nil when poppler cannot open the file or does not come back.
  init?(_ file: URL) throws {
    let answer = try Corpus.run("pdfinfo", ["-f", "1", "-l", "-1", "-box", file.path])
    // 99: no such page, which here means that there are none.
    guard answer.status == 0 || answer.status == 99 else { return nil }
    isUndamaged = answer.status == 0 && answer.errors.isEmpty
    for line in answer.text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count > 1 else { continue }
      if words[0] == "Pages:" { count = Int(words[1]) ?? 0 }
      if words[0] == "Encrypted:" { isEncrypted = words[1] == "yes" }
      guard words[0] == "Page", words.count > 3,
        let index = Int(words[1]).flatMap(PageIndex.init(number:))
      else { continue }
      var page = pages[index] ?? Page()
      switch words[2] {
      case "size:":
        page.size = (Double(words[3]) ?? .nan, words.count > 5 ? Double(words[5]) ?? .nan : .nan)
      case "rot:": page.rotation = Int(words[3]) ?? -1
      case "MediaBox:": page.media = words[3...].compactMap { Double($0) }
      case "CropBox:": page.crop = words[3...].compactMap { Double($0) }
      default: break
      }
      pages[index] = page
    }
  }
}

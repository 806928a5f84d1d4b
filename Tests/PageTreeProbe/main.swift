// Prints what PageTree reads, for scripts that compare it with other readers and for measurements.
//
//   PageTreeProbe facts FILE           one line for the document, one for each page
//   PageTreeProbe open FILE            opens it
//   PageTreeProbe page FILE INDEX      opens it and finds one page
//   PageTreeProbe sizes FILE           opens it and sums all pages' areas
//   PageTreeProbe window FILE OUT INDEX…   writes a window
//
// MANY_OBJECTS=N sets from how many objects on a window is a document of its own.

import DocumentModel
import Geometry
import Glibc
import PageTree

func describe(_ page: PageNode?) -> String {
  guard let page else { return "missing" }
  func box(_ box: PageBox) -> String { "\(box.x1) \(box.y1) \(box.x2) \(box.y2)" }
  return "object \(page.objectNumber) \(page.generation) media \(box(page.mediaBox))"
    + " crop \(box(page.cropBox)) rotate \(page.rotation) unit \(page.userUnit)"
}

func run(_ arguments: [String]) throws -> Int32 {
  guard arguments.count >= 3 else { return 64 }
  let descriptor = open(arguments[2], O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return 66 }
  defer { close(descriptor) }
  var budgets = Budgets()
  if let text = getenv("MANY_OBJECTS") {
    budgets.manyObjects = Int(String(cString: text)) ?? budgets.manyObjects
    budgets.manyFields = min(budgets.manyFields, budgets.manyObjects)
  }
  // What is written to a file holds its streams as they are.
  budgets.decodedStream = 0
  let reader = try PageTreeReader(descriptor: descriptor, budgets: budgets)
  switch arguments[1] {
  case "open": print(reader.pageCount)
  case "page":
    print(describe(try reader.page(at: Int(arguments[3]) ?? 0)))
  case "sizes":
    let pages = try reader.pages(in: 0..<reader.pageCount)
    let area = pages.reduce(0) { $0 + ($1?.facts.size.area ?? 0) }
    print(pages.count, area)
  case "facts":
    let facts = reader.documentFacts()
    print(
      "pages \(facts.pageCount) title \(facts.title ?? "-") rtl \(facts.isRightToLeft)"
        + " layout \(facts.pageLayout?.rawValue ?? "-")"
    )
    for (index, page) in try reader.pages(in: 0..<reader.pageCount).enumerated() {
      print(index, try reader.label(of: index) ?? "-", describe(page))
    }
  case "window":
    let source = try FileBytes(descriptor: descriptor)
    var bytes: [UInt8] = []
    for piece in try reader.window(of: arguments.dropFirst(4).compactMap { Int($0) }) {
      switch piece {
      case .bytes(let own): bytes += own
      case .inflated: return 70
      case .file(let range):
        var part = [UInt8](repeating: 0, count: range.count)
        try part.withUnsafeMutableBytes { try source.read(into: $0, at: range.lowerBound) }
        bytes += part
      }
    }
    let output = open(arguments[3], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard output >= 0 else { return 73 }
    defer { close(output) }
    var done = 0
    while done < bytes.count {
      let wrote = bytes.withUnsafeBytes {
        write(output, $0.baseAddress.map { $0 + done }, $0.count - done)
      }
      guard wrote > 0 else { return 74 }
      done += wrote
    }
  default: return 64
  }
  return 0
}

do {
  exit(try run(CommandLine.arguments))
} catch {
  print("not mine:", error)
  exit(2)
}

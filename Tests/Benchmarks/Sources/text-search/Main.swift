import DocumentModel
import DocumentText
import Glibc
import RectoGeometry

/// Measures how fast the text of pages is searched and taken apart.
///
///     text-search [FILE [WORDS…]]
///
/// Searches generated pages and those of FILE, text with a form feed behind each page as `pdftotext` writes it,
/// and prints megabytes a second: the best of nine searches of all pages, with a fresh searcher each.
@main
struct TextSearch {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    search("generated ASCII", generatedPages(of: words), ["integral", "the", "exam-ple", "zzzz"])
    search("generated Greek", generatedPages(of: greekWords), ["ολοκλήρωμα", "και"])
    if let path = arguments.first {
      let words = Array(arguments.dropFirst())
      let file = read(path)
      let pages = file.split(separator: 0x0C).map { Array($0) }
      search(path, pages, words.isEmpty ? ["integral", "the"] : words)
    }
    takeApart()
  }

  private static let words = [
    "the", "of", "integral", "and", "a", "function", "is", "where", "Examples", "in", "exam-\nple",
    "continuous,", "interval.",
  ]
  private static let greekWords = ["και", "το", "Ολοκλήρωμα", "της", "συνάρτησης", "είναι", "ένα"]

  /// As many pages as one of our large documents has, each of 500 words.
  private static func generatedPages(of words: [String]) -> [[UInt8]] {
    var state: UInt32 = 1
    return (0..<2415).map { _ in
      var page = ""
      for index in 0..<500 {
        state = state &* 1_664_525 &+ 1_013_904_223
        page += words[Int(state >> 16) % words.count]
        page += index % 10 == 9 ? "\n" : " "
      }
      return Array(page.utf8)
    }
  }

  private static func search(_ name: String, _ pages: [[UInt8]], _ queries: [String]) {
    let bytes = pages.reduce(0) { $0 + $1.count }
    print("\(name): \(pages.count) pages, \(bytes) bytes")
    for words in queries {
      var hits = 0
      let nanoseconds = best {
        var searcher = TextSearcher(TextQuery(words))
        hits = pages.reduce(0) { $0 + searcher.matches(in: $1).count }
      }
      let speed = Int(Double(bytes) * 1000 / nanoseconds)
      print("  \(words): \(hits) hits, \(Int(nanoseconds / 1000)) µs, \(speed) MB/s")
    }
  }

  /// Times what is done with one page of 40 lines of 60 characters.
  private static func takeApart() {
    var string = ""
    var boxes: [TextBox] = []
    for line in 0..<40 {
      for place in 0..<60 {
        let (x, y) = (Float(place) * 6, Float(line) * 14)
        string += place % 7 == 6 ? " " : "n"
        boxes.append(TextBox(minX: x, minY: y, maxX: x + 6, maxY: y + 12))
      }
      string += "\n"
      boxes.append(TextBox(minX: 360, minY: 0, maxX: 360, maxY: 0))
    }
    let text = PageText(string, boxes: boxes)
    let structure = TextStructure(text)
    let (start, end) = (Point(x: 50, y: 50), Point(x: 200, y: 400))
    print("a page of \(boxes.count) characters")
    print("  boxes: \(Int(best { _ = text.boxes() })) ns")
    print("  lines, words and blocks: \(Int(best { _ = TextStructure(text) })) ns")
    print("  characters: \(Int(best { _ = structure.characters() })) ns")
    print("  selection: \(Int(best { _ = structure.selection(from: start, to: end) })) ns")
  }

  /// The nanoseconds of the fastest of nine calls.
  private static func best(_ body: () -> Void) -> Double {
    (0..<9).map { _ in
      var start = timespec()
      var end = timespec()
      clock_gettime(CLOCK_MONOTONIC, &start)
      body()
      clock_gettime(CLOCK_MONOTONIC, &end)
      return Double(end.tv_sec - start.tv_sec) * 1e9 + Double(end.tv_nsec - start.tv_nsec)
    }.min() ?? 0
  }

  private static func read(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else {
      print("text-search: \(path): cannot be opened")
      exit(66)
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 20)
    while case let count = fread(&block, 1, block.count, file), count > 0 {
      bytes += block[..<count]
    }
    return bytes
  }
}

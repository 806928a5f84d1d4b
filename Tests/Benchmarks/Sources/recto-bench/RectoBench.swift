import Foundation

/// Runs the benchmarks whose title contains the given words (all without any) and prints a table in
/// Markdown. Exits with 1 when a budget was missed by the median.
///
///     recto-bench [WORDS] [--json | --counting]
///
/// `--json` prints every sample. `--counting` measures nothing: it runs each benchmark once for
/// `scripts/dev/instructions` and prints the titles in that order, each behind its number of operations.
@main
struct RectoBench {
  private struct Report: Encodable {
    var benchmarks: [Measurement]
    var heap: [HeapUse]
  }

  static func main() throws {
    var arguments = Set(CommandLine.arguments.dropFirst())
    let isCounting = arguments.remove("--counting") != nil
    let isJSON = arguments.remove("--json") != nil
    let words = arguments.first ?? ""
    let folder = URL.temporaryDirectory.appending(component: "recto-bench-\(getpid())")
    defer { try? FileManager.default.removeItem(at: folder) }

    var benchmarks: [Benchmark] = []
    benchmarks += layoutBenchmarks()
    benchmarks += layoutBudgets()
    benchmarks += arrangementBenchmarks()
    benchmarks += transitionBenchmarks()
    benchmarks += try pageTreeBenchmarks()
    benchmarks += tileBenchmarks()
    benchmarks += try cacheBenchmarks(in: folder.path)
    benchmarks += queueBenchmarks()
    benchmarks = benchmarks.filter { words.isEmpty || $0.title.contains(words) }

    if isCounting {
      for benchmark in benchmarks {
        try benchmark.runForCounting()
        print("\(benchmark.operations)\t\(benchmark.title)")
      }
      return
    }
    let results = try benchmarks.map { try $0.measure(samples: 31) }
    let heap = layoutHeap().filter { words.isEmpty || $0.what.contains(words) }
    if isJSON {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys]
      print(
        String(decoding: try encoder.encode(Report(benchmarks: results, heap: heap)), as: UTF8.self)
      )
      return
    }
    show(results, heap)
    if results.contains(where: \.isMissed) {
      try? FileManager.default.removeItem(at: folder)
      exit(1)
    }
  }

  private static func show(_ results: [Measurement], _ heap: [HeapUse]) {
    print("| benchmark | best | median | worst | budget | |")
    print("|---|---|---|---|---|---|")
    for result in results {
      let budget = result.budget.map { readable($0) } ?? "–"
      print(
        "| \(result.title) | \(readable(result.best)) | \(readable(result.median))"
          + " | \(readable(result.worst)) | \(budget) | \(result.isMissed ? "missed" : "") |"
      )
    }
    for use in heap { print("heap: \(use.what): \(use.bytes) bytes") }
  }
}

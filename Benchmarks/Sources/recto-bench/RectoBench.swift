import Glibc

/// Runs the benchmarks whose title contains the first argument (all without one) and prints a
/// table in Markdown. Exits with 1 when a budget was missed by the median.
@main
struct RectoBench {
  static func main() {
    let filter = CommandLine.arguments.dropFirst().first ?? ""
    let suites: [(name: String, benchmarks: [Benchmark])] = [
      ("layout", layoutBenchmarks())
    ]
    var missed = 0
    print("| benchmark | best | median | worst | budget | |")
    print("|---|---|---|---|---|---|")
    for suite in suites {
      for benchmark in suite.benchmarks {
        let title = "\(suite.name): \(benchmark.title)"
        guard filter.isEmpty || title.contains(filter) else { continue }
        let result = benchmark.measure(samples: 31)
        let isMissed = benchmark.budget.map { result.median > $0 } ?? false
        missed += isMissed ? 1 : 0
        let budget = benchmark.budget.map { readable($0) } ?? "–"
        let verdict = isMissed ? "missed" : ""
        print(
          "| \(title) | \(readable(result.best)) | \(readable(result.median))"
            + " | \(readable(result.worst)) | \(budget) | \(verdict) |"
        )
      }
    }
    for line in layoutMemory() where filter.isEmpty || line.contains(filter) { print(line) }
    exit(missed == 0 ? 0 : 1)
  }
}

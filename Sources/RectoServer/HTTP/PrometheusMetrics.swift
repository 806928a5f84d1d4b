internal import CoreMetrics
internal import Synchronization

/// Metrics of swift-metrics in memory, and as the text that Prometheus reads.
///
/// Implemented here to avoid a dependency for a page of text.
final class PrometheusMetrics: MetricsFactory {
  private let counters = Mutex<[String: Count]>([:])
  private let recorders = Mutex<[String: Histogram]>([:])

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    let name = Self.name(label, dimensions)
    return counters.withLock { counters in
      if let known = counters[name] { return known }
      let made = Count()
      counters[name] = made
      return made
    }
  }

  func makeRecorder(
    label: String,
    dimensions: [(String, String)],
    aggregate: Bool
  ) -> any RecorderHandler {
    histogram(label, dimensions)
  }

  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    histogram(label, dimensions)
  }

  func destroyCounter(_ handler: any CounterHandler) {}
  func destroyRecorder(_ handler: any RecorderHandler) {}
  func destroyTimer(_ handler: any TimerHandler) {}

  private func histogram(_ label: String, _ dimensions: [(String, String)]) -> Histogram {
    let name = Self.name(label, dimensions)
    return recorders.withLock { recorders in
      if let known = recorders[name] { return known }
      let made = Histogram()
      recorders[name] = made
      return made
    }
  }

  private static func name(_ label: String, _ dimensions: [(String, String)]) -> String {
    guard !dimensions.isEmpty else { return label }
    return label + "{" + dimensions.map { "\($0.0)=\"\($0.1)\"" }.joined(separator: ",") + "}"
  }

  /// What the values that requests leave are.
  private static let help = [
    "recto_http_requests_total": "Requests by kind of address and status.",
    "recto_http_request_duration_seconds":
      "Seconds from a request to its answer, by kind of address.",
    "recto_errors_total": "Answers with an error of a document or a page, by its code.",
  ]

  /// The text of all metrics.
  ///
  /// - Parameter metrics: Values besides those of requests; those of one name are together.
  /// - Returns: The text, in the exposition format of Prometheus.
  func text(_ metrics: [Metric]) -> String {
    var lines: [String] = []
    var described: Set<String> = []
    func describe(_ name: String, _ kind: String, _ help: String?) {
      let base = String(name.prefix { $0 != "{" })
      guard described.insert(base).inserted else { return }
      lines += ["# HELP \(base) \(help ?? Self.help[base] ?? base)", "# TYPE \(base) \(kind)"]
    }
    for (name, count) in counters.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      describe(name, "counter", nil)
      lines.append("\(name) \(count.value)")
    }
    for (name, histogram) in recorders.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      describe(name, "histogram", nil)
      lines += histogram.lines(name)
    }
    for metric in metrics {
      describe(metric.name, metric.kind.rawValue, metric.help)
      lines.append(metric.line)
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// A number that grows.
private final class Count: CounterHandler {
  private let total = Atomic<Int64>(0)
  var value: Int64 { total.load(ordering: .relaxed) }
  func increment(by amount: Int64) { total.wrappingAdd(amount, ordering: .relaxed) }
  func reset() { total.store(0, ordering: .relaxed) }
}

/// Counts values below certain limits.
private final class Histogram: RecorderHandler, TimerHandler {
  private struct State {
    var counts = [Int](repeating: 0, count: Histogram.limits.count + 1)
    var sum = 0.0
  }

  /// In seconds.
  private static let limits = [
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10,
  ]
  private let state = Mutex(State())

  func record(_ value: Int64) { record(Double(value)) }

  func record(_ value: Double) {
    state.withLock { state in
      state.counts[Self.limits.firstIndex { value <= $0 } ?? Self.limits.count] += 1
      state.sum += value
    }
  }

  func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

  func lines(_ name: String) -> [String] {
    let base = name.prefix { $0 != "{" }
    let labels = name.dropFirst(base.count).dropFirst().dropLast()
    let state = state.withLock { $0 }
    var total = 0
    var lines: [String] = []
    for (index, count) in state.counts.enumerated() {
      total += count
      let limit = index < Self.limits.count ? "\(Self.limits[index])" : "+Inf"
      lines.append("\(base)_bucket{\(labels)\(labels.isEmpty ? "" : ",")le=\"\(limit)\"} \(total)")
    }
    let suffix = labels.isEmpty ? "" : "{\(labels)}"
    return lines + ["\(base)_sum\(suffix) \(state.sum)", "\(base)_count\(suffix) \(total)"]
  }
}

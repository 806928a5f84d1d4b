import CLinux
import Glibc

/// One benchmark: a sentence that says what is done and how large it is, and what it may cost.
struct Benchmark {
  /// What is measured, as a sentence.
  var title: String
  /// The budget for one operation in nanoseconds; nil: there is none.
  var budget: Double?
  /// How many operations one call of `body` does.
  var operations: Int
  /// Makes what one sample needs; what it costs is not measured. Returns the body to measure.
  var prepare: () throws -> () throws -> Void

  init(
    _ title: String,
    budget: Double? = nil,
    operations: Int = 1,
    prepare: @escaping () throws -> () throws -> Void
  ) {
    self.title = title
    self.budget = budget
    self.operations = operations
    self.prepare = prepare
  }
}

/// What a benchmark cost.
struct Measurement: Encodable {
  var title: String
  /// Nanoseconds for one operation; nil: there is no budget.
  var budget: Double?
  /// Nanoseconds for one operation, one entry for each sample.
  var samples: [Double]

  /// The sample in the middle.
  var median: Double { samples.sorted()[samples.count / 2] }
  var best: Double { samples.min() ?? 0 }
  var worst: Double { samples.max() ?? 0 }
  var isMissed: Bool { budget.map { median > $0 } ?? false }
}

/// Bytes that something keeps on the heap.
struct HeapUse: Encodable {
  var what: String
  var bytes: Int
}

/// Keeps a value from being optimised away.
@inline(never)
func consume<Value>(_ value: Value) {
  withExtendedLifetime(value) {}
}

/// The one function whose instructions `scripts/dev/instructions` counts: it knows it by this name.
@inline(never)
func measuredRegion(_ body: () throws -> Void) rethrows {
  try body()
}

/// Bytes that the allocator has handed out. Swift leaves out direct calls of `mallinfo2`.
func heapInUse() -> Int { recto_heap_bytes() }

private func now() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

extension Benchmark {
  /// Runs the benchmark: two warm-up samples, then `samples` that count.
  func measure(samples: Int) throws -> Measurement {
    var times: [Double] = []
    times.reserveCapacity(samples)
    for sample in 0..<samples + 2 {
      let body = try prepare()
      let start = now()
      try measuredRegion(body)
      let end = now()
      if sample >= 2 { times.append(Double(end - start) / Double(operations)) }
    }
    return Measurement(title: title, budget: budget, samples: times)
  }

  /// Runs the body once outside ``measuredRegion(_:)``, so that what happens the first time only is
  /// not counted, and once inside.
  func runForCounting() throws {
    try prepare()()
    try measuredRegion(try prepare())
  }
}

/// A duration for people.
func readable(_ nanoseconds: Double) -> String {
  func rounded(_ value: Double) -> String {
    let tenths = Int((value * 100).rounded())
    let fraction = tenths % 100
    return "\(tenths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }
  if nanoseconds < 1000 { return "\(rounded(nanoseconds)) ns" }
  if nanoseconds < 1_000_000 { return "\(rounded(nanoseconds / 1000)) µs" }
  return "\(rounded(nanoseconds / 1_000_000)) ms"
}

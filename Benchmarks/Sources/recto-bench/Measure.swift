import CMalloc
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
  var prepare: () -> () -> Void

  init(
    _ title: String,
    budget: Double? = nil,
    operations: Int = 1,
    prepare: @escaping () -> () -> Void
  ) {
    self.title = title
    self.budget = budget
    self.operations = operations
    self.prepare = prepare
  }
}

/// What a benchmark cost per operation, in nanoseconds, and what the heap grew by per sample.
struct Measurement {
  var best: Double
  var median: Double
  var worst: Double
  /// Bytes in use after the body that were not in use before, in the last sample.
  var heapGrowth: Int
}

/// Keeps a value from being optimised away.
@inline(never)
func consume<Value>(_ value: Value) {
  withExtendedLifetime(value) {}
}

/// Bytes that the allocator has handed out.
func heapInUse() -> Int {
  let info = mallinfo2()
  return Int(info.uordblks) + Int(info.hblkhd)
}

private func now() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

extension Benchmark {
  /// Runs the benchmark: two warm-up samples, then `samples` that count.
  func measure(samples: Int) -> Measurement {
    var times: [Double] = []
    times.reserveCapacity(samples + 2)
    var growth = 0
    for _ in 0..<samples + 2 {
      let body = prepare()
      let heap = heapInUse()
      let start = now()
      body()
      let end = now()
      growth = heapInUse() - heap
      times.append(Double(end - start) / Double(operations))
    }
    let counted = times.dropFirst(2).sorted()
    return Measurement(
      best: counted.first ?? 0,
      median: counted[counted.count / 2],
      worst: counted.last ?? 0,
      heapGrowth: growth
    )
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

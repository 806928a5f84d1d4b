import Foundation

/// The seeds of a property test; RECTO_EFFORT=10 in the environment tries ten times as many.
func seeds(_ count: Int) -> Range<Int> {
  let effort = ProcessInfo.processInfo.environment["RECTO_EFFORT"].flatMap(Int.init) ?? 1
  return 0..<count * max(1, effort)
}

/// SplitMix64: the same numbers on every run, so that a failure can be repeated from its seed.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: Int) { state = UInt64(bitPattern: Int64(seed)) &* 0x9E37_79B9_7F4A_7C15 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &self) < share }

  mutating func number(_ range: ClosedRange<Double>) -> Double {
    // Whole numbers half of the time: exact sums hit edges that random ones never do.
    let value = Double.random(in: range, using: &self)
    return Bool.random(using: &self) ? value.rounded() : value
  }

  mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &self)]
  }
}

import Foundation
import TestSupport

/// The seeds of a property test; RECTO_EFFORT=10 in the environment tries ten times as many.
func seeds(_ count: Int) -> Range<Int> {
  let effort = ProcessInfo.processInfo.environment["RECTO_EFFORT"].flatMap(Int.init) ?? 1
  return 0..<count * max(1, effort)
}

extension SeededGenerator {
  mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &self) < share }

  mutating func number(_ range: ClosedRange<Double>) -> Double {
    // Whole numbers half of the time: exact sums hit edges that random ones never do.
    let value = Double.random(in: range, using: &self)
    return Bool.random(using: &self) ? value.rounded() : value
  }
}

import TestSupport
import Testing

@testable import PageLayout

@Suite struct SparseTreeTests {
  struct Number: SparseElement {
    struct Total: SparseTotal {
      var count = 0
      var sum = 0.0
      static let zero = Total()
      mutating func add(_ other: Total) {
        count += other.count
        sum += other.sum
      }
    }
    var value: Double
    var total: Total { Total(count: 1, sum: value) }
  }

  @Test func `it answers like a dictionary whatever is set, removed and asked for`() {
    for seed in 0..<60 {
      var random = SeededGenerator(seed)
      let limit = random.pick([5, 64, 65, 4096, 5000, 300_000])
      var tree = SparseTree<Number>()
      var model: [Int: Double] = [:]
      for _ in 0..<150 {
        let key = Int.random(in: 0..<limit, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
          let end = Int.random(in: key...limit, using: &random)
          tree.removeAll(in: key..<min(end, key + limit / 8 + 1))
          for removed in key..<min(end, key + limit / 8 + 1) { model[removed] = nil }
        case 1, 2:
          let keys = Set((0..<20).map { _ in Int.random(in: 0..<limit, using: &random) })
          tree.set(keys.sorted().map { ($0, Number(value: Double($0))) })
          for key in keys { model[key] = Double(key) }
        default:
          tree.set(key, to: Number(value: Double(key) / 2))
          model[key] = Double(key) / 2
        }
        #expect(tree.count == model.count)
        #expect(tree[key]?.value == model[key])
        let before = model.filter { $0.key < key }
        #expect(tree.total(before: key).count == before.count)
        #expect(abs(tree.total(before: key).sum - before.values.reduce(0, +)) < 1e-6)
        let other = Int.random(in: key...(limit * 2), using: &random)
        for upper in [key, key + 1, other] {
          let both = tree.totals(before: key..<upper)
          #expect(both.lower.sum == tree.total(before: key).sum)
          #expect(both.upper.sum == tree.total(before: upper).sum)
        }
        let range = key..<min(limit, key + 100)
        var seen: [Int] = []
        tree.forEach(in: range) { key, _ in seen.append(key) }
        #expect(seen == model.keys.filter(range.contains).sorted())
        var missing: [Int] = []
        tree.forEachMissing(in: range) { missing += $0 }
        #expect(missing == range.filter { model[$0] == nil })
      }
    }
  }

  @Test func `sums do not depend on the order of arrival to the last bit`() {
    var random = SeededGenerator(7)
    let entries = (0..<3000).map {
      ($0 * 13, Number(value: Double.random(in: 0...1e3, using: &random)))
    }
    var reference = SparseTree<Number>()
    reference.set(entries.map { (key: $0.0, element: $0.1) })
    for _ in 0..<3 {
      var tree = SparseTree<Number>()
      for entry in entries.shuffled(using: &random) { tree.set(entry.0, to: entry.1) }
      for key in stride(from: 0, to: 40_000, by: 777) {
        #expect(tree.total(before: key).sum == reference.total(before: key).sum)
      }
    }
  }
}

/// Runs work for several inputs at a time, and delivers the outcomes in the order of the inputs.
///
/// At most `width` outcomes are in progress or wait for an earlier one.
///
/// - Parameters:
///   - inputs: The inputs; read as needed.
///   - width: How many inputs are worked on at a time.
///   - isolation: Where `body` runs: the caller's actor.
///   - work: The work for one input, in its own task.
///   - body: Takes the next outcome; returns false to stop, which cancels the rest. While it waits, work does not run
///     ahead further than `width`.
public func forEachInOrder<Input: Sendable, Output: Sendable>(
  _ inputs: some Sequence<Input>,
  width: Int,
  isolation: isolated (any Actor)? = #isolation,
  work: @escaping @Sendable (Input) async -> Output,
  _ body: (Output) async -> Bool
) async {
  await withTaskGroup(of: (Int, Output).self) { group in
    var inputs = inputs.makeIterator()
    var started = 0
    var done: [Int: Output] = [:]
    var next = 0
    func start() {
      guard let input = inputs.next() else { return }
      let number = started
      started += 1
      group.addTask { (number, await work(input)) }
    }
    for _ in 0..<max(1, width) { start() }
    while let (number, output) = await group.next() {
      done[number] = output
      while let output = done.removeValue(forKey: next) {
        next += 1
        guard await body(output) else {
          group.cancelAll()
          return
        }
        start()
      }
    }
  }
}

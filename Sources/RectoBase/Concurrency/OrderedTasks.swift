/// Runs work for each input, several at a time, and hands over the outcomes in the order of the inputs.
///
/// No more than `width` outcomes are under way or wait for one in front of them.
///
/// - Parameters:
///   - inputs: What the work is done for; read as it is needed.
///   - width: How many inputs are worked on at a time.
///   - isolation: Where `body` runs: where the caller does.
///   - work: The work, in a task of its own.
///   - body: Takes the next outcome; returns false to stop, which cancels what is under way. While it waits, no
///     more work is begun than `width` allows.
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

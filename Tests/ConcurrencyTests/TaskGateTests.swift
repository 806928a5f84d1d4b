import RectoBase
import Synchronization
import Testing

/// Tasks that wait for each other at a gate.
@Suite struct TaskGateTests {
  /// Tasks inside the gate now, the most of them, and all that were.
  private final class Counts: Sendable {
    let values = Mutex((inside: 0, most: 0, all: 0))

    func enter() {
      values.withLock {
        $0.inside += 1
        $0.most = max($0.most, $0.inside)
        $0.all += 1
      }
    }

    func leave() { values.withLock { $0.inside -= 1 } }
  }

  @Test func `as many tasks are inside as the gate has room for, and all come in`() async {
    let gate = TaskGate(2)
    let counts = Counts()
    await withTaskGroup { group in
      for _ in 0..<100 {
        group.addTask {
          guard await gate.enter() else { return }
          counts.enter()
          await Task.yield()
          counts.leave()
          gate.leave()
        }
      }
    }
    #expect(counts.values.withLock { $0.most } == 2)
    #expect(counts.values.withLock { $0.all } == 100)
  }

  @Test func `a task that is cancelled while it waits does not come in, and takes no room`() async {
    let gate = TaskGate(1)
    #expect(await gate.enter())
    let waiting = (0..<100).map { _ in Task { await gate.enter() } }
    for task in waiting { task.cancel() }
    for task in waiting { #expect(await !task.value) }
    gate.leave()
    #expect(await gate.enter())
  }

  @Test func `gates survive tasks that are cancelled when they come in`() async {
    let gate = TaskGate(1)
    for _ in 0..<1000 {
      #expect(await gate.enter())
      let task = Task { await gate.enter() }
      async let left: Void = gate.leave()
      task.cancel()
      await left
      if await task.value { gate.leave() }
    }
    #expect(await gate.enter())
  }
}

import Foundation
import Synchronization
import Testing

@testable import RenderWorkers

/// Requests that are cancelled while a process becomes free for them: the runtime has a lock of a task while the
/// handlers of its cancellation run, and takes it to resume the task.
@Suite(.timeLimit(.minutes(10))) struct CancelledWaitTests {
  /// Has a permit.
  private final class Holder: Sendable {
    private let permit: Mutex<WorkerPermit?>

    init(_ permit: sending WorkerPermit?) { self.permit = Mutex(permit) }

    func giveBack() {
      let permit = permit.withLock { $0.take() }
      withExtendedLifetime(permit) {}
    }
  }

  @Test func `a group ends that is cancelled while a permit comes back`() async {
    // In a process of its own, which is killed if all of its threads wait for each other.
    await #expect(processExitsWith: .success) {
      alarm(60)
      let budget = WorkerBudget(.init(processes: 1))
      let holder = Holder(budget.enterAtOnce(for: .viewing))
      await withTaskGroup { group in
        group.addTask {
          let cancellation = Cancellation()
          await withTaskCancellationHandler {
            _ = try? await budget.enter(nil, for: .viewing, cancellation)
          } onCancel: {
            // The request is granted meanwhile; its task is resumed after this.
            Thread.detachNewThread { holder.giveBack() }
            while budget.waitingCount > 0 {}
            cancellation.cancel()
          }
        }
        while budget.waitingCount == 0 { await Task.yield() }
        group.cancelAll()
      }
      #expect(budget.statistics.processes == 0)
    }
  }
}

import Foundation
import RectoTiles
import SystemPackage
import Testing

@testable import RectoKit

/// Lookups that are cancelled while they are answered: the runtime has a lock of a task while the handlers of its
/// cancellation run, and takes it to resume the task.
@Suite(.timeLimit(.minutes(10))) struct CancelledLookupTests {
  @Test func `lookups end that are cancelled while the store is closed`() async {
    // In a process of its own, which is killed if all of its threads wait for each other.
    await #expect(processExitsWith: .success) {
      alarm(60)
      let address = SharedStoreAddress.redis(RedisAddress(endpoint: .unix(path: "/nowhere")))
      for _ in 0..<500 {
        // The program reads what it is sent, and says nothing.
        let link = SharedStoreLink(.init(address: address, program: "/usr/bin/tail"))
        let lookups = Task {
          await withTaskGroup { group in
            for _ in 0..<8 {
              group.addTask { _ = await link.get(["a"], [1], by: .infinity) }
            }
          }
        }
        await Task.yield()
        DispatchQueue.concurrentPerform(iterations: 2) { index in
          if index == 0 { lookups.cancel() } else { link.close() }
        }
        await lookups.value
      }
    }
  }
}

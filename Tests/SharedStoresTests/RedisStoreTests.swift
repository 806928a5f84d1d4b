import Foundation
import RectoTiles
import TestSupport
import Testing
import recto_shared_cache

/// A Redis server of this machine, which comes and goes.
@Suite(.timeLimit(.minutes(10))) struct RedisStoreTests {
  @Test func `values come back, and what is too long or no value is missing`() async throws {
    let server = try RedisServer()
    let store = RedisStore(server.address())
    try await store.put("short", [1, 2, 3])
    try await store.put("long", Array(repeating: 7, count: 100_000))
    try server.ask("LPUSH", "recto:list", "x")
    let names = ["long", "none", "short", "list", "short", "long"]
    let values = try await store.get(names, limits: [100_000, 10, 3, 10, 2, 99_999])
    #expect(values == [Array(repeating: 7, count: 100_000), nil, [1, 2, 3], nil, nil, nil])
  }

  @Test func `a value lives as long as the address says`() async throws {
    let server = try RedisServer()
    let begun = ContinuousClock.now
    try await RedisStore(server.address { $0.lifetime = 1000 }).put("a", [1])
    try await RedisStore(server.address { $0.lifetime = nil }).put("b", [1])
    let left = try #require(Int(server.ask("TTL", "recto:a")))
    let elapsed = Int(begun.duration(to: .now).components.seconds) + 1
    #expect((1000 - elapsed...1000).contains(left))
    #expect(try server.ask("TTL", "recto:b") == "-1")
  }

  @Test func `a password that is wrong is an error without it, and the right one opens`()
    async throws
  {
    let server = try RedisServer(["--requirepass", "sesame"])
    let error = await #expect(throws: StoreError.self) {
      try await RedisStore(server.address { $0.password = "hunter2" }).get(["a"], limits: [1])
    }
    #expect(error?.description.contains("WRONGPASS") == true)
    #expect(error?.description.contains("hunter2") == false)
    let open = RedisStore(server.address { $0.password = "sesame" })
    try await open.put("a", [1])
    #expect(try await open.get(["a"], limits: [1]) == [[1]])
  }

  @Test func `databases are apart`() async throws {
    let server = try RedisServer()
    let third = RedisStore(server.address { $0.database = 3 })
    try await third.put("a", [3])
    #expect(try await RedisStore(server.address()).get(["a"], limits: [1]) == [nil])
    #expect(try await third.get(["a"], limits: [1]) == [[3]])
  }

  @Test func `lookups at the same time have each its own values`() async throws {
    let server = try RedisServer()
    let store = RedisStore(server.address())
    await withTaskGroup { group in
      for number in UInt8(0)..<200 {
        group.addTask {
          await #expect(throws: Never.self) {
            let value = [UInt8](repeating: number, count: 1 + Int(number) * 50)
            try await store.put("\(number)", value)
            let values = try await store.get(["\(number)", "none"], limits: [20_000, 1])
            #expect(values == [value, nil])
          }
        }
      }
    }
    #expect(try server.ask("DBSIZE") == "200")
  }

  @Test func `a server that ends costs the lookups that wait, and the next one connects again`()
    async throws
  {
    let folder = try TemporaryFolder()
    let store = RedisStore(RedisAddress(endpoint: .unix(path: folder.path("redis"))))
    for round in 0..<3 {
      let server = try RedisServer(in: folder)
      try await store.put("a", [1])
      // A server that is stopped takes requests, and answers none.
      server.process.send(SIGSTOP)
      let lookups = (0..<20).map { _ in Task { try? await store.get(["a"], limits: [1]) } }
      // A lookup whose task is cancelled ends with the others.
      lookups[round].cancel()
      server.process.send(SIGKILL)
      _ = server.process.wait()
      for lookup in lookups { #expect(await lookup.value == nil) }
      await #expect(throws: StoreError.self) { try await store.get(["a"], limits: [1]) }
    }
  }
}

extension RedisServer {
  /// Its address, changed.
  fileprivate func address(_ change: (inout RedisAddress) -> Void = { _ in }) -> RedisAddress {
    var address = RedisAddress(endpoint: .unix(path: socket))
    change(&address)
    return address
  }
}

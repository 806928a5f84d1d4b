import Foundation
import RectoTiles
import SystemPackage
import TestSupport
import Testing

@testable import RectoKit

/// A process that keeps values, and such that do not.
@Suite(.timeLimit(.minutes(10))) struct SharedStoreProcessTests {
  private let folder: TemporaryFolder
  private let keys: [CacheKey]

  init() throws {
    folder = try TemporaryFolder()
    keys = (0..<100).map { number in
      CacheKey.fonts(in: [], settings: ["\(number)"])
    }
  }

  /// A store over a program in Python, which writes a line for each start.
  private func store(
    _ body: String,
    timeout: Double,
    cache: CacheDirectory? = nil
  ) throws -> SharedStoreProcess {
    let path = folder.path("program")
    let text = """
      #!/usr/bin/env python3
      import socket, struct, sys, time
      open(\(String(reflecting: folder.path("starts"))), "a").write("start\\n")
      parent = socket.socket(fileno=0)
      def read(count):
          data = b""
          while len(data) < count:
              more = parent.recv(count - len(data))
              if not more:
                  sys.exit(0)
              data += more
          return data
      def receive():
          return read(struct.unpack("<I", read(4))[0])
      def reply(payload):
          parent.sendall(struct.pack("<I", len(payload)) + payload)
      \(body)
      """
    try Data(text.utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    let address = RedisAddress(endpoint: .unix(path: "/nowhere"))
    var settings = SharedStoreProcess.Settings(
      address: .redis(address),
      timeout: timeout,
      program: FilePath(path)
    )
    settings.cache = cache
    return SharedStoreProcess(settings)
  }

  private var starts: Int {
    let text = try? String(contentsOfFile: folder.path("starts"), encoding: .utf8)
    return text?.split(separator: "\n").count ?? 0
  }

  /// Keeps values in memory.
  private static let memory = """
    kept = {}
    while True:
        message = receive()
        if message[0] == 3:
            number, length = struct.unpack_from("<qq", message, 1)
            name = message[17:17 + length]
            kept[name] = message[25 + length:]
            reply(bytes([2]) + struct.pack("<q", number))
        elif message[0] == 2:
            number, count = struct.unpack_from("<qq", message, 1)
            at, values = 17, b""
            for _ in range(count):
                length, = struct.unpack_from("<q", message, at)
                name = message[at + 8:at + 8 + length]
                at += 16 + length
                value = kept.get(name)
                values += b"\\0" if value is None else b"\\1" + struct.pack("<q", len(value)) + value
            reply(bytes([1]) + struct.pack("<qq", number, count) + values)
    """

  @Test func `values come back in order, however many are asked for`() async throws {
    let store = try store(Self.memory, timeout: 60)
    let limits = keys.map { _ in 1000 }
    #expect(await store.get(keys, limits: limits) == keys.map { _ in nil })
    for (index, key) in keys.enumerated() where index % 3 != 0 { store.put(key, [UInt8(index)]) }
    await store.finish()
    let expected = keys.indices.map { $0 % 3 != 0 ? [UInt8($0)] : nil }
    #expect(await store.get(keys, limits: limits) == expected)
    #expect(starts == 1)
    #expect(store.failure == nil)
  }

  @Test func `each lookup ends, whatever is cancelled and however the process ends`() async throws {
    // It writes byte by byte now and then, and ends before some of its answers.
    let body = """
      import random
      whole = reply
      def reply(payload):
          if random.random() < 0.03:
              sys.exit(0)
          if random.random() < 0.8:
              return whole(payload)
          for byte in struct.pack("<I", len(payload)) + payload:
              parent.sendall(bytes([byte]))
      """
    let store = try store(body + "\n" + Self.memory, timeout: 60)
    let keys = keys
    var random = SeededGenerator(seed: 9)
    var lookups: [(number: Int, task: Task<[[UInt8]?], Never>)] = []
    for round in 0..<400 {
      let number = Int(random.next() % 100)
      store.put(keys[number], [UInt8(number)])
      lookups.append((number, Task { await store.get([keys[number]], limits: [10]) }))
      if random.next() % 3 == 0 {
        lookups[Int(random.next() % UInt64(lookups.count))].task.cancel()
      }
      if round % 40 == 39 { _ = await lookups[round].task.value }
    }
    for (number, task) in lookups {
      #expect([[nil], [[UInt8(number)]]].contains(await task.value))
    }
    await store.finish()
  }

  @Test func `nothing is started before the first lookup, and nothing waits then`() async throws {
    let store = try store(Self.memory, timeout: 60)
    await store.finish()
    #expect(starts == 0)
  }

  @Test(arguments: [
    ("", "recto-shared-cache has ended"),
    ("reply(b'garbage'); time.sleep(600)", "recto-shared-cache sends what is no reply"),
    (
      "parent.sendall(struct.pack('<I', 1 << 29)); time.sleep(600)",
      "recto-shared-cache sends what is no reply"
    ),
    (
      "reply(bytes([2]) + struct.pack('<q', 99)); time.sleep(600)",
      "recto-shared-cache gives no answer"
    ),
    (
      """
      while True:
          message = receive()
          if message[0] != 1:
              reply(bytes([3]) + message[1:9] + struct.pack('<q', 2) + b'no')
      """, "no"
    ),
  ])
  func `a process that does not answer is a miss`(
    body: String,
    reason: String
  ) async throws {
    let store = try store(body, timeout: 60)
    for _ in 0..<8 {
      #expect(await store.get([keys[0]], limits: [10]) == [nil])
      store.put(keys[0], [1])
    }
    await store.finish()
    #expect(store.failure == "unix:///nowhere: \(reason)")
    #expect(starts >= 1)
  }

  @Test func `a lookup ends in time when nothing comes`() async throws {
    let store = try store("time.sleep(600)", timeout: 0.05)
    #expect(await store.get([keys[0]], limits: [10]) == [nil])
    #expect(store.failure == "unix:///nowhere: no answer within 50 ms")
  }

  @Test func `a store that does not answer is not asked by others with the cache`() async throws {
    let cache = CacheDirectory(root: FilePath(folder.path("cache")))
    let silent = "time.sleep(600)"
    let first = try store(silent, timeout: 0.5, cache: cache)
    // Until it has started in time.
    let hasStarted = await eventually {
      _ = await first.get([keys[0]], limits: [10])
      return starts > 0
    }
    #expect(hasStarted)
    await first.finish()
    let begun = starts
    for _ in 0..<2 {
      let next = try store(silent, timeout: 0.5, cache: cache)
      #expect(await next.get([keys[0]], limits: [10]) == [nil])
      next.put(keys[0], [1])
      await next.finish()
      let failure = try #require(next.failure)
      let form = /unix:\/\/\/nowhere: no answer [0-9]+ s ago; it is asked again in [0-9]+ s/
      #expect(failure.wholeMatch(of: form) != nil, "\(failure)")
    }
    #expect(starts == begun)
    // A lookup with more time asks.
    let patient = try store(Self.memory, timeout: 60, cache: cache)
    #expect(await patient.get([keys[0]], limits: [10]) == [nil])
    #expect(patient.failure == nil)
    #expect(starts == begun + 1)
  }

  @Test func `a lookup that is cancelled ends`() async throws {
    let store = try store("time.sleep(600)", timeout: 600)
    let keys = keys
    let task = Task { await store.get([keys[0]], limits: [10]) }
    task.cancel()
    #expect(await task.value == [nil])
  }

  @Test func `a program that is missing is a miss`() async throws {
    let address = SharedStoreAddress.redis(RedisAddress(endpoint: .unix(path: "/nowhere")))
    let store = SharedStoreProcess(
      .init(address: address, timeout: 60, program: FilePath(folder.path("missing")))
    )
    #expect(await store.get([keys[0]], limits: [10]) == [nil])
    #expect(store.failure?.contains("No such file or directory") == true)
  }
}

import Foundation
import RectoTiles
import TestSupport
import Testing

/// That a store did not answer, for other processes.
@Suite struct StoreAbsenceTests {
  private let fixture: CacheFixture
  private let redis = RedisAddress(endpoint: .network(host: "h", port: 1, isEncrypted: false))

  init() throws { fixture = try CacheFixture() }

  private func absence(
    _ address: SharedStoreAddress? = nil,
    timeout: Double = 0.25
  ) throws -> StoreAbsence {
    try #require(
      StoreAbsence(of: address ?? .redis(redis), timeout: timeout, in: fixture.cache())
    )
  }

  /// The files of entries.
  private var files: [URL] {
    fixture.folder.files.filter { $0.contains("/stores/") }.map {
      fixture.folder.url.appending(path: $0)
    }
  }

  @Test func `an entry is found by the server and the time limit only`() throws {
    #expect(try absence().age == nil)
    try absence().store(isAway: true)
    let age = try #require(try absence().age)
    #expect((0...60).contains(age))
    var same = redis
    (same.user, same.password, same.database, same.prefix) = ("u", "sesame", 3, "p")
    #expect(try absence(.redis(same)).age != nil)
    #expect(try absence(timeout: 0.3).age == nil)
    var other = redis
    other.endpoint = .network(host: "h", port: 2, isEncrypted: false)
    #expect(try absence(.redis(other)).age == nil)
    try absence().store(isAway: false)
    #expect(try absence().age == nil)
    #expect(files.count == 1)
    #expect(try fixture.cache().verify().damaged.isEmpty)
  }

  @Test func `buckets of a service are one store`() throws {
    func bucket(_ name: String, _ endpoint: String) -> SharedStoreAddress {
      .s3(
        S3Address(
          bucket: name,
          prefix: "",
          endpoint: endpoint,
          region: "r",
          accessKey: "a",
          secretKey: "sesame"
        )
      )
    }
    try absence(bucket("one", "https://e")).store(isAway: true)
    #expect(try absence(bucket("two", "https://e")).age != nil)
    #expect(try absence(bucket("one", "https://f")).age == nil)
  }

  @Test func `an entry that is damaged, a link, or that others may write to, is none`() throws {
    try absence().store(isAway: true)
    let file = try #require(files.first)
    let bytes = try Data(contentsOf: file)
    var changed = bytes
    changed[0] ^= 1
    try changed.write(to: file)
    #expect(try absence().age == nil)
    #expect(try fixture.cache().verify().damaged.count == 1)
    // A link to a whole one is not followed.
    let target = fixture.folder.url.appending(path: "target")
    try bytes.write(to: target)
    try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
    #expect(try absence().age == nil)
    try absence().store(isAway: true)
    #expect(try Data(contentsOf: target) == bytes)
    #expect(try absence().age != nil)
    let folder = file.deletingLastPathComponent().path
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
    #expect(try absence().age == nil)
  }
}

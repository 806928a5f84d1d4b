internal import CDigest
internal import RectoBase

/// SHA-256 over length-prefixed values, so that different lists of values never hash the same
/// bytes.
struct Digest {
  private var context = SHA2_CTX()

  /// A digest of bytes alone.
  init() { SHA256Init(&context) }

  /// A digest for a purpose; the same values for another purpose give another digest.
  init(_ purpose: String) {
    self.init()
    add(purpose)
  }

  mutating func add(_ value: Int) {
    withUnsafeBytes(of: Int64(value).littleEndian) { update($0) }
  }

  mutating func add(_ file: FileIdentity) {
    add(file.device)
    add(file.inode)
    add(file.size)
    add(file.modifiedSeconds)
    add(file.modifiedNanoseconds)
    add(file.changedSeconds)
    add(file.changedNanoseconds)
  }

  mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      add(bytes.count)
      update(UnsafeRawBufferPointer(bytes))
    }
  }

  /// Adds a key: its 16 bytes.
  mutating func add(_ key: CacheKey) {
    add(Int(bitPattern: UInt(key.high)))
    add(Int(bitPattern: UInt(key.low)))
  }

  /// The first 16 of the digest's 32 bytes.
  mutating func key() -> CacheKey {
    withUnsafeTemporaryAllocation(byteCount: Int(SHA256_DIGEST_LENGTH), alignment: 8) { result in
      SHA256Final(result.baseAddress?.assumingMemoryBound(to: UInt8.self), &context)
      return CacheKey(
        high: UInt64(bigEndian: result.load(as: UInt64.self)),
        low: UInt64(bigEndian: result.load(fromByteOffset: 8, as: UInt64.self))
      )
    }
  }

  /// Adds bytes without their count.
  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    SHA256Update(&context, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
  }
}

extension [UInt8] {
  /// The SHA-256 of the bytes in hexadecimal digits.
  package var sha256: String {
    var context = SHA2_CTX()
    SHA256Init(&context)
    SHA256Update(&context, self, count)
    let digest = [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { buffer, count in
      SHA256Final(buffer.baseAddress, &context)
      count = buffer.count
    }
    return digest.hexadecimal
  }
}

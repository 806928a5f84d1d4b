internal import CDigest
internal import FileSystem

/// SHA-256 over counted values, so that no two lists of values read the same.
struct Digest {
  private var context = SHA2_CTX()

  init(_ purpose: String) {
    SHA256Init(&context)
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

  /// The first 16 of the digest's 32 bytes.
  mutating func bytes() -> [UInt8] {
    var result = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    SHA256Final(&result, &context)
    return Array(result.prefix(16))
  }

  mutating func key() -> CacheKey {
    let digits = Array("0123456789abcdef")
    return CacheKey(
      hexadecimal: String(bytes().flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    )
  }

  private mutating func update(_ bytes: UnsafeRawBufferPointer) {
    SHA256Update(&context, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
  }
}

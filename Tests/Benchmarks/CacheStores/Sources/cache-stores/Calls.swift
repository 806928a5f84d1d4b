import CChecks
import Glibc

typealias Bytes = [UInt8]

/// A call that must not fail.
func check<Value: SignedInteger>(_ value: Value, _ what: String = #function) -> Value {
  guard value >= 0 else {
    perror(what)
    exit(74)
  }
  return value
}

/// SHA-256, the first 128 bits.
func digest(_ bytes: UnsafeRawBufferPointer) -> Bytes {
  var context = SHA2_CTX()
  SHA256Init(&context)
  SHA256Update(&context, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
  var result = Bytes(repeating: 0, count: 32)
  SHA256Final(&result, &context)
  return Bytes(result.prefix(16))
}

func digest(_ bytes: Bytes) -> Bytes { bytes.withUnsafeBytes { digest($0) } }

func crc(_ bytes: Bytes) -> UInt32 {
  bytes.withUnsafeBytes { libdeflate_crc32(0, $0.baseAddress, $0.count) }
}

private let digits = Array("0123456789abcdef".utf8)

func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}

/// The whole of a file, or nil.
func contents(_ path: String) -> Bytes? {
  let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
  guard file >= 0 else { return nil }
  defer { close(file) }
  var status = stat()
  guard fstat(file, &status) == 0 else { return nil }
  let size = Int(status.st_size)
  return Bytes(unsafeUninitializedCapacity: size) { buffer, count in
    count = max(0, read(file, buffer.baseAddress, size))
  }
}

func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

/// Writes a file without a name and links it, as `Files.write` does.
func publish(_ bytes: Bytes, _ path: String, _ folder: String, isSynced: Bool = false) {
  let file = check(open(folder, O_WRONLY | O_CLOEXEC | 0o20000000 | O_DIRECTORY, 0o600))
  _ = check(write(file, bytes, bytes.count))
  if isSynced { _ = check(fdatasync(file)) }
  if linkat(AT_FDCWD, "/proc/self/fd/\(file)", AT_FDCWD, path, AT_SYMLINK_FOLLOW) != 0,
    errno != EEXIST
  {
    perror("linkat \(path)")
  }
  close(file)
}

func makeFolder(_ path: String) {
  if mkdir(path, 0o700) != 0, errno != EEXIST { perror(path) }
}

/// 256 folders, made ahead: what they cost is the same for all.
func makeShards(_ root: String) {
  makeFolder(root)
  for shard in 0..<256 { makeFolder("\(root)/\(hexadecimal([UInt8(shard)]))") }
}

func shard(_ root: String, _ name: Bytes) -> String { "\(root)/\(hexadecimal(name.prefix(1)))" }

/// Nanoseconds.
func now() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

func word(_ value: Int) -> Bytes { withUnsafeBytes(of: UInt32(value).littleEndian, Bytes.init) }

func number(_ bytes: ArraySlice<UInt8>) -> Int {
  bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
}

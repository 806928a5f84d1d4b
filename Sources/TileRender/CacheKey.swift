internal import CDigest
public import DocumentModel
public import Geometry
internal import Glibc
public import SystemPackage

/// A file as the system tells it apart from others and from its own earlier and later states.
public struct FileIdentity: Hashable, Sendable {
  /// Device number.
  public var device: Int
  /// Inode number.
  public var inode: Int
  /// Bytes.
  public var size: Int
  /// Time of the last change: whole seconds.
  public var modifiedSeconds: Int
  /// Time of the last change: nanoseconds on top.
  public var modifiedNanoseconds: Int

  /// An identity from its parts.
  public init(
    device: Int,
    inode: Int,
    size: Int,
    modifiedSeconds: Int,
    modifiedNanoseconds: Int
  ) {
    self.device = device
    self.inode = inode
    self.size = size
    self.modifiedSeconds = modifiedSeconds
    self.modifiedNanoseconds = modifiedNanoseconds
  }

  /// The identity of a file from what `stat` says.
  public init(_ status: Stat) {
    self.init(
      device: Int(truncatingIfNeeded: status.rawValue.st_dev),
      inode: Int(truncatingIfNeeded: status.rawValue.st_ino),
      size: Int(status.rawValue.st_size),
      modifiedSeconds: status.rawValue.st_mtim.tv_sec,
      modifiedNanoseconds: status.rawValue.st_mtim.tv_nsec
    )
  }
}

/// The name of something in the cache: a digest of everything that it depends on.
///
/// Keys form a ladder, document → tile, so that whatever changes a document's key changes the keys
/// of all its tiles.
public struct CacheKey: Hashable, Sendable {
  /// 32 lower-case hexadecimal digits.
  public let hexadecimal: String

  /// The key of a document.
  ///
  /// A password takes part as a digest: whoever does not have it does not find what was drawn
  /// with it, and it cannot be read out of a name.
  public static func document(_ file: FileIdentity, password: String?) -> CacheKey {
    var digest = Digest("recto document 1")
    digest.add(file.device)
    digest.add(file.inode)
    digest.add(file.size)
    digest.add(file.modifiedSeconds)
    digest.add(file.modifiedNanoseconds)
    digest.add(password ?? "")
    digest.add(password == nil ? 0 : 1)
    return digest.key()
  }

  /// The key of a part of a page as drawn by a program.
  ///
  /// - Parameters:
  ///   - program: the program that draws; nil when the file system does not know it. Another program
  ///     that gives itself the same `engine` draws under keys of its own.
  ///   - engine: the libraries that draw, with their versions.
  public static func tile(
    of document: CacheKey,
    raster: PageRaster,
    part: PixelRect,
    isOneOff: Bool,
    program: CacheKey?,
    engine: String
  ) -> CacheKey {
    var digest = Digest("recto tile 2")
    digest.add(document.hexadecimal)
    digest.add(program?.hexadecimal ?? "")
    digest.add(engine)
    digest.add(raster.pageIndex)
    digest.add(Int(bitPattern: UInt(raster.scale.bitPattern)))
    digest.add(Int(bitPattern: UInt(raster.userUnit.bitPattern)))
    digest.add(raster.rotation.degrees)
    digest.add(raster.size.width)
    digest.add(raster.size.height)
    digest.add(part.x)
    digest.add(part.y)
    digest.add(part.width)
    digest.add(part.height)
    digest.add(isOneOff ? 1 : 0)
    return digest.key()
  }

  /// The key of a worker program.
  public static func program(_ file: FileIdentity) -> CacheKey {
    engine(worker: file, libraries: nil)
  }

  /// The key of the drawing libraries that a worker program loads on this machine: the program and
  /// the linker's list of libraries, both as the file system knows them.
  public static func engine(worker: FileIdentity, libraries: FileIdentity?) -> CacheKey {
    var digest = Digest("recto engine 1")
    for file in [worker, libraries].compactMap(\.self) {
      digest.add(file.device)
      digest.add(file.inode)
      digest.add(file.size)
      digest.add(file.modifiedSeconds)
      digest.add(file.modifiedNanoseconds)
    }
    return digest.key()
  }
}

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

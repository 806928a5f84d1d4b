internal import CDigest
public import DocumentModel
public import FileSystem
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
  /// Time at which the bytes were changed last, which any program may set: whole seconds.
  public var modifiedSeconds: Int
  /// Time at which the bytes were changed last: nanoseconds on top.
  public var modifiedNanoseconds: Int
  /// Time of the last change of bytes, names, owner or permissions, which the system alone sets:
  /// whole seconds.
  public var changedSeconds: Int
  /// Time of the last change of any kind: nanoseconds on top.
  public var changedNanoseconds: Int

  /// An identity from its parts.
  public init(
    device: Int,
    inode: Int,
    size: Int,
    modifiedSeconds: Int,
    modifiedNanoseconds: Int,
    changedSeconds: Int,
    changedNanoseconds: Int
  ) {
    self.device = device
    self.inode = inode
    self.size = size
    self.modifiedSeconds = modifiedSeconds
    self.modifiedNanoseconds = modifiedNanoseconds
    self.changedSeconds = changedSeconds
    self.changedNanoseconds = changedNanoseconds
  }

  /// The identity of a file from what `stat` says.
  public init(_ status: Stat) {
    self.init(
      device: Int(truncatingIfNeeded: status.rawValue.st_dev),
      inode: Int(truncatingIfNeeded: status.rawValue.st_ino),
      size: Int(status.rawValue.st_size),
      modifiedSeconds: status.rawValue.st_mtim.tv_sec,
      modifiedNanoseconds: status.rawValue.st_mtim.tv_nsec,
      changedSeconds: status.rawValue.st_ctim.tv_sec,
      changedNanoseconds: status.rawValue.st_ctim.tv_nsec
    )
  }

  /// The file without its states.
  public var node: FileNode { FileNode(device: device, inode: inode) }

  /// Whether a file that was `other` still holds the same bytes, as far as the times of their change
  /// tell.
  ///
  /// The time of any change is passed over: a file that is renamed, linked or given to another user
  /// while it is shown is the same document. What is drawn from a file that was edited under its old
  /// time is kept under a key that no later opening of the file asks for.
  public func holdsBytes(of other: FileIdentity) -> Bool {
    var now = self
    now.changedSeconds = other.changedSeconds
    now.changedNanoseconds = other.changedNanoseconds
    return now == other
  }
}

/// The name of something in the cache: a digest of everything that it depends on.
///
/// Keys form a ladder, document → drawing → tile, so that whatever changes a document's key changes the keys
/// of all its tiles.
public struct CacheKey: Hashable, Sendable {
  /// 32 lower-case hexadecimal digits.
  public let hexadecimal: String

  /// The first two digits as a number.
  var firstByte: Int {
    hexadecimal.utf8.prefix(2).reduce(0) { value, digit in
      value << 4 | Int(digit <= 0x39 ? digit &- 0x30 : digit &- 0x57)
    }
  }

  /// The key of a document.
  ///
  /// A password takes part as a digest: whoever does not have it does not find what was drawn
  /// with it, and it cannot be read out of a name.
  public static func document(_ file: FileIdentity, password: String?) -> CacheKey {
    var digest = Digest("recto document 2")
    digest.add(file)
    digest.add(password ?? "")
    digest.add(password == nil ? 0 : 1)
    return digest.key()
  }

  /// The key of all that a program draws of a document.
  ///
  /// - Parameters:
  ///   - program: the program that draws; nil when the file system does not know it. Another program
  ///     that gives itself the same `engine` draws under keys of its own.
  ///   - engine: the libraries that draw, with their versions.
  public static func drawing(
    of document: CacheKey,
    program: CacheKey?,
    engine: String
  ) -> CacheKey {
    var digest = Digest("recto drawing 1")
    digest.add(document.hexadecimal)
    digest.add(program?.hexadecimal ?? "")
    digest.add(engine)
    return digest.key()
  }

  /// The key of a part of a page.
  ///
  /// - Parameter drawing: the key of the drawing that it is a part of.
  public static func tile(
    of drawing: CacheKey,
    raster: PageRaster,
    part: PixelRect,
    isOneOff: Bool
  ) -> CacheKey {
    var digest = Digest("recto tile 3")
    digest.add(drawing.hexadecimal)
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
    digest.add((isOneOff ? 1 : 0) + (raster.isFitted ? 2 : 0))
    return digest.key()
  }

  /// The key of a worker program.
  public static func program(_ file: FileIdentity) -> CacheKey {
    engine(worker: file, libraries: nil)
  }

  /// The key of the drawing libraries that a worker program loads on this machine: the program and
  /// the linker's list of libraries, both as the file system knows them.
  public static func engine(worker: FileIdentity, libraries: FileIdentity?) -> CacheKey {
    var digest = Digest("recto engine 2")
    for file in [worker, libraries].compactMap(\.self) { digest.add(file) }
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

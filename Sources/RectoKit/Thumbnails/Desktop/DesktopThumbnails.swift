internal import CDigest
internal import DocumentModel
internal import Glibc
internal import PNGCoding
internal import RectoBase
public import RectoGeometry
internal import RectoTiles
public import SystemPackage

/// Desktop thumbnails by the Thumbnail Managing Standard of freedesktop.org: pictures named by the MD5 of their
/// document's URI, which contain the URI and the document's modification time.
public struct DesktopThumbnails: Hashable, Sendable {
  /// The directory of the sizes, usually `~/.cache/thumbnails`.
  public let root: FilePath
  /// The program that makes thumbnails, with its version: `recto 0.2.0`. A new version tries failed documents again.
  public let program: String

  /// The lengths of the longer side in pixels, with the directories of their thumbnails.
  public static let folders: KeyValuePairs = [
    128: "normal", 256: "large", 512: "x-large", 1024: "xx-large",
  ]

  /// The thumbnails in a directory.
  ///
  /// - Parameters:
  ///   - root: The directory of the sizes.
  ///   - program: The program that makes thumbnails, with its version.
  public init(root: FilePath, program: String) {
    self.root = root
    self.program = program
  }

  /// The thumbnails of the user: `$XDG_CACHE_HOME/thumbnails`, else `~/.cache/thumbnails`.
  ///
  /// - Parameter program: The program that makes thumbnails, with its version.
  /// - Returns: The thumbnails; nil without either variable.
  public static func ofUser(program: String) -> DesktopThumbnails? {
    CacheDirectory.ofUser.map {
      DesktopThumbnails(
        root: $0.root.removingLastComponent().appending("thumbnails"),
        program: program
      )
    }
  }
}

extension DesktopThumbnails {
  /// A document as thumbnails name it.
  struct Subject: Hashable, Sendable {
    /// The URI of the file.
    var uri: String
    /// When it was last changed, in whole seconds since 1970.
    var modified: Int
    /// In bytes.
    var size: Int
    /// The MD5 of the URI, in hexadecimal digits.
    var name: String
  }

  /// A document as currently named in thumbnails.
  ///
  /// - Throws: `FileError` if it cannot be found, or is in a thumbnail directory.
  func subject(_ path: FilePath) throws(FileError) -> Subject {
    let absolute = try FileURI.absolute(path)
    guard !absolute.starts(with: root.lexicallyNormalized()) else {
      throw FileError("make a thumbnail of", path, .notSupported)
    }
    let status = try Files.status(of: path)
    let uri = FileURI.uri(absolute)
    return Subject(
      uri: uri,
      modified: Int(status.rawValue.st_mtim.tv_sec),
      size: Int(status.size),
      name: Self.md5(uri)
    )
  }

  /// The path of a thumbnail.
  ///
  /// - Parameters:
  ///   - size: The length of the longer side in pixels, one of ``folders``.
  func path(_ subject: Subject, size: Int) -> FilePath {
    let folder = Self.folders.first { $0.key == size }?.value ?? "normal"
    return file(subject, in: folder)
  }

  /// The path of the entry that records that a document failed.
  func failurePath(_ subject: Subject) -> FilePath {
    let name = program.map { $0 == " " || $0 == "/" ? "-" : $0 }
    return file(subject, in: "fail/" + String(name))
  }

  private func file(_ subject: Subject, in folder: String) -> FilePath {
    root.appending(folder).appending("\(subject.name).png")
  }

  /// The MD5 of a text in hexadecimal digits.
  static func md5(_ text: String) -> String {
    var context = MD5_CTX()
    MD5Init(&context)
    let bytes = Array(text.utf8)
    MD5Update(&context, bytes, bytes.count)
    var digest = [UInt8](repeating: 0, count: Int(MD5_DIGEST_LENGTH))
    MD5Final(&digest, &context)
    return digest.hexadecimal
  }
}

extension DesktopThumbnails {
  /// The state of a document's thumbnails.
  public enum State: Hashable, Sendable {
    /// There are thumbnails of all sizes, with the document's page count if they contain it.
    case upToDate([Thumbnail], pageCount: Int?)
    /// The document failed, with a code and a message.
    case failed(code: String, message: String)
  }

  /// A thumbnail that is there.
  public struct Thumbnail: Hashable, Sendable {
    /// The path of the file.
    public var file: FilePath
    /// The requested length of the longer side, in pixels.
    public var longestSide: Int
    /// The size of the picture.
    public var size: PixelSize
    /// The size of the file in bytes.
    public var byteCount: Int
  }

  /// The state of a document's thumbnails; nil if they must be made.
  ///
  /// - Parameters:
  ///   - path: The document.
  ///   - sizes: The lengths of the longer side in pixels.
  ///   - retriesFailed: Whether a failed document is tried again.
  /// - Returns: The state.
  /// - Complexity: O(*n*) in the bytes of the thumbnails. Blocks.
  public func state(of path: FilePath, sizes: [Int], retriesFailed: Bool) -> State? {
    // Opening the document will report why it cannot be found.
    guard let subject = try? subject(path) else { return nil }
    if !retriesFailed, let found = entry(at: failurePath(subject), of: subject) {
      return .failed(
        code: found.texts[Key.code] ?? DocumentError.Code.damaged.rawValue,
        message: found.texts[Key.message] ?? "it failed before"
      )
    }
    var thumbnails: [Thumbnail] = []
    var pageCount: Int?
    for size in sizes {
      let file = self.path(subject, size: size)
      guard let found = entry(at: file, of: subject) else { return nil }
      pageCount = pageCount ?? found.texts[Key.pages].flatMap { Int($0) }.map { max(0, $0) }
      thumbnails.append(
        Thumbnail(file: file, longestSide: size, size: found.size, byteCount: found.byteCount)
      )
    }
    return .upToDate(thumbnails, pageCount: pageCount)
  }

  /// The most bytes of a thumbnail that is read.
  private static let largestFile = 64 << 20

  /// The texts of an up-to-date picture of a document; nil if there is none.
  private func entry(
    at path: FilePath,
    of subject: Subject
  ) -> (texts: [String: String], size: PixelSize, byteCount: Int)? {
    // An unreadable picture is made again.
    guard let bytes = try? Files.contents(of: path, limit: Self.largestFile),
      let header = try? PNGStructure.validate(bytes.span.bytes),
      let list = try? PNGStructure.texts(in: bytes.span.bytes)
    else { return nil }
    let texts = Dictionary(list.map { ($0.keyword, $0.text) }) { first, _ in first }
    // Some programs write a fraction of a second.
    guard texts[Key.uri] == subject.uri, let time = texts[Key.time].flatMap(Double.init),
      Int(exactly: time.rounded(.down)) == subject.modified
    else { return nil }
    return (texts, header.size, bytes.count)
  }

  /// Keywords of texts.
  enum Key {
    static let uri = "Thumb::URI"
    static let time = "Thumb::MTime"
    static let size = "Thumb::Size"
    static let type = "Thumb::Mimetype"
    static let pages = "Thumb::Document::Pages"
    static let program = "Software"
    static let code = "X-Recto-Code"
    static let message = "X-Recto-Message"
  }
}

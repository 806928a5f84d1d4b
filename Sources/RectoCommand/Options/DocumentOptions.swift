internal import ArgumentParser
package import DocumentModel
internal import RectoBase
package import RectoKit
internal import RectoTiles
internal import RenderWorkers
internal import SystemPackage

/// The options for opening a document.
struct DocumentOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Password of an encrypted file.", valueName: "password"))
  var password: String?

  @Option(
    help: ArgumentHelp(
      """
      File whose first line is the password, to keep it out of the process list; - for \
      standard input.
      """,
      valueName: "file"
    ),
    completion: .file()
  )
  var passwordFile: String?

  @Option(
    help: ArgumentHelp(
      "Reader of pages and their sizes; for testing.",
      valueName: "reader"
    ),
    reading: .choice
  )
  var pageReader: PageReader = .auto

  @Option(
    help: ArgumentHelp(
      """
      auto: work on documents in the sandbox that this machine allows; require: only in a complete \
      one. See 'recto doctor'.
      """,
      valueName: "policy"
    ),
    reading: .choice
  )
  var sandbox: SandboxPolicy = .auto

  @Option(
    help: ArgumentHelp(
      "Part of pages that is shown: the crop box, the media, trim, bleed or art box, or the content: what is not white.",
      valueName: "box"
    ),
    reading: .choice
  )
  var box: ShownBox = .crop

  @OptionGroup var limits: LimitOptions

  /// Checks the options against each other.
  ///
  /// - Throws: A validation error for options that exclude each other or are out of range.
  func validate() throws {
    if password != nil, passwordFile != nil {
      throw ValidationError("--password cannot be used with --password-file")
    }
  }

  /// Settings for opening documents.
  ///
  /// - Throws: A failure if the password cannot be read.
  func settings(cache: CacheChoice?, workers: Int = 2) throws(Failure) -> DocumentSettings {
    DocumentSettings(
      password: try givenPassword(),
      cache: cache?.directory,
      identity: cache?.identity ?? .file,
      workers: workers,
      limits: limits.limits,
      sandbox: sandbox,
      shown: ShownContent(box: box),
      pageReader: pageReader
    )
  }

  /// The password, from the option or the file.
  ///
  /// - Throws: A failure if the file cannot be read or contains U+0000.
  private func givenPassword() throws(Failure) -> String? {
    guard let passwordFile else { return password }
    let path = FilePath(argument: passwordFile == "-" ? "/dev/stdin" : passwordFile)
    let line: [UInt8]
    do {
      line = try Files.firstLine(of: path, limit: Self.longestPassword)
    } catch {
      throw Failure(input: error, path: path)
    }
    // The engine takes it as a C string, which would end there.
    guard !line.contains(0) else {
      throw Failure(usage: "--password-file: the password cannot contain U+0000", path: path)
    }
    return String(
      decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line,
      as: UTF8.self
    )
  }

  /// In bytes. PDF uses at most 127.
  private static let longestPassword = 1 << 16
}

/// When to give up on a page or a document.
struct LimitOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Time limit for a page, in seconds; half of it for opening and for measuring.",
      valueName: "seconds"
    ),
    reading: .number(above: 0, atMost: 86_400)
  )
  var timeout: Double = 30

  @Option(
    help: ArgumentHelp(
      "Memory limit of a worker process, in MB.",
      valueName: "MB"
    ),
    reading: .number(32...1_000_000)
  )
  var memory: Int = 1500

  var limits: WorkerLimits {
    WorkerLimits(
      open: timeout / 2,
      measure: timeout / 2,
      draw: timeout,
      memory: memory * 1_000_000
    )
  }
}

/// The cache that is used, and how.
struct CacheChoice {
  /// The cache with its limits.
  var directory: CacheDirectory
  /// How documents are identified in it.
  var identity: DocumentIdentity
}

/// Whether the cache is used.
struct CacheOptions: ParsableArguments {
  @Flag(help: "Do not read or write the cache.")
  var noCache = false

  @OptionGroup var limits: CacheLimitOptions

  @Option(
    help: ArgumentHelp(
      """
      What identifies a document in the cache: the file and the times of its changes (the \
      default), or its content, for a cache that several machines use.
      """,
      valueName: "identity"
    ),
    reading: .choice
  )
  var identity: DocumentIdentity?

  /// The cache, as the only destination of rendered tiles.
  ///
  /// - Throws: A failure with exit code 73 if there is none, or it cannot be used.
  func requiredDirectory() throws(Failure) -> CacheChoice {
    guard let directory = CacheDirectory.ofUser else { throw Self.noDestination(Self.noDirectory) }
    guard limits.limits.size != 0 else {
      throw Self.noDestination("cache not used: its size limit is 0")
    }
    do throws(FileError) {
      try directory.check()
      return choice(directory)
    } catch {
      throw Self.noDestination("cache not used: \(error)", error.path)
    }
  }

  private static func noDestination(_ reason: String, _ path: FilePath? = nil) -> Failure {
    Failure(
      exitCode: .cannotCreate,
      code: "output",
      path: path,
      message: "\(reason); the tiles need --output or --image"
    )
  }

  /// Why there is no cache directory.
  static let noDirectory = "no cache directory: neither XDG_CACHE_HOME nor HOME is set"

  /// The cache for a document; nil for the copy of a stream, which has no lasting identity.
  func directory(for input: DocumentInput, _ messages: MessagePrinter) -> CacheChoice? {
    input.isCopy ? nil : directory(messages)
  }

  /// The cache, unless it is disabled or cannot be used; the latter prints a warning.
  func directory(_ messages: MessagePrinter) -> CacheChoice? {
    guard !noCache, limits.limits.size != 0, let directory = CacheDirectory.ofUser,
      Self.check(directory, messages)
    else { return nil }
    return choice(directory)
  }

  private func choice(_ directory: CacheDirectory) -> CacheChoice {
    CacheChoice(directory: directory.limited(to: limits.limits), identity: identity ?? .file)
  }

  /// Whether a cache can be used; if not, prints a warning with the reason.
  @discardableResult
  static func check(_ directory: CacheDirectory, _ messages: MessagePrinter) -> Bool {
    do throws(FileError) {
      try directory.check()
      return true
    } catch {
      messages.warn(code: "cache", path: error.path, "cache not used: \(error)")
      return false
    }
  }
}

extension DocumentIdentity: NamedChoice {}
extension PageReader: NamedChoice {}
extension ShownBox: NamedChoice {}
extension SandboxPolicy: NamedChoice {}

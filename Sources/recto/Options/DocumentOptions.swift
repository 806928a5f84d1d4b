public import ArgumentParser
internal import FileSystem
public import RectoKit
internal import RenderWorkers
internal import SystemPackage
internal import Tiles

/// How messages look; the same in every command.
struct MessageOptions: ParsableArguments {
  @Option(
    name: .customLong("errors"),
    help: ArgumentHelp(
      "Format of messages on standard error.",
      valueName: "style"
    )
  )
  var style: MessageStyle = .text

  var messages: MessagePrinter { MessagePrinter(style: style) }
}

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
    )
  )
  var pageReader: PageReader = .auto

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
  func settings(cache: CacheDirectory?, workers: Int = 2) throws(Failure) -> DocumentSettings {
    DocumentSettings(
      password: try givenPassword(),
      cache: cache,
      workers: workers,
      limits: limits.limits,
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
    )
  )
  var timeout: Double = 30

  @Option(
    help: ArgumentHelp(
      "Memory limit of a worker process, in MB.",
      valueName: "MB"
    )
  )
  var memory: Int = 1500

  /// Checks the ranges.
  ///
  /// - Throws: A validation error for options that exclude each other or are out of range.
  func validate() throws {
    guard timeout > 0, timeout <= 86_400 else {
      throw ValidationError("--timeout: must be above 0 and at most 86400 seconds, is \(timeout)")
    }
    guard (32...1_000_000).contains(memory) else {
      throw ValidationError("--memory: must be between 32 and 1000000 MB, is \(memory)")
    }
  }

  var limits: WorkerLimits {
    WorkerLimits(
      open: timeout / 2,
      measure: timeout / 2,
      draw: timeout,
      memory: memory * 1_000_000
    )
  }
}

/// Whether the cache is used.
struct CacheOptions: ParsableArguments {
  @Flag(help: "Do not read or write the cache.")
  var noCache = false

  /// The cache, unless it is disabled or cannot be used; the latter prints a warning.
  func directory(_ messages: MessagePrinter) -> CacheDirectory? {
    guard !noCache, let directory = CacheDirectory.ofUser else { return nil }
    return Self.check(directory, messages) ? directory : nil
  }

  /// Whether a cache can be used; if not, prints a warning with the reason.
  @discardableResult
  static func check(_ directory: CacheDirectory, _ messages: MessagePrinter) -> Bool {
    do throws(FileError) {
      try directory.check()
      return true
    } catch {
      messages.print(code: "cache", path: error.path, page: nil, "cache not used: \(error)")
      return false
    }
  }
}

extension PageReader: ExpressibleByArgument {}

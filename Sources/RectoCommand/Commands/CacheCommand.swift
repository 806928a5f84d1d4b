internal import ArgumentParser
internal import FoundationEssentials
internal import RectoBase
internal import RectoKit
internal import RectoTiles
internal import SystemPackage

/// `recto cache`.
struct CacheCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cache",
    abstract: "Inspect, check, trim and clear the cache.",
    discussion: """
      The cache is in $XDG_CACHE_HOME/recto, or in ~/.cache/recto. It is kept below its size \
      limit, and can be trimmed or cleared at any time; what is missing is rendered again.

      Example:
        recto cache info
      """,
    subcommands: [Path.self, Info.self, Trim.self, Verify.self, Clear.self]
  )

  /// `recto cache path`.
  struct Path: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "path",
      abstract: "Print the path of the cache.",
      discussion: """
        Example:
          du -sh "$(recto cache path)"
        """
    )

    @OptionGroup(title: "Messages") var messages: MessageOptions

    /// Runs the command.
    ///
    /// - Throws: The exit code, after the failure has been reported.
    func run() async throws {
      try await reportingFailures(messages.messages) { () throws(Failure) in
        try StandardStreams.write(try CacheCommand.directory().root.bytes + [UInt8(ascii: "\n")])
        return true
      }
    }
  }

  /// `recto cache info`.
  struct Info: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "info",
      abstract: "Print what is in the cache as JSON.",
      discussion: """
        Counts every entry. Hits and misses are counted since the cache was made or cleared.

        Example:
          recto cache info
        """
    )

    @OptionGroup(title: "Limits") var limits: CacheLimitOptions
    @OptionGroup(title: "Messages") var messages: MessageOptions

    /// Runs the command.
    ///
    /// - Throws: The exit code, after the failure has been reported.
    func run() async throws {
      try await reportingFailures(messages.messages) { () throws(Failure) in
        let directory = try CacheCommand.directory().limited(to: limits.limits)
        // Counted even if another user owns it; then a warning says that it is not used.
        CacheOptions.check(directory, messages.messages)
        let contents = directory.contents()
        var writer = JSONWriter()
        writer.object { $0.cache(contents, in: directory) }
        writer.newline()
        try StandardStreams.write(writer.bytes)
        if let failure = contents.failure { throw CacheCommand.failure(failure) }
        return true
      }
    }
  }

  /// Converts an error of the file system.
  ///
  /// - Throws: A failure with exit code 74 that names the file.
  static func io<Result>(_ body: () throws(FileError) -> Result) throws(Failure) -> Result {
    do throws(FileError) {
      return try body()
    } catch {
      throw failure(error)
    }
  }

  /// The failure of an error of the file system: exit code 74.
  static func failure(_ error: FileError) -> Failure {
    Failure(
      exitCode: .io,
      code: "io",
      path: error.path,
      page: nil,
      message: "\(error.operation): \(error)"
    )
  }

  /// The user's cache directory.
  ///
  /// - Throws: A failure with exit code 66 if there is no such directory.
  static func directory() throws(Failure) -> CacheDirectory {
    guard let directory = CacheDirectory.ofUser else {
      throw Failure(
        exitCode: .noInput,
        code: "unreadable",
        path: nil,
        page: nil,
        message: CacheOptions.noDirectory
      )
    }
    return directory
  }
}

extension JSONWriter {
  /// The members of `cache info`.
  fileprivate mutating func cache(_ contents: CacheContents, in directory: CacheDirectory) {
    path(directory.root)
    member("tiles", contents.tiles)
    member("pictures", contents.pictures)
    member("tileBytes", contents.tileBytes)
    member("documents", contents.documents)
    member("documentBytes", contents.documentBytes)
    member("textBytes", contents.textBytes)
    member("partBytes", contents.partBytes)
    member("bytes", contents.bytes)
    if let size = directory.limits.size { member("limit", size) } else { null("limit") }
    if let age = directory.limits.age {
      member("ageLimit", Double(age) / Double(CacheLimits.day))
    } else {
      null("ageLimit")
    }
    if let oldest = contents.oldest {
      member("oldest", Date(timeIntervalSince1970: oldest.rounded(.down)).ISO8601Format())
    }
    member("hits", contents.lookups.hits)
    member("misses", contents.lookups.misses)
    array("byDocument") { array in
      for document in contents.byDocument {
        array.object { object in
          object.member("key", document.key.hexadecimal)
          object.member("title", document.title)
          if let pages = document.pageCount { object.member("pages", pages) }
          object.member("tiles", document.tiles)
          object.member("bytes", document.bytes)
        }
      }
    }
  }
}

internal import ArgumentParser
internal import FileSystem
internal import RectoKit
internal import SystemPackage
internal import Tiles

/// `recto cache`.
struct CacheCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cache",
    abstract: "Inspect and clear the cache.",
    discussion: """
      The cache is in $XDG_CACHE_HOME/recto, or in ~/.cache/recto. It can be cleared at any \
      time; what is missing is rendered again.

      Example:
        recto cache info
      """,
    subcommands: [Path.self, Info.self, Clear.self]
  )

  /// `recto cache path`.
  struct Path: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
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
      abstract: "Print the number and size of the cached files as JSON.",
      discussion: """
        Example:
          recto cache info
        """
    )

    @OptionGroup(title: "Messages") var messages: MessageOptions

    /// Runs the command.
    ///
    /// - Throws: The exit code, after the failure has been reported.
    func run() async throws {
      try await reportingFailures(messages.messages) { () throws(Failure) in
        let directory = try CacheCommand.directory()
        // Counted even if another user owns it; then a warning says that it is not used.
        CacheOptions.check(directory, messages.messages)
        let contents = try CacheCommand.io { () throws(FileError) in try directory.contents() }
        var writer = JSONWriter()
        writer.object { object in
          object.path(directory.root)
          object.member("tiles", contents.tiles)
          object.member("tileBytes", contents.tileBytes)
          object.member("documents", contents.documents)
          object.member("documentBytes", contents.documentBytes)
        }
        writer.newline()
        try StandardStreams.write(writer.bytes)
        return true
      }
    }
  }

  /// `recto cache clear`.
  struct Clear: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove everything from the cache.",
      discussion: """
        Safe while other recto commands are running. A cache that belongs to another user, or \
        that other users can write to, is not cleared.

        Example:
          recto cache clear
        """
    )

    @OptionGroup(title: "Messages") var messages: MessageOptions

    /// Runs the command.
    ///
    /// - Throws: The exit code, after the failure has been reported.
    func run() async throws {
      try await reportingFailures(messages.messages) { () throws(Failure) in
        let directory = try CacheCommand.directory()
        try CacheCommand.io { () throws(FileError) in try directory.clear() }
        return true
      }
    }
  }

  /// Converts an error of the file system.
  ///
  /// - Throws: A failure with exit code 74 that names the file.
  private static func io<Result>(_ body: () throws(FileError) -> Result) throws(Failure) -> Result {
    do throws(FileError) {
      return try body()
    } catch {
      throw Failure(
        exitCode: .io,
        code: "io",
        path: error.path,
        page: nil,
        message: "\(error.operation): \(error)"
      )
    }
  }

  /// The user's cache directory.
  ///
  /// - Throws: A failure with exit code 66 if there is no such directory.
  private static func directory() throws(Failure) -> CacheDirectory {
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

internal import ArgumentParser
internal import DocumentModel
internal import RectoBase
internal import RectoKit
internal import RectoTiles
internal import SystemPackage

extension CacheCommand {
  /// `recto cache trim`.
  struct Trim: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "trim",
      abstract: "Remove the least recently used entries from the cache, down to its limits.",
      discussion: """
        Prints the bytes removed as JSON. Other commands trim the cache as they write to it, so \
        this is of use mostly with another limit. Safe while other recto commands are running.

        Example:
          recto cache trim --cache-size 500M
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
        let removed = try CacheCommand.io { () throws(FileError) in try directory.trim() }
        var writer = JSONWriter()
        writer.object { $0.member("removedBytes", removed) }
        writer.newline()
        try StandardStreams.write(writer.bytes)
        return true
      }
    }
  }

  /// `recto cache verify`.
  struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "verify",
      abstract: "Read every entry of the cache, and remove those that are damaged.",
      discussion: """
        Prints the number of entries, and the paths of those that were damaged, as JSON. Exits \
        with 1 if there were any. Safe while other recto commands are running.

        Example:
          recto cache verify
        """
    )

    @OptionGroup(title: "Messages") var messages: MessageOptions

    /// Runs the command.
    ///
    /// - Throws: The exit code, after the failure has been reported.
    func run() async throws {
      try await reportingFailures(messages.messages) { () throws(Failure) in
        let directory = try CacheCommand.directory()
        let result = try CacheCommand.io { () throws(FileError) in try directory.verify() }
        var writer = JSONWriter()
        writer.object { object in
          object.member("entries", result.checked)
          object.array("damaged") { array in
            for path in result.damaged { array.object { $0.path(path) } }
          }
        }
        writer.newline()
        try StandardStreams.write(writer.bytes)
        if let failure = result.failure { throw CacheCommand.failure(failure) }
        return result.damaged.isEmpty
      }
    }
  }

  /// `recto cache clear`.
  struct Clear: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "clear",
      abstract: "Remove everything, or what there is of one document, from the cache.",
      discussion: """
        A document is cleared whatever its password, as its file is now; what there is of it from \
        before an edit is removed when it becomes the least recently used. Safe while other recto \
        commands are running. A cache that belongs to another user, or that other users can write \
        to, is not cleared.

        Example:
          recto cache clear
          recto cache clear book.pdf
        """
    )

    @Argument(
      help: ArgumentHelp("The PDF; without one, everything is removed.", valueName: "file"),
      completion: .file(extensions: ["pdf", "PDF"])
    )
    var file: String?

    @OptionGroup(title: "Messages") var messages: MessageOptions

    /// Runs the command.
    ///
    /// - Throws: The exit code, after the failure has been reported.
    func run() async throws {
      try await reportingFailures(messages.messages) { () throws(Failure) in
        let directory = try CacheCommand.directory()
        guard let file = file.map({ FilePath(argument: $0) }) else {
          try CacheCommand.io { () throws(FileError) in try directory.clear() }
          return true
        }
        do throws(DocumentError) {
          try directory.clear(documentAt: file)
        } catch {
          throw Failure(error, path: file)
        }
        return true
      }
    }
  }
}

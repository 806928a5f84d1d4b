internal import ArgumentParser
internal import DocumentModel
internal import Glibc
internal import RectoBase
internal import RectoKit
internal import SystemPackage

/// Limits on what is read from streams and servers.
struct InputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Maximum size of a document from a pipe or another stream, in MB.",
      valueName: "MB"
    ),
    reading: .number(1...1_000_000)
  )
  var maxInput: Int = 4000

  @OptionGroup var remote: RemoteOptions
}

/// The document that a command works on: a file, the copy of a stream, or an address.
struct DocumentInput: Sendable {
  /// As it was typed, for messages and JSON; the path of a `file:` address.
  let path: FilePath
  /// The file if it is open already: standard input, or the copy of a stream.
  private let file: InputFile?
  /// Where the document is, if it is on a server, and how it is fetched.
  private let remote: (address: RemoteAddress, access: RemoteAccess)?
  /// Whether it is a copy. Copies have no lasting identity, and are not cached.
  let isCopy: Bool

  /// A file that is opened by its path, or a copy that is open.
  init(_ path: FilePath, _ copy: InputFile? = nil) {
    self.init(path, copy, isCopy: copy != nil)
  }

  /// A document of a list.
  init(_ item: DocumentLibrary.Item, _ copy: InputFile?) {
    if let remote = item.remote {
      self.init(remote.address, remote.access)
    } else {
      self.init(item.path, copy)
    }
  }

  private init(_ path: FilePath, _ file: InputFile?, isCopy: Bool) {
    self.path = path
    self.file = file
    self.isCopy = isCopy
    remote = nil
  }

  private init(_ address: RemoteAddress, _ access: RemoteAccess) {
    path = address.path
    file = nil
    isCopy = false
    remote = (address, access)
  }

  /// The file, stream or address that an argument names; `-` is standard input, and `file:///a%20b.pdf` a file.
  ///
  /// A stream is copied into a file without a name, because a PDF is read from its end. Standard input that is a file
  /// at offset 0 is used directly. If it is open for writing as well, it is opened again for reading only, or copied if
  /// that is refused.
  ///
  /// - Parameters:
  ///   - argument: The argument.
  ///   - document: The options of the document: its password may come from the same stream.
  ///   - options: The limits.
  ///   - check: Called before a stream is copied; throws if the command cannot work on a copy.
  /// - Returns: The document, already open if it is standard input or a copy.
  /// - Throws: A failure if the stream cannot be read or copied.
  static func open(
    _ argument: String,
    _ document: DocumentOptions,
    _ options: InputOptions,
    checkingCopy check: () throws(Failure) -> Void = {}
  ) async throws(Failure) -> DocumentInput {
    if let address = RemoteAddress(argument) {
      if address.isPrefix {
        throw Failure(usage: "this is no object: its key ends with a slash", path: address.path)
      }
      return DocumentInput(address, try options.remote.access(to: address))
    }
    if let shown = RemoteAddress.malformed(argument) {
      throw Failure(usage: noAddress, path: FilePath(shown))
    }
    let bytes = RawArguments.decode(argument)
    let path = FilePath(bytes: FileURI.path(bytes) ?? bytes)
    let isStandardInput = Self.isStandardInput(argument)
    if let password = document.passwordFile, isSameStream(password, argument) {
      throw Failure(
        usage: "--password-file: one stream cannot be both the password and the document",
        path: path
      )
    }
    do throws(SpoolingError) {
      if isStandardInput {
        if try !isStream(path), let file = try duplicate(path) {
          return DocumentInput(path, file, isCopy: false)
        }
      } else if !Files.isStream(path) {
        return DocumentInput(path)
      }
    } catch {
      throw Failure(error, path: path)
    }
    try check()
    return try await copy(of: path, isStandardInput: isStandardInput, limit: options.maxInput)
  }

  /// The reason against a text that begins as an address.
  static let noAddress =
    "this is no address, which is http://HOST/PATH, https://HOST/PATH or s3://BUCKET/KEY"

  /// Copies a stream.
  ///
  /// - Throws: A failure if the stream cannot be read or copied.
  private static func copy(
    of path: FilePath,
    isStandardInput: Bool,
    limit: Int
  ) async throws(Failure) -> DocumentInput {
    if isStandardInput, isatty(0) == 1 {
      throw Failure(usage: "standard input is a terminal, not a document", path: path)
    }
    do throws(SpoolingError) {
      let copier = StreamCopier()
      let bytes = limit * 1_000_000
      let file =
        isStandardInput
        ? try await copier.copy(.standardInput, named: path, limit: bytes)
        : try await copier.copy(path, limit: bytes)
      return DocumentInput(path, file, isCopy: true)
    } catch {
      throw Failure(error, path: path)
    }
  }

  /// Whether an argument names standard input.
  static func isStandardInput(_ argument: String) -> Bool {
    ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].contains(argument)
  }

  /// Whether two arguments name one stream.
  private static func isSameStream(_ first: String, _ second: String) -> Bool {
    if isStandardInput(first), isStandardInput(second) { return true }
    let paths = [first, second].map { FilePath(argument: $0) }
    return paths.allSatisfy(Files.isStream)
      && Files.node(of: paths[0]) == Files.node(of: paths[1])
  }

  private static func isStream(_ path: FilePath) throws(SpoolingError) -> Bool {
    do {
      return try Files.isStream(.standardInput, named: path)
    } catch {
      throw .input(error)
    }
  }

  private static func duplicate(_ path: FilePath) throws(SpoolingError) -> InputFile? {
    do {
      return try Files.duplicate(.standardInput, named: path)
    } catch {
      throw .input(error)
    }
  }

  /// Opens the document.
  ///
  /// - Throws: The error of ``Document`` if it cannot be opened.
  func document(_ settings: DocumentSettings) async throws(DocumentError) -> Document {
    if let remote {
      return try await Document(url: remote.address, access: remote.access, settings: settings)
    }
    guard let file else { return try Document(path, settings: settings) }
    return try Document(file, path: path, settings: settings)
  }

  /// The file; nil when there is none.
  var node: FileNode? {
    if remote != nil { return nil }
    return file.map { Files.node(of: $0.descriptor) } ?? Files.node(of: path)
  }
}

/// Copies streams on its own queue, because a writer may be slow.
private actor StreamCopier {
  private let executor = QueueExecutor(label: "recto.stream-copier")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func copy(_ path: FilePath, limit: Int) throws(SpoolingError) -> InputFile {
    try Files.spool(path, limit: limit)
  }

  func copy(
    _ stream: FileDescriptor,
    named path: FilePath,
    limit: Int
  ) throws(SpoolingError) -> InputFile {
    try Files.spool(stream, named: path, limit: limit)
  }
}

extension Failure {
  /// A stream that could not be copied.
  init(_ error: SpoolingError, path: FilePath) {
    switch error {
    case .input(let error):
      self.init(input: error, path: path)
      if error.isDevice { (exitCode, code) = (.io, "io") }
    case .storage(let error): self.init(output: error)
    case .tooLarge(let limit):
      self.init(
        exitCode: .noInput,
        code: "unreadable",
        path: path,
        message: "more than \(limit / 1_000_000) MB; --max-input sets the limit"
      )
    }
  }
}

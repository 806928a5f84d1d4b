internal import DocumentModel
internal import Glibc
internal import RectoBase
internal import RectoKit
internal import RenderWorkers
internal import SystemPackage

/// What the programs of Amazon say about a store: variables of the environment, `~/.aws/credentials` and
/// `~/.aws/config`.
struct StoreSettings {
  private let variables: [String: String]
  private let profile: String
  /// The entries of the profile in the file with credentials, and in that with other settings.
  private let credentials: [String: String]
  private let settings: [String: String]

  /// The longest file, and the longest answer of a program, in bytes.
  private static let longest = 1 << 20
  /// Seconds for the program that tells credentials.
  private static let patience: Int32 = 60

  /// Reads the files, as far as they exist.
  ///
  /// - Parameter variables: The variables of the environment.
  /// - Throws: A failure if a file cannot be read, or has no profile that is named.
  init(_ variables: [String: String] = RawArguments.environment) throws(Failure) {
    self.variables = variables
    let named = Self.value("AWS_PROFILE", variables)
    profile = named ?? "default"
    let home = Self.value("HOME", variables)
    func entries(_ variable: String, _ name: String, _ section: String) throws(Failure)
      -> [String: String]?
    {
      guard
        let path = Self.value(variable, variables).map({ FilePath($0) })
          ?? home.map({ FilePath($0).appending(".aws").appending(name) })
      else { return nil }
      do throws(FileError) {
        let text = String(
          decoding: try Files.contents(of: path, limit: Self.longest),
          as: UTF8.self
        )
        return Self.entries(of: section, in: text)
      } catch {
        if error.errno == .noSuchFileOrDirectory { return nil }
        throw Failure(input: error, path: path)
      }
    }
    let other = profile == "default" ? "default" : "profile \(profile)"
    let found = try entries("AWS_SHARED_CREDENTIALS_FILE", "credentials", profile)
    let set = try entries("AWS_CONFIG_FILE", "config", other)
    if let named, found == nil, set == nil {
      throw Failure(usage: "AWS_PROFILE: there is no profile '\(named)'")
    }
    credentials = found ?? [:]
    settings = set ?? [:]
  }

  /// The store.
  ///
  /// - Parameter endpoint: The address of the store that an option names; nil for none.
  /// - Throws: A failure if a setting has another form than it must, or the program that tells credentials fails.
  func store(endpoint: String?) throws(Failure) -> RemoteStore {
    let region =
      variable("AWS_REGION") ?? variable("AWS_DEFAULT_REGION") ?? settings["region"] ?? "us-east-1"
    guard region.wholeMatch(of: /[A-Za-z0-9-]{1,64}/) != nil else {
      throw Failure(usage: "the region of the store must be letters, digits and hyphens")
    }
    let address =
      endpoint ?? variable("AWS_ENDPOINT_URL_S3") ?? variable("AWS_ENDPOINT_URL")
      ?? settings["endpoint_url"]
    if let address, !Self.isEndpoint(address) {
      throw Failure(usage: "AWS_ENDPOINT_URL must be http:// or https:// with a host")
    }
    return RemoteStore(
      endpoint: address.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 },
      region: region,
      credentials: try who()
    )
  }

  /// Whether a text is the address of a store.
  static func isEndpoint(_ text: String) -> Bool {
    text.wholeMatch(of: /https?:\/\/[A-Za-z0-9.\-\[\]:_]{1,255}(\/[A-Za-z0-9.\-_~\/]*)?/) != nil
  }

  private func variable(_ name: String) -> String? { Self.value(name, variables) }

  private static func value(_ name: String, _ variables: [String: String]) -> String? {
    variables[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Who asks: the first of the environment, the file with credentials, a program, and the file with settings; nil for
  /// anyone.
  private func who() throws(Failure) -> RemoteStore.Credentials? {
    if let key = variable("AWS_ACCESS_KEY_ID"), let secret = variable("AWS_SECRET_ACCESS_KEY") {
      return .init(key: key, secret: secret, token: variable("AWS_SESSION_TOKEN"))
    }
    if let found = Self.lasting(credentials) { return found }
    if let program = credentials["credential_process"] ?? settings["credential_process"] {
      return try Self.answer(of: program)
    }
    return Self.lasting(settings)
  }

  private static func lasting(_ entries: [String: String]) -> RemoteStore.Credentials? {
    guard let key = entries["aws_access_key_id"], let secret = entries["aws_secret_access_key"]
    else { return nil }
    return .init(key: key, secret: secret, token: entries["aws_session_token"])
  }

  /// The entries of a section; nil if there is none. Entries that begin with a space belong to the one above.
  static func entries(of section: String, in text: String) -> [String: String]? {
    var entries: [String: String]?
    var isInside = false
    for line in text.split(whereSeparator: \.isNewline) {
      if line.first == "[" {
        let name = line.dropFirst().prefix { $0 != "]" }.split(whereSeparator: \.isWhitespace)
        isInside = name.joined(separator: " ") == section
        if isInside, entries == nil { entries = [:] }
        continue
      }
      guard isInside, let first = line.first, !first.isWhitespace, !"#;".contains(first),
        let equal = line.firstIndex(of: "=")
      else { continue }
      let value = line[line.index(after: equal)...].trimmed
      entries?[line[..<equal].trimmed.lowercased()] = String(value)
    }
    return entries
  }

  // MARK: A program that tells credentials

  private static func answer(of program: String) throws(Failure) -> RemoteStore.Credentials {
    let refused = Failure(
      exitCode: .noPermission,
      code: DocumentError.Code.notAllowed.rawValue,
      message: "credential_process: the program tells no credentials"
    )
    let bytes: [UInt8]
    do throws(DocumentError) {
      bytes = try output(of: program)
    } catch {
      throw refused
    }
    guard case .object(let members)? = try? JSONValue(parsing: bytes),
      case .string(let key)? = members["AccessKeyId"],
      case .string(let secret)? = members["SecretAccessKey"]
    else { throw refused }
    if case .string(let token)? = members["SessionToken"] {
      return .init(key: key, secret: secret, token: token)
    }
    return .init(key: key, secret: secret)
  }

  /// What a command of the shell prints.
  private static func output(of command: String) throws(DocumentError) -> [UInt8] {
    let (process, socket) = try WorkerProcesses.start(helper: "/bin/sh")
    defer {
      close(socket)
      WorkerProcesses.end(process)
    }
    // The shell reads it from the other end of the socket.
    var rest = Array("{ \(command)\n} </dev/null\n".utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    shutdown(socket, Int32(SHUT_WR))
    var bytes: [UInt8] = []
    return try withUnsafeTemporaryAllocation(byteCount: 1 << 14, alignment: 1) {
      (buffer) throws(DocumentError) in
      while bytes.count <= longest {
        var polled = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        guard poll(&polled, 1, patience * 1000) > 0 else { break }
        let count = recv(socket, buffer.baseAddress, buffer.count, 0)
        guard count > 0 else { return bytes }
        bytes += buffer[..<count]
      }
      throw DocumentError(.unavailable, during: "ask for credentials", "no answer")
    }
  }
}

internal import ArgumentParser
internal import DocumentModel
internal import RectoBase
internal import RectoKit
internal import SystemPackage

/// How documents on servers are fetched.
struct RemoteOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Most that is fetched of a document on a server, in parts or as a whole, in MB.",
      valueName: "MB"
    ),
    reading: .number(1...1_000_000)
  )
  var maxDownload = 1074

  @Option(
    help: ArgumentHelp(
      """
      File with lines for the header of requests to the server of a document, such as \
      'Authorization: Bearer TOKEN'.
      """,
      valueName: "file"
    ),
    completion: .file()
  )
  var headerFile: String?

  @Option(
    help: ArgumentHelp(
      "Time limit for connecting to a server, and for an answer without progress, in seconds.",
      valueName: "seconds"
    ),
    reading: .number(above: 0, atMost: 3600)
  )
  var serverTimeout = 30.0

  @Option(
    help: ArgumentHelp(
      "Address of the store of s3:// addresses. (default: $AWS_ENDPOINT_URL, else Amazon's)",
      valueName: "url"
    ),
    reading: .value("must be http:// or https:// with a host") { StoreSettings.isEndpoint($0) }
  )
  var s3Endpoint: String?

  /// How the document at an address is fetched.
  ///
  /// - Throws: A failure if the file with headers cannot be read, or has other lines; if the settings of a store cannot
  ///   be read.
  func access(to address: RemoteAddress) throws(Failure) -> RemoteAccess {
    var access = RemoteAccess(
      headers: try headers(),
      timeout: serverTimeout,
      largest: maxDownload * 1_000_000
    )
    if address.isObject { access.store = try StoreSettings().store(endpoint: s3Endpoint) }
    return access
  }

  /// The document, or the prefix, at an address.
  ///
  /// - Throws: `DocumentError` if the settings for it cannot be read.
  func document(at address: RemoteAddress) throws(DocumentError) -> RemoteDocument {
    do throws(Failure) {
      return RemoteDocument(address, try access(to: address))
    } catch {
      throw DocumentError(DocumentError.Code(rawValue: error.code), during: "open", error.message)
    }
  }

  private func headers() throws(Failure) -> [String] {
    guard let headerFile else { return [] }
    let path = FilePath(argument: headerFile)
    let bytes: [UInt8]
    do {
      bytes = try Files.contents(of: path, limit: Self.longest)
    } catch {
      throw Failure(input: error, path: path)
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    for (number, line) in lines.enumerated() {
      // The line may be a secret, so it is not printed.
      guard let colon = line.firstIndex(of: ":"), colon != line.startIndex,
        line.utf8.allSatisfy({ $0 == 0x09 || (0x20...0x7E).contains($0) })
      else {
        throw Failure(
          usage: "--header-file: line \(number + 1) is not of the form 'Name: value'",
          path: path
        )
      }
    }
    return lines.map(String.init)
  }

  /// In bytes.
  private static let longest = 1 << 16
}

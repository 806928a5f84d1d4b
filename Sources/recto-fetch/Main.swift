internal import CCurl
internal import CLinux
internal import DocumentModel
internal import Glibc
internal import RectoBase
internal import RectoSandbox
internal import SystemPackage

/// Fetches documents from servers, for a parent process.
///
/// Standard input is a socket for requests and replies. Not meant to be started by hand.
@main
enum Main {
  static func main() {
    var type: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard CommandLine.arguments.count == 1,
      getsockopt(0, SOL_SOCKET, SO_TYPE, &type, &length) == 0
    else {
      let words = "recto-fetch: this program is started by recto\n"
      _ = words.withCString { write(2, $0, strlen($0)) }
      exit(64)
    }
    signal(SIGPIPE, SIG_IGN)
    let certificates = certificates
    // Libraries would write the keys of connections to a file that it names.
    unsetenv("SSLKEYLOGFILE")
    var sandbox = Sandbox(
      reading: ConnectionFiles.paths(certificates: certificates),
      connects: true
    )
    guard recto_hide_memory() == 0, curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK,
      let fetcher = Fetcher(output: 0, certificates: certificates)
    else { exit(70) }
    // Names are resolved in threads.
    sandbox.seal(startsThreads: true)
    // The parent notices that this process has ended.
    exit(serve(fetcher) ? 0 : 70)
  }

  /// The file with the certificates of authorities that the user names, as for curl and OpenSSL; nil for the system's.
  private static var certificates: FilePath? {
    for name in ["CURL_CA_BUNDLE", "SSL_CERT_FILE"] {
      if let value = getenv(name), value.pointee != 0 { return FilePath(platformString: value) }
    }
    return nil
  }

  /// Answers requests until the parent closes the socket.
  ///
  /// - Returns: Whether all requests were valid.
  private static func serve(_ fetcher: Fetcher) -> Bool {
    var reader = FrameReader()
    return withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
      while true {
        let count = read(0, buffer.baseAddress, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return count == 0 }
        reader.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        do throws(ByteCodingError) {
          while let payload = try reader.next(atMost: FetchRequest.largest) {
            let request = try FetchRequest(payload: payload)
            fetcher.send(fetcher.perform(request))
          }
        } catch {
          return false
        }
      }
    }
  }
}

internal import Glibc
internal import NIOCore
internal import NIOPosix
internal import RectoBase
internal import RectoTiles

/// Keeps the connections to a store shared between machines, for a parent process.
///
/// Standard input is a socket for requests and replies. Not meant to be started by hand.
@main
enum Main {
  static func main() async {
    var type: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard CommandLine.arguments.count == 1,
      getsockopt(0, SOL_SOCKET, SO_TYPE, &type, &length) == 0
    else {
      let words = "recto-shared-cache: this program is started by recto\n"
      _ = words.withCString { write(2, $0, strlen($0)) }
      exit(64)
    }
    signal(SIGPIPE, SIG_IGN)
    var noCore = rlimit(rlim_cur: 0, rlim_max: 0)
    guard setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &noCore) == 0 else { exit(70) }
    do {
      try await StoreRequestLoop().run(0)
      exit(0)
    } catch {
      // The parent notices that this process has ended.
      exit(70)
    }
  }
}

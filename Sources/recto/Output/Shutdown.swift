internal import Dispatch
internal import FileSystem
internal import Glibc

/// Ending the process early without leaving anything behind.
enum Shutdown {
  /// Makes Ctrl-C and its relatives remove what is half written, then end the process with 128 plus
  /// the signal's number. Workers notice by themselves that their parent is gone.
  static func installSignalHandlers() {
    signal(SIGPIPE, SIG_IGN)
    // A file that grows beyond the limit is an error to report, not a reason to die half-way.
    signal(SIGXFSZ, SIG_IGN)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { end(with: 128 + number) }
      source.resume()
      // A source stops when its last reference goes; these live as long as the process.
      _ = Unmanaged.passRetained(source as AnyObject)
    }
  }

  /// Ends the process now.
  static func end(with code: Int32) -> Never {
    Files.abandonWrites()
    _exit(code)
  }
}

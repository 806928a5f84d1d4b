internal import ArgumentParser
internal import Dispatch
internal import DocumentModel
internal import FileSystem
internal import Glibc
internal import RenderWorkers

/// Ends the process early without leaving files or processes behind.
enum Shutdown {
  /// Makes all workers, and processes they have started, end with this process. Only SIGKILL leaves
  /// no time for that: then workers detect that their parent is gone, and exit.
  static func superviseWorkers() {
    do throws(DocumentError) {
      try WorkerProcesses.adoptOrphans()
      guard atexit({ WorkerProcesses.endAll() }) == 0 else {
        throw DocumentError(.fault, during: "start", "cannot register an exit handler")
      }
    } catch {
      MessagePrinter(style: .text).print(
        code: error.code.rawValue,
        path: nil,
        page: nil,
        "\(error)"
      )
      end(with: ExitCode.fault.rawValue)
    }
  }

  /// Makes Ctrl-C and similar signals remove incomplete files, then end the process with 128 plus
  /// the signal's number.
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
    WorkerProcesses.endAll()
    _exit(code)
  }
}

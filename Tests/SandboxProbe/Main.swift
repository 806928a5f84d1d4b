internal import CProbes
internal import Glibc
internal import PDFEngine
internal import RectoSandbox

/// A worker that tries what a worker must not be able to do: what it is asked for by one byte, a number of a probe. It
/// answers with a byte, 0 if the probe worked and else the error number.
///
/// After the byte 255 no thread watches its parent: all end but the first, which waits for ever.
///
/// It starts, and puts its sandbox in force, as `recto-worker` does; with the argument `--connects`, as `recto-fetch`.
@main
enum Main {
  static func main() {
    guard CommandLine.arguments.last == "--connects" else {
      WorkerRuntime.run { answer(to: $0.replies) }
    }
    var sandbox = Sandbox(reading: ConnectionFiles.paths(certificates: nil), connects: true)
    sandbox.seal(startsThreads: true)
    answer(to: 0)
  }

  private static func answer(to replies: Int32) {
    var number: UInt8 = 0
    while read(0, &number, 1) == 1 {
      let leaves = number == 255
      if leaves { probe_leave_threads() }
      var answer = leaves ? 0 : UInt8(truncatingIfNeeded: probe_try(Int32(number)))
      guard write(replies, &answer, 1) == 1 else { return }
      if leaves { probe_end_thread() }
    }
  }
}

internal import CProbes
internal import Glibc
internal import PDFEngine

/// A worker that tries what a worker must not be able to do: what it is asked for by one byte, a number of a probe. It
/// answers with a byte, 0 if the probe worked and else the error number.
///
/// After the byte 255 no thread watches its parent: all end but the first, which waits for ever.
///
/// It starts, and puts its sandbox in force, as `recto-worker` does.
@main
enum Main {
  static func main() {
    WorkerRuntime.run { loop in
      var number: UInt8 = 0
      while read(0, &number, 1) == 1 {
        let leaves = number == 255
        if leaves { probe_leave_threads() }
        var answer = leaves ? 0 : UInt8(truncatingIfNeeded: probe_try(Int32(number)))
        guard write(loop.replies, &answer, 1) == 1 else { return }
        if leaves { probe_end_thread() }
      }
    }
  }
}

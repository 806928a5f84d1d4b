internal import Glibc

/// A snapshot of a process's memory from /proc. All zero if there is no such process.
struct ProcessStatus {
  /// Bytes that are resident or in swap, plus its page tables, which the kernel does not count as resident.
  private(set) var bytes = 0
  /// The peak of resident bytes, plus the current page tables; not less than ``bytes``.
  private(set) var peakBytes = 0
  /// Those of ``bytes`` that are not file-backed: heap, stacks and page tables.
  private(set) var ownBytes = 0

  /// Reads /proc/PID/status. Called after every answer of a worker, so it creates no strings.
  init(of pid: pid_t) {
    let file = open("/proc/\(pid)/status", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      let count = read(file, buffer.baseAddress, buffer.count)
      guard count > 0 else { return }
      var (resident, highest, own, tables, swapped) = (0, 0, 0, 0, 0)
      for line in UnsafeRawBufferPointer(rebasing: buffer[..<count]).split(separator: 0x0A) {
        if let bytes = Self.bytes(in: line, after: "VmRSS:") {
          resident = bytes
        } else if let bytes = Self.bytes(in: line, after: "VmHWM:") {
          highest = bytes
        } else if let bytes = Self.bytes(in: line, after: "RssAnon:") {
          own = bytes
        } else if let bytes = Self.bytes(in: line, after: "VmPTE:") {
          tables = bytes
        } else if let bytes = Self.bytes(in: line, after: "VmSwap:") {
          swapped = bytes
        }
      }
      bytes = resident + swapped + tables
      peakBytes = max(highest + tables, bytes)
      ownBytes = own + swapped + tables
    }
  }

  /// The processor time that a process has used, in seconds; 0 when there is no such process.
  static func processorSeconds(of pid: pid_t) -> Double {
    var clock = clockid_t()
    var time = timespec()
    guard clock_getcpuclockid(pid, &clock) == 0, clock_gettime(clock, &time) == 0 else { return 0 }
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The value of a field, in units of 1024 bytes; nil if the line is another field.
  private static func bytes(in line: Slice<UnsafeRawBufferPointer>, after name: String) -> Int? {
    guard line.starts(with: name.utf8) else { return nil }
    let digits = line.dropFirst(name.utf8.count).drop { $0 == 0x20 || $0 == 0x09 }
      .prefix { (0x30...0x39).contains($0) }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } * 1024
  }
}

internal import Glibc

/// What /proc tells of a process's memory, at one moment. All zero when there is no such process.
struct ProcessStatus {
  /// Resident bytes.
  var residentBytes = 0
  /// The most bytes that were ever resident.
  var peakBytes = 0
  /// Resident bytes that are no file's: the heap and stacks.
  var ownBytes = 0

  /// Reads /proc/PID/status. This comes after every answer of a worker, so no text is made of it.
  init(of pid: pid_t) {
    let file = open("/proc/\(pid)/status", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      let count = read(file, buffer.baseAddress, buffer.count)
      guard count > 0 else { return }
      for line in UnsafeRawBufferPointer(rebasing: buffer[..<count]).split(separator: 0x0A) {
        if let bytes = Self.bytes(in: line, after: "VmRSS:") {
          residentBytes = bytes
        } else if let bytes = Self.bytes(in: line, after: "VmHWM:") {
          peakBytes = bytes
        } else if let bytes = Self.bytes(in: line, after: "RssAnon:") {
          ownBytes = bytes
        }
      }
    }
  }

  /// What stands behind a field's name, in units of 1024 bytes; nil when the line is another field.
  private static func bytes(in line: Slice<UnsafeRawBufferPointer>, after name: String) -> Int? {
    guard line.starts(with: name.utf8) else { return nil }
    let digits = line.dropFirst(name.utf8.count).drop { $0 == 0x20 || $0 == 0x09 }
      .prefix { (0x30...0x39).contains($0) }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } * 1024
  }
}

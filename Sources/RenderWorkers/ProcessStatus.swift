internal import Glibc

/// What /proc tells of a process.
enum ProcessStatus {
  /// Resident bytes; 0 when there is no such process.
  static func residentBytes(of pid: pid_t) -> Int { bytes("VmRSS:", of: pid) }

  /// The most bytes that were ever resident; 0 when there is no such process.
  static func peakBytes(of pid: pid_t) -> Int { bytes("VmHWM:", of: pid) }

  /// Resident bytes that are no file's: the heap and stacks. 0 when there is no such process.
  static func ownBytes(of pid: pid_t) -> Int { bytes("RssAnon:", of: pid) }

  /// A field of /proc/PID/status, which counts in units of 1024 bytes.
  private static func bytes(_ field: String, of pid: pid_t) -> Int {
    let file = open("/proc/\(pid)/status", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return 0 }
    defer { close(file) }
    return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      let count = read(file, buffer.baseAddress, buffer.count)
      guard count > 0 else { return 0 }
      let text = String(decoding: buffer[..<count], as: UTF8.self)
      for line in text.split(separator: "\n") where line.hasPrefix(field) {
        let digits = line.dropFirst(field.count).drop { $0 == " " || $0 == "\t" }.prefix {
          $0.isNumber
        }
        return (Int(digits) ?? 0) * 1024
      }
      return 0
    }
  }
}

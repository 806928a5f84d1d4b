internal import Glibc
internal import SystemPackage

/// What Prometheus expects of every process: names and meanings are those of its own libraries.
enum ProcessMetrics {
  /// The values at this moment; those that the system does not tell are missing.
  static func current() -> [Metric] {
    var metrics: [Metric] = []
    if let seconds = seconds(of: CLOCK_PROCESS_CPUTIME_ID) {
      metrics.append(
        .counter(
          "process_cpu_seconds_total",
          "Processor time of the server without its workers.",
          seconds
        )
      )
    }
    let page = sysconf(Int32(_SC_PAGESIZE))
    if let pages = fields(of: "/proc/self/statm"), pages.count > 1 {
      metrics += [
        .gauge(
          "process_virtual_memory_bytes",
          "Address space of the server in bytes.",
          pages[0] * page
        ),
        .gauge("process_resident_memory_bytes", "Memory of the server in bytes.", pages[1] * page),
      ]
    }
    if let open = openFiles() {
      metrics.append(.gauge("process_open_fds", "Files that the server has open.", open))
    }
    metrics.append(
      .gauge("process_max_fds", "Files that the server may have open.", OpenFiles.ofProcess().limit)
    )
    if let start = startTime() {
      metrics.append(
        .gauge(
          "process_start_time_seconds",
          "When the server was started, in seconds since 1970.",
          start
        )
      )
    }
    return metrics
  }

  /// The numbers of a file below `/proc`.
  private static func fields(of path: String) -> [Int]? {
    text(of: path)?.split(separator: " ").compactMap { Int($0) }
  }

  private static func text(of path: String) -> String? {
    guard let file = try? FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
    else { return nil }
    defer { try? file.close() }
    let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      count = (try? file.read(into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func openFiles() -> Int? {
    guard let folder = opendir("/proc/self/fd") else { return nil }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    // Without `.`, `..` and the folder itself.
    return count - 3
  }

  /// The time of the start: the 22nd field of `stat` has the ticks between the start of the system and that.
  private static func startTime() -> Double? {
    let line = text(of: "/proc/self/stat")?.split(separator: ")").last
    guard let ticks = line?.split(separator: " ").dropFirst(19).first.flatMap({ Double($0) })
    else { return nil }
    guard let now = seconds(of: CLOCK_REALTIME), let running = seconds(of: CLOCK_BOOTTIME)
    else { return nil }
    return now - running + ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  private static func seconds(of clock: clockid_t) -> Double? {
    var time = timespec()
    guard clock_gettime(clock, &time) == 0 else { return nil }
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

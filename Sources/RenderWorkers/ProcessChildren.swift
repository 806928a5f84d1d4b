internal import Glibc

/// The children of this process.
enum ProcessChildren {
  /// Current children that were adopted when their parent ended, and some that this process started, including zombies.
  ///
  /// The kernel gives orphans to the first thread of a process that is alive (`find_new_reaper` in
  /// kernel/exit.c), which is the main thread, and lists children by thread.
  ///
  /// - Complexity: O(children of the main thread); O(processes of the machine) on a kernel that does not
  ///   list children.
  static func withOrphans() -> Set<pid_t> {
    var information = siginfo_t()
    // The usual case, detected by one call.
    if waitid(P_ALL, 0, &information, WEXITED | WNOHANG | WNOWAIT) != 0, errno == ECHILD {
      return []
    }
    let process = getpid()
    guard let text = contents(of: "/proc/\(process)/task/\(process)/children") else {
      return searched()
    }
    return Set(
      text.split(separator: UInt8(ascii: " ")).compactMap {
        pid_t(String(decoding: $0, as: UTF8.self))
      }
    )
  }

  /// All children, by asking each process for its parent.
  private static func searched() -> Set<pid_t> {
    let parent = String(getpid())
    return Set(
      numbers(in: "/proc").filter { process in
        // The name, in parentheses, may contain anything; state and parent follow it.
        guard let text = contents(of: "/proc/\(process)/stat"),
          let name = text.lastIndex(of: UInt8(ascii: ")"))
        else { return false }
        let fields = text[(name + 1)...].split(separator: UInt8(ascii: " "), maxSplits: 2)
        return fields.count > 1 && String(decoding: fields[1], as: UTF8.self) == parent
      }
    )
  }

  /// The entries of a directory whose names are numbers.
  private static func numbers(in directory: String) -> [pid_t] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var numbers: [pid_t] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if let number = pid_t(name) { numbers.append(number) }
    }
    return numbers
  }

  /// A small file's bytes; nil when it cannot be read.
  private static func contents(of path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var portion = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(file, &portion, portion.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { return bytes }
      bytes += portion[..<count]
    }
  }
}

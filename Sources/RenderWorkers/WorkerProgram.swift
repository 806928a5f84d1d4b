public import DocumentModel
internal import Glibc
public import SystemPackage

/// Finds the worker program.
public enum WorkerProgram {
  /// The path of `recto-worker`: what `RECTO_WORKER` says, else beside the running program, else
  /// in `../libexec/recto` from there.
  ///
  /// - Throws: `fault` when none of the three is an executable file.
  public static func locate() throws(DocumentError) -> FilePath {
    if let named = getenv("RECTO_WORKER"), named.pointee != 0 {
      let path = FilePath(platformString: named)
      guard isExecutable(path) else {
        throw DocumentError(
          .fault,
          during: "find recto-worker",
          "RECTO_WORKER is not an executable file"
        )
      }
      return path
    }
    let folder = try programFolder()
    let candidates = [
      folder.appending("recto-worker"),
      folder.removingLastComponent().appending("libexec/recto/recto-worker"),
    ]
    for path in candidates where isExecutable(path) { return path }
    throw DocumentError(
      .fault,
      during: "find recto-worker",
      "not in \(candidates[0]) nor \(candidates[1]); RECTO_WORKER can name it"
    )
  }

  private static func programFolder() throws(DocumentError) -> FilePath {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    guard readlink("/proc/self/exe", &buffer, buffer.count - 1) > 0 else {
      throw DocumentError(.fault, during: "find recto-worker", String(cString: strerror(errno)))
    }
    return FilePath(platformString: buffer).removingLastComponent()
  }

  private static func isExecutable(_ path: FilePath) -> Bool {
    path.withPlatformString { access($0, X_OK) } == 0
      && (try? Stat(path, followTargetSymlink: true))?.type == .regular
  }
}

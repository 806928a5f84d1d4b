public import DocumentModel
internal import Glibc
public import SystemPackage

/// Finds the worker program.
public enum WorkerProgram {
  /// The path of `recto-worker`: from `RECTO_WORKER`, else next to the running program, else in
  /// `../libexec/recto` from there.
  ///
  /// - Throws: `fault` when none of the three is an executable file.
  public static func locate() throws(DocumentError) -> FilePath {
    try locate("recto-worker", variable: "RECTO_WORKER")
  }

  /// The path of a program that belongs to this one: from a variable, else next to the running program, else in
  /// `../libexec/recto` from there.
  ///
  /// - Throws: `fault` when none of the three is an executable file.
  package static func locate(
    _ name: String,
    variable: String
  ) throws(DocumentError) -> FilePath {
    if let named = getenv(variable), named.pointee != 0 {
      let path = FilePath(platformString: named)
      guard isExecutable(path) else {
        throw DocumentError(.fault, during: "find \(name)", "\(variable) is not an executable file")
      }
      return path
    }
    let folder = try programFolder(during: "find \(name)")
    let candidates = [
      folder.appending(name),
      folder.removingLastComponent().appending("libexec/recto").appending(name),
    ]
    for path in candidates where isExecutable(path) { return path }
    throw DocumentError(
      .fault,
      during: "find \(name)",
      "not in \(candidates[0]) nor \(candidates[1]); \(variable) can name it"
    )
  }

  private static func programFolder(during step: String) throws(DocumentError) -> FilePath {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    guard readlink("/proc/self/exe", &buffer, buffer.count - 1) > 0 else {
      throw DocumentError(.fault, during: step, String(cString: strerror(errno)))
    }
    return FilePath(platformString: buffer).removingLastComponent()
  }

  private static func isExecutable(_ path: FilePath) -> Bool {
    path.withPlatformString { access($0, X_OK) } == 0
      && (try? Stat(path, followTargetSymlink: true))?.type == .regular
  }
}

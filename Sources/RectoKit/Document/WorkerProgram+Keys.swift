internal import RectoBase
internal import RectoTiles
internal import RenderWorkers
internal import SystemPackage

extension WorkerProgram {
  /// What decides which drawing libraries the program at `path` loads: its own identity and that
  /// of the linker's list, which changes with every library that is installed or upgraded.
  static func key(of path: FilePath) -> CacheKey? {
    guard let worker = identity(path) else { return nil }
    return CacheKey.engine(worker: worker, libraries: identity("/etc/ld.so.cache"))
  }

  /// The program at `path`; nil when it cannot be seen.
  static func identity(_ path: FilePath) -> FileIdentity? {
    (try? Stat(path, followTargetSymlink: true)).map(FileIdentity.init)
  }
}

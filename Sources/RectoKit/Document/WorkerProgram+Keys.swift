internal import RectoBase
internal import RectoTiles
internal import RenderWorkers
internal import SystemPackage

extension WorkerProgram {
  /// The key of the drawing libraries that the program at `path` loads: from its own identity and
  /// that of the linker's list, which changes whenever a library is installed or upgraded.
  static func key(of path: FilePath) -> CacheKey? {
    guard let worker = identity(path) else { return nil }
    return CacheKey.engine(worker: worker, libraries: identity("/etc/ld.so.cache"))
  }

  /// The program at `path`; nil if its status cannot be read.
  static func identity(_ path: FilePath) -> FileIdentity? {
    (try? Stat(path, followTargetSymlink: true)).map(FileIdentity.init)
  }
}

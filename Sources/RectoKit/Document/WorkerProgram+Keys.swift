internal import FileSystem
internal import RenderWorkers
internal import SystemPackage
internal import Tiles

extension WorkerProgram {
  /// The program at `path` itself; nil when it cannot be seen. If contents identify documents, its
  /// contents identify the program, so that another machine has the same key; and the fonts of this
  /// machine are part of it, because documents do not embed all of theirs.
  static func programKey(of path: FilePath, _ settings: DocumentSettings) -> CacheKey? {
    guard settings.identity == .content, let cache = settings.cache else {
      return identity(path).map(CacheKey.program)
    }
    guard let file = try? OpenFile(path) else { return nil }
    let record = ContentRecord(file.identity, in: cache)
    if let known = record.contents { return .program(contents: known, fonts: fontsKey()) }
    guard let contents = try? file.contentsKey() else { return nil }
    // A failure to keep it is met again, and reported, when something else is kept.
    try? record.store(contents)
    return .program(contents: contents, fonts: fontsKey())
  }

  /// What decides which drawing libraries the program at `path` loads: its own identity and that
  /// of the linker's list, which changes with every library that is installed or upgraded.
  static func key(of path: FilePath) -> CacheKey? {
    guard let worker = identity(path) else { return nil }
    return CacheKey.engine(worker: worker, libraries: identity("/etc/ld.so.cache"))
  }

  private static func identity(_ path: FilePath) -> FileIdentity? {
    (try? Stat(path, followTargetSymlink: true)).map(FileIdentity.init)
  }
}

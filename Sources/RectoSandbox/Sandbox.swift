internal import CLinux
package import DocumentModel
internal import Glibc
package import SystemPackage

/// Restricts a process that works on a document, or connects to its server, to that work.
///
/// Set up in two steps, because some layers need a single-threaded process, and others one that has started all its
/// threads. Each layer is enabled if the kernel allows it; ``layers`` lists them.
package struct Sandbox: Sendable {
  /// The layers, in the order in which they were tried.
  package private(set) var layers: [SandboxLayer] = []
  private let filter: Result<SystemCallFilter, SandboxFailure>

  /// A variable for debugging, which lets the user trace the process.
  private static let visible = "RECTO_WORKER_VISIBLE"

  /// The first step, for a process with one thread: namespaces, files, privileges. Inherited by forks of the process.
  ///
  /// - Parameters:
  ///   - paths: Directories and files that can be read from now on.
  ///   - connects: Whether it connects to servers.
  package init(reading paths: [FilePath], connects: Bool = false) {
    filter = Result { () throws(SandboxFailure) in try SystemCallFilter(connecting: connects) }
    let hasLandlock = FileAccess.isAvailable
    add(.namespaces) { () throws(SandboxFailure) in
      try Namespaces.enter(hasMounts: !hasLandlock, connects: connects)
    }
    let hasMounts = !hasLandlock && layers[0].isInForce
    add(.files) { () throws(SandboxFailure) in
      guard hasMounts else {
        return "Landlock \(try FileAccess.restrict(toReading: paths, connects: connects))"
      }
      try PrivateRoot.enter(reading: paths)
      return "a root directory of its own, without Landlock"
    }
    add(.privileges) { () throws(SandboxFailure) in
      try SandboxFailure.check(recto_drop_privileges(), "prctl")
      try SandboxFailure.check(recto_drop_capabilities(), "capset")
      // New namespaces have this effect too.
      let isHidden = getenv(Self.visible) == nil
      try SandboxFailure.check(isHidden ? recto_hide_memory() : recto_show_memory(), "prctl")
      return "no capabilities, no new privileges" + (isHidden ? ", memory hidden" : "")
    }
  }

  /// The second step, for a process that no longer writes files or loads libraries: limits and system calls.
  ///
  /// - Parameter startsThreads: Whether libraries of the process start threads later on.
  package mutating func seal(startsThreads: Bool = false) {
    add(.limits) { () throws(SandboxFailure) in
      try ResourceLimits.set(allowingThreads: startsThreads)
      return "no files, no processes"
    }
    let filter = filter
    add(.calls) { () throws(SandboxFailure) in
      try filter.get().install(allowingThreads: startsThreads)
      return "seccomp"
    }
  }

  private mutating func add(
    _ kind: SandboxLayer.Kind,
    _ enter: () throws(SandboxFailure) -> String
  ) {
    do throws(SandboxFailure) {
      layers.append(SandboxLayer(kind, isInForce: true, try enter()))
    } catch {
      layers.append(SandboxLayer(kind, isInForce: false, "\(error)"))
    }
  }
}

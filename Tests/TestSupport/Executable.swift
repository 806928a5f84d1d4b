package import Foundation
internal import Glibc

/// Programs that tests write.
package enum Executable {
  /// Writes a script of the shell that can be run.
  ///
  /// - Throws: An error if it cannot be written.
  package static func write(_ script: String, to url: URL) throws {
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: url)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
    // A process that another test starts meanwhile has it open for writing until it runs its own program, and this one
    // could not be run ("Text file busy"). There is no lease for reading before (fcntl(2)).
    let file = open(url.path, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    while fcntl(file, 1024 /* F_SETLEASE */, Int32(F_RDLCK)) != 0, errno == EAGAIN { sched_yield() }
  }
}

package import Foundation

/// Programs that tests write.
package enum Executable {
  /// Writes a script of the shell that can be run.
  ///
  /// - Throws: An error if it cannot be written.
  package static func write(_ script: String, to url: URL) throws {
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: url)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
  }
}

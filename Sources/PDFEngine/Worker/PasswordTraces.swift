// SPDX-License-Identifier: GPL-2.0-or-later

internal import CLinux
internal import Glibc

/// Overwrites copies of a password in memory after a document was opened with it and before a page is read, as far as
/// they can be found.
enum PasswordTraces {
  /// Makes the allocator overwrite freed blocks. Call it before a document is opened.
  static func beginWiping() { _ = mallopt(M_PERTURB, 0xFF) }

  /// Stops that, after the password was released, and overwrites the stack below the caller.
  static func endWiping() {
    _ = mallopt(M_PERTURB, 0)
    recto_wipe_stack()
  }
}

// SPDX-License-Identifier: GPL-2.0-or-later

internal import CLinux
internal import Glibc

/// What a password leaves in memory when a document has been opened with it: overwritten before a page is looked at, as far
/// as it can be found.
enum PasswordTraces {
  /// Has the allocator overwrite each block that is freed, from before a document is opened.
  static func beginWiping() { _ = mallopt(M_PERTURB, 0xFF) }

  /// Ends that when nothing holds the password any more, and overwrites the stack below the caller.
  static func endWiping() {
    _ = mallopt(M_PERTURB, 0)
    recto_wipe_stack()
  }
}

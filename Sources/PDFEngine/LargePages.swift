// SPDX-License-Identifier: GPL-2.0-or-later

internal import CLinux
internal import Glibc

/// Memory in pages of 2 MB.
///
/// Fresh memory costs a page fault for each 4 KB, which takes longer than writing them: at 192 dpi this was half of the
/// time of a page of text. So the kernel is asked for larger pages, and to provide all of them at once.
enum LargePages {
  /// Bytes of a large page on x86-64, and on arm64 with pages of 4 KB.
  private static let size = 1 << 21

  /// Makes the kernel provide memory. Does nothing for less than a large page, for which the heap is fine.
  ///
  /// The kernel may ignore the advice and provide pages one by one.
  static func provide(_ start: UnsafeMutableRawPointer, _ count: Int) {
    guard count >= size else { return }
    let page = start.alignedDown(toMultipleOf: Int(getpagesize()))
    let length = count + (start - page)
    madvise(page, length, MADV_HUGEPAGE)
    madvise(page, length, MADV_POPULATE_WRITE)
  }
}

// SPDX-License-Identifier: GPL-2.0-or-later

internal import CLinux
internal import Glibc

/// Memory in pages of 2 MB.
///
/// Fresh memory costs a page fault for each 4 KB, which takes longer than to write them: at 192 dpi it was half of
/// the time that a page of text took. So the kernel is asked for larger pages, and to provide all at once.
enum LargePages {
  /// Bytes of a large page on x86-64, and on arm64 with pages of 4 KB.
  private static let size = 1 << 21

  /// Has the kernel provide memory. Less than a large page is left as it is: the heap serves that well.
  ///
  /// It is advice: where the kernel does not take it, pages come one by one.
  static func provide(_ start: UnsafeMutableRawPointer, _ count: Int) {
    guard count >= size else { return }
    let page = start.alignedDown(toMultipleOf: Int(getpagesize()))
    let length = count + (start - page)
    madvise(page, length, MADV_HUGEPAGE)
    madvise(page, length, MADV_POPULATE_WRITE)
  }
}

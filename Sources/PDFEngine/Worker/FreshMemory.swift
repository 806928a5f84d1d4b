// SPDX-License-Identifier: GPL-2.0-or-later

internal import CLinux
internal import Glibc

/// Where the blocks of a worker come from, and of a template so that its copies allocate in memory of their own.
///
/// A copy shares all pages with the template until it writes to them; each first write costs a page
/// fault and a copy of the page. The free blocks that the template's work has left are scattered over
/// many pages, so a worker that uses them copies most of these pages for a few bytes each. Here they are
/// taken away, and the heap is made to end with untouched memory for which the kernel is asked to use
/// large pages: what a small document needs then costs a few page faults instead of several hundred.
enum FreshMemory {
  /// Bytes of a large page on x86-64, and on arm64 with pages of 4 KB. Where they are larger, the advice
  /// has no effect.
  private static let largePage = 1 << 21
  /// Bytes of large pages at the end of the heap.
  private static let reserve = 3 * largePage
  /// From this size on, a block is a mapping of its own: files of fonts and pixels of small pictures are
  /// not.
  private static let mappingThreshold = Int32(2 * largePage)
  /// Free memory at the end of the heap that is kept.
  private static let trimThreshold = Int32(8 * largePage)

  /// Has blocks such as the pixels of a tile come from the heap, which keeps their memory for the next one.
  ///
  /// The C library raises these limits by itself as blocks are freed, but no longer once a program has set any
  /// limit. Each tile would then be a mapping of its own, which the kernel clears and provides page by page.
  static func reuseBlocks() {
    _ = mallopt(M_MMAP_THRESHOLD, mappingThreshold)
    _ = mallopt(M_TRIM_THRESHOLD, trimThreshold)
  }

  /// Prepares the heap. What it takes away is never freed.
  static func prepare() {
    _ = mallopt(M_MMAP_THRESHOLD, trimThreshold)
    takeFreeBlocks()
    extend()
    _ = mallopt(M_MMAP_THRESHOLD, mappingThreshold)
  }

  /// Allocates all free blocks in front of the end of the heap, the largest first.
  private static func takeFreeBlocks() {
    guard let end = malloc(largePage) else { return }
    // Blocks that nothing refers to would be optimized away.
    var last: UnsafeMutableRawPointer?
    var size = largePage / 2
    while size >= 16 {
      while let block = malloc(size) {
        guard block < end else {
          free(block)
          break
        }
        block.storeBytes(of: last, as: UnsafeMutableRawPointer?.self)
        last = block
      }
      size = size > 1024 ? size * 7 / 8 : size - 16
    }
    keep(last)
    // Not freed: small blocks behind it are kept for reuse.
    keep(end)
  }

  /// Has the end of the heap begin where a large page can, beyond all that has been touched.
  private static func extend() {
    guard let probe = malloc(16), let touched = sbrk(0) else { return }
    let start = (Int(bitPattern: touched) + largePage) & ~(largePage - 1)
    keep(probe)
    guard let filler = malloc(start - Int(bitPattern: probe) - 64) else { return }
    keep(filler)
    // The C library writes behind a block.
    guard let rest = malloc(reserve + largePage) else { return }
    keep(rest)
    madvise(UnsafeMutableRawPointer(bitPattern: start), reserve, MADV_HUGEPAGE)
    free(rest)
  }

  /// Has the compiler take a block for one that is used.
  private static func keep(_ block: UnsafeMutableRawPointer?) { madvise(block, 0, MADV_NORMAL) }
}

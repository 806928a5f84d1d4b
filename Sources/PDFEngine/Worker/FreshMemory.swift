// SPDX-License-Identifier: GPL-2.0-or-later

internal import CLinux
internal import Glibc

/// Configures the allocator of a worker, and of a template, so that its copies allocate in fresh memory.
///
/// A fork shares all pages with the template until it writes to them; each first write costs a page fault and a copy of
/// the page. The template's free blocks are scattered over many pages, so a worker that uses them copies most of these
/// pages for a few bytes each. So they are allocated, and the heap is extended by untouched memory, with large pages if
/// possible: a small document then costs a few page faults instead of several hundred.
enum FreshMemory {
  /// Bytes of a large page on x86-64, and on arm64 with pages of 4 KB. If they are larger, the advice has no effect.
  private static let largePage = 1 << 21
  /// Bytes of large pages at the end of the heap.
  private static let reserve = 3 * largePage
  /// From this size on, a block gets its own mapping; font files and small pictures do not.
  private static let mappingThreshold = Int32(2 * largePage)
  /// Free memory at the end of the heap that is kept.
  private static let trimThreshold = Int32(8 * largePage)

  /// Allocates blocks such as the pixels of a tile on the heap, which keeps their memory for the next one.
  ///
  /// The C library raises these limits itself as blocks are freed, but not after a program has set any limit. Each tile
  /// would then get its own mapping, which the kernel clears and provides page by page.
  static func reuseBlocks() {
    _ = mallopt(M_MMAP_THRESHOLD, mappingThreshold)
    _ = mallopt(M_TRIM_THRESHOLD, trimThreshold)
  }

  /// Prepares the heap. The blocks that it allocates are never freed.
  static func prepare() {
    _ = mallopt(M_MMAP_THRESHOLD, trimThreshold)
    takeFreeBlocks()
    extend()
    _ = mallopt(M_MMAP_THRESHOLD, mappingThreshold)
  }

  /// Allocates all free blocks before the end of the heap, the largest first.
  private static func takeFreeBlocks() {
    guard let end = malloc(largePage) else { return }
    // Blocks without references would be optimized away.
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
    // Not freed: small blocks after it are kept for reuse.
    keep(end)
  }

  /// Moves the end of the heap to the start of a large page, beyond all touched memory.
  private static func extend() {
    guard let probe = malloc(16), let touched = sbrk(0) else { return }
    let start = (Int(bitPattern: touched) + largePage) & ~(largePage - 1)
    keep(probe)
    guard let filler = malloc(start - Int(bitPattern: probe) - 64) else { return }
    keep(filler)
    // The C library writes after a block.
    guard let rest = malloc(reserve + largePage) else { return }
    keep(rest)
    madvise(UnsafeMutableRawPointer(bitPattern: start), reserve, MADV_HUGEPAGE)
    free(rest)
  }

  /// Keeps the compiler from removing a block.
  private static func keep(_ block: UnsafeMutableRawPointer?) { madvise(block, 0, MADV_NORMAL) }
}

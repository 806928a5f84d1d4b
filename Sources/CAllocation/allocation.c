// Functions in place of the C library's of these names: a process without memory ends, and images lie in large pages.
//
// FreeType and poppler go on without the glyph or the font that there was no memory for, and say nothing of it: the page
// would be shown without it, and stay so in the cache. A worker ends instead, and the page is drawn by another or reported.
//
// The image of a scan takes 33 MB, which the C library asks of the kernel anew for each page. The kernel provides it in
// pages of 4 KB, which takes longer than to fill them, unless it is asked for large ones.

#include "allocation.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

// The sanitizers have functions of their own.
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)

// The names that the library keeps for those who replace the functions.
extern void *__libc_malloc(size_t count);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t count);
extern void __libc_free(void *memory);

// What a page may expect to get. What a document claims to need beyond that is refused to it alone: the libraries check
// such sizes.
enum { largest_ordinary = 256 << 20 };

// A large page, and what is asked for in large pages: not less than two of them, nor more than any image takes.
enum { large_page = 2 << 20, least_large = 2 * large_page, most_large = 64 << 20 };

// What is in large pages. No more than two blocks are at a time: a document can have many images of which little is used,
// such as groups inside each other, and each use of a large page takes all of it.
static _Atomic(uintptr_t) large_blocks[2];
enum { large_block_count = sizeof large_blocks / sizeof *large_blocks };

// Has the kernel provide the large pages inside memory. It is advice, so a failure has no effect.
static void *in_large_pages(void *memory, size_t count) {
  if (count < least_large || count > most_large || !memory) return memory;
  for (int i = 0; i < large_block_count; i++) {
    uintptr_t none = 0;
    if (!atomic_compare_exchange_strong(&large_blocks[i], &none, (uintptr_t)memory)) continue;
    int error = errno;
    uintptr_t start = ((uintptr_t)memory + large_page - 1) & -(uintptr_t)large_page;
    uintptr_t end = ((uintptr_t)memory + count) & -(uintptr_t)large_page;
    madvise((void *)start, end - start, MADV_HUGEPAGE);
    errno = error;
    break;
  }
  return memory;
}

// Takes note that memory is given back.
static void leave_large_pages(void *memory) {
  for (int i = 0; i < large_block_count; i++) {
    uintptr_t block = (uintptr_t)memory;
    if (atomic_load_explicit(&large_blocks[i], memory_order_relaxed) == block && block) {
      atomic_compare_exchange_strong(&large_blocks[i], &block, 0);
    }
  }
}

void *malloc(size_t count) {
  void *memory = __libc_malloc(count);
  if (!memory && count <= largest_ordinary) abort();
  return in_large_pages(memory, count);
}

void *calloc(size_t count, size_t size) {
  void *memory = __libc_calloc(count, size);
  if (!memory && (!size || count <= largest_ordinary / size)) abort();
  return in_large_pages(memory, count * size);
}

void free(void *memory) {
  leave_large_pages(memory);
  __libc_free(memory);
}

void *realloc(void *old, size_t count) {
  leave_large_pages(old);
  void *memory = __libc_realloc(old, count);
  // Of no bytes, it is given back.
  if (!memory && count && count <= largest_ordinary) abort();
  return memory;
}

#endif

// Replaces the C library's functions: ends the process when memory runs out, and puts images into huge pages.
//
// When an allocation fails, FreeType and poppler omit the glyph or font without an error, and the cache would store an
// incomplete page. Instead, the worker ends, and another draws the page or reports it.
//
// The image of a scan takes 33 MB, which the C library maps again for each page. By default the kernel maps pages of 4
// KB, which takes longer than filling them; huge pages avoid this.

#include "allocation.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

// The sanitizers have their own functions.
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)

// The C library's functions under their internal names.
extern void *__libc_malloc(size_t count);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t count);
extern void __libc_free(void *memory);

// Larger allocations may fail without ending the process: documents claim such sizes, and the libraries check the
// result.
enum { largest_ordinary = 256 << 20 };

// The size of a huge page, and the limits of blocks in huge pages: at least two pages, at most the largest image.
enum { large_page = 2 << 20, least_large = 2 * large_page, most_large = 64 << 20 };

// The blocks in huge pages, at most two: a document can have many sparsely used images, such as nested groups, and any
// use of a huge page allocates all of it.
static _Atomic(uintptr_t) large_blocks[2];
enum { large_block_count = sizeof large_blocks / sizeof *large_blocks };

// Advises the kernel to use huge pages in a block. A failure has no effect.
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

// Removes a block that is freed.
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
  // With a count of 0, realloc frees the memory.
  if (!memory && count && count <= largest_ordinary) abort();
  return memory;
}

#endif

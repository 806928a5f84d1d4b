// Functions in place of the C library's of these names: a process without memory ends.
//
// FreeType and poppler go on without the glyph or the font that there was no memory for, and say nothing of it: the page
// would be shown without it, and stay so in the cache. A worker ends instead, and the page is drawn by another or reported.

#include "allocation.h"

#include <stdint.h>
#include <stdlib.h>

// The sanitizers have functions of their own.
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)

// The names that the library keeps for those who replace the functions.
extern void *__libc_malloc(size_t count);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t count);

// What a page may expect to get. What a document claims to need beyond that is refused to it alone: the libraries check
// such sizes.
enum { largest_ordinary = 256 << 20 };

void *malloc(size_t count) {
  void *memory = __libc_malloc(count);
  if (!memory && count <= largest_ordinary) abort();
  return memory;
}

void *calloc(size_t count, size_t size) {
  void *memory = __libc_calloc(count, size);
  if (!memory && (!size || count <= largest_ordinary / size)) abort();
  return memory;
}

void *realloc(void *old, size_t count) {
  void *memory = __libc_realloc(old, count);
  // Of no bytes, it is given back.
  if (!memory && count && count <= largest_ordinary) abort();
  return memory;
}

#endif

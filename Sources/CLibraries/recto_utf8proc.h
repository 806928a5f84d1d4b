#pragma once

#include <dlfcn.h>
#include <utf8proc.h>

/// The function of utf8proc that is used. The library is loaded when the first non-ASCII character is compared, not at
/// program start, because many searches have none.
struct recto_utf8proc {
  __typeof__(&utf8proc_decompose_char) decompose;
};

/// Whether the function was found. Debian 13 has version 3 of the library, Debian 12 version 2; the
/// function is the same.
static inline _Bool recto_load_utf8proc(struct recto_utf8proc *functions) {
  void *library = dlopen("libutf8proc.so.3", RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen("libutf8proc.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!library) return 0;
  functions->decompose =
      (__typeof__(&utf8proc_decompose_char))dlsym(library, "utf8proc_decompose_char");
  return functions->decompose != 0;
}

#ifndef PAGE_LAYOUT_MODULE_H
#define PAGE_LAYOUT_MODULE_H

#include <stddef.h>

/// The layout engine for browsers (docs/WASM.md), as scripts/wasm has made it before this was compiled: pagelayout.wasm,
/// compressed with gzip.
///
/// @param count The number of its bytes; 0 if there was none.
const unsigned char *page_layout_module(size_t *count);

#endif

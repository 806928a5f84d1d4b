#include "page_layout_module.h"

#if __has_embed("../../.build/wasm/pagelayout.wasm.gz")
#pragma clang diagnostic ignored "-Wc23-extensions"
// An array in Swift with as many elements would take the compiler minutes.
static const unsigned char bytes[] = {
#embed "../../.build/wasm/pagelayout.wasm.gz"
};
static const size_t length = sizeof bytes;
#else
static const unsigned char bytes[1];
static const size_t length = 0;
#endif

const unsigned char *page_layout_module(size_t *count) {
  *count = length;
  return bytes;
}

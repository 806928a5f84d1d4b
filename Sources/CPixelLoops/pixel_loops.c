#include "pixel_loops.h"

// Not with sanitizers: they run before the functions that select a version can.
#if defined(__x86_64__) && !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
#define FOR_PROCESSORS __attribute__((target_clones("avx2", "default")))
#else
#define FOR_PROCESSORS
#endif

FOR_PROCESSORS
void recto_add_weighted(uint32_t *restrict sums, const uint8_t *restrict bytes, uint32_t weight, long count) {
  for (long index = 0; index < count; index++) sums[index] += bytes[index] * weight;
}

FOR_PROCESSORS
void recto_round_sums(uint16_t *restrict values, const uint32_t *restrict sums, long count) {
  // At most 255 * 65,536 + 128.
  for (long index = 0; index < count; index++) values[index] = (uint16_t)((sums[index] + 128) >> 8);
}

FOR_PROCESSORS
void recto_gather_weighted(uint8_t *restrict pixels, const uint16_t *restrict values, const int32_t *restrict first,
                           const int32_t *restrict bounds, const uint32_t *restrict weights, long count) {
  for (long index = 0; index < count; index++) {
    // Including rounding: at most 255 * 2^24 + 2^23.
    uint32_t sums[4] = {1 << 23, 1 << 23, 1 << 23, 1 << 23};
    const uint16_t *pixel = values + 4L * first[index];
    for (int32_t tap = bounds[index]; tap < bounds[index + 1]; tap++, pixel += 4)
      for (int channel = 0; channel < 4; channel++) sums[channel] += pixel[channel] * weights[tap];
    for (int channel = 0; channel < 4; channel++) pixels[4 * index + channel] = (uint8_t)(sums[channel] >> 24);
  }
}

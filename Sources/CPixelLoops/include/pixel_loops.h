#pragma once

// Loops over pixels, compiled for several kinds of processor; the best version is selected at program start. Swift does
// not support this.

#include <stdint.h>

/// Adds `count` bytes times a weight to `count` sums.
void recto_add_weighted(uint32_t *sums, const uint8_t *bytes, uint32_t weight, long count);

/// Rounds `count` sums, whose weights add up to 65,536, to 16-bit numbers with the byte value in the upper half.
void recto_round_sums(uint16_t *values, const uint32_t *sums, long count);

/// Makes `count` pixels of four bytes, each a weighted sum of pixels of four 16-bit numbers.
///
/// Pixel `i` has the weights from `bounds[i]` up to `bounds[i + 1]`, which add up to 65,536, for pixels from `first[i]`
/// on.
void recto_gather_weighted(uint8_t *pixels, const uint16_t *values, const int32_t *first, const int32_t *bounds,
                           const uint32_t *weights, long count);

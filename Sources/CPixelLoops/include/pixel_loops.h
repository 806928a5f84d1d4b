#pragma once

// Loops over pixels that are compiled for several kinds of processor; the best one for this machine is taken when the
// program starts. Swift has no way to ask for that.

#include <stdint.h>

/// Adds `count` bytes, each times a weight, to as many sums.
void recto_add_weighted(uint32_t *sums, const uint8_t *bytes, uint32_t weight, long count);

/// Rounds `count` sums to numbers of 16 bits, of which the upper half are whole bytes: sums whose weights are 65,536
/// together.
void recto_round_sums(uint16_t *values, const uint32_t *sums, long count);

/// Makes `count` pixels of four bytes, each of them a sum of pixels of four 16-bit numbers times weights.
///
/// Pixel `i` has the weights from `bounds[i]` up to `bounds[i + 1]`, 65,536 together, for pixels from `first[i]` on.
void recto_gather_weighted(uint8_t *pixels, const uint16_t *values, const int32_t *first, const int32_t *bounds,
                           const uint32_t *weights, long count);

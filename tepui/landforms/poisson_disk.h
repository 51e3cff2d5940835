#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/vec.h"

namespace tepui {

/// Of many candidates, some of which no two are closer than `spacing` metres, and of which every candidate has one that
/// close: a Poisson-disk distribution. Indices, rising.
///
/// Candidates are decided one after the other, each kept unless one that was kept before is nearer than `spacing`: by
/// the colour of the block they lie in, of which there are eight so that blocks of one colour never touch, and within a
/// block by `priority`, the least first. So blocks of one colour are decided side by side, and the same are kept for
/// any number of threads. Blocks are cubes of 8 / sqrt(3) spacings, counted from the world's origin: what is kept
/// depends on candidates within a few blocks alone. Priorities differ, as hashes do; of equal ones the first is taken.
std::vector<uint32_t> poisson_disk(std::span<const Vec3> candidates, std::span<const uint64_t> priority, double spacing,
                                   const Context& context);

/// The block of a place, and its colour from 0 to 7.
struct PoissonBlock {
  int64_t x = 0, y = 0, z = 0;
  int colour() const { return static_cast<int>((x & 1) | (y & 1) << 1 | (z & 1) << 2); }
};
PoissonBlock poisson_block(Vec3 at, double spacing);

}  // namespace tepui

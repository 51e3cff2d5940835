#pragma once  // internal

#include <cstdint>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/cover/scatter_ground.h"
#include "tepui/cover/scatter_params.h"

namespace tepui {

/// Candidates of all species, those of one after those of another, as columns. Lengths in hundredths of a metre.
struct ScatterCandidates {
  std::vector<int64_t> x, y;
  std::vector<int32_t> height, crown;
  std::vector<uint32_t> chance;
  std::vector<uint64_t> key;         ///< for further draws
  std::vector<size_t> species_ends;  ///< of each species, where its candidates end

  size_t size() const { return x.size(); }
};

/// The streams of draws of all species, each by its name, and how many of that name come before it.
std::vector<Stream> scatter_streams(const ScatterParams& params);

/// Where they could stand.
ScatterCandidates scatter_candidates(const ScatterGround& ground, const ScatterParams& params, const Context& context);

/// How much wider or narrower a crown is than its height says, at most.
inline constexpr double crown_spread = 0.15;

/// Side of the squares in which candidates are drawn, in metres.
inline constexpr int scatter_square = 8;

}  // namespace tepui

#pragma once  // internal

#include <cstdint>
#include <vector>

namespace tepui {

/// A position of the sun, made ready for many samples.
struct LitPosition {
  float east, north, up, beam;
  float tangent, per_width;  ///< of its elevation; 1 over how wide its edge is
  float rest;                ///< of the way from horizon `sector` to the next
  int sector;
};

struct LitDay {
  std::vector<LitPosition> positions;
  float share, per_step, diffuse;
};

/// One row of samples: what it sees, and its sunlight.
struct SunRow {
  const float* horizon[25];
  const float *dx, *dy, *sky;
  float *year, *longest, *shortest;
  int64_t width;
};

/// The light of every sample of a row.
void light_row(const std::vector<LitDay>& days, const SunRow& row);

}  // namespace tepui

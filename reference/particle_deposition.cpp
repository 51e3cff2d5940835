#include "reference/particle_deposition.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tepui/generate/particle_pile.h"

namespace tepui::reference {

namespace {

/// The cubic B-spline's kernel.
double kernel(double d) {
  d = std::abs(d);
  if (d < 1) return (4 - 6 * d * d + 3 * d * d * d) / 6;
  return d < 2 ? (2 - d) * (2 - d) * (2 - d) / 6 : 0;
}

/// At a place in grains.
double spline(const Grid<int32_t>& counts, double x, double y) {
  const auto i0 = static_cast<int64_t>(std::floor(x)), j0 = static_cast<int64_t>(std::floor(y));
  double sum = 0;
  for (int64_t j = j0 - 1; j <= j0 + 2; ++j)
    for (int64_t i = i0 - 1; i <= i0 + 2; ++i)
      sum += kernel(x - static_cast<double>(i)) * kernel(y - static_cast<double>(j)) *
             counts(std::clamp<int64_t>(i, 0, counts.width() - 1), std::clamp<int64_t>(j, 0, counts.height() - 1));
  return sum;
}

}  // namespace

Grid<int32_t> pile_particles(const Frame& world, const ParticleDepositionParams& params) {
  const GrainLattice lattice = grain_lattice(world, params);
  Grid<int32_t> counts(lattice.width, lattice.height, 0);
  ParticleDrops drops(world, params, Context());
  const Stream stream = params.seed.stream("particle_deposition");
  for (int64_t particle = 0; particle < params.particles; ++particle) {
    auto [x, y] = drops.drop(particle);
    ParticleWay way(stream, particle);
    for (;;) {
      std::vector<ParticleDrops::Node> lower;
      for (int n = 0; n < 8; ++n) {
        const int64_t i = x + neighbour_x[n], j = y + neighbour_y[n];
        if (i < 0 || j < 0 || i >= lattice.width || j >= lattice.height) continue;
        if (counts(i, j) < counts(x, y)) lower.push_back({i, j});
      }
      if (lower.empty()) break;
      way.next();
      const ParticleDrops::Node next = lower[way.choose(static_cast<unsigned>(lower.size()))];
      if (way.sticks(stick_threshold(params.stickiness)) && counts(x, y) - counts(next.x, next.y) < steep) break;
      x = next.x;
      y = next.y;
    }
    ++counts(x, y);
  }
  return counts;
}

Terrain particle_deposition(const Frame& world, const ParticleDepositionParams& params) {
  const Grid<int32_t> counts = reference::pile_particles(world, params);
  double low = spline(counts, 0, 0), high = low;
  for (int64_t y = 0; y < counts.height(); ++y)
    for (int64_t x = 0; x < counts.width(); ++x) {
      const double z = spline(counts, static_cast<double>(x), static_cast<double>(y));
      low = std::min(low, z);
      high = std::max(high, z);
    }
  const double grain = params.grain.in(world), height = params.height.in(world);
  Grid<float> z(world.width, world.height, 0.0f);
  for (int64_t y = 0; y < world.height && high > low; ++y)
    for (int64_t x = 0; x < world.width; ++x)
      z(x, y) = static_cast<float>((spline(counts, static_cast<double>(world.first_x + x) * world.cell.x / grain,
                                           static_cast<double>(world.first_y + y) * world.cell.y / grain) -
                                    low) /
                                   (high - low) * height);
  return Terrain(world, {0, height}, std::move(z));
}

}  // namespace tepui::reference

#include "tepui/generate/particle_deposition.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "tepui/core/parallel.h"
#include "tepui/generate/particle_pile.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

/// The four nodes around a place along one axis, those beyond the ends repeated, and the cubic B-spline's weights.
struct Taps {
  std::array<int64_t, 4> node;
  std::array<double, 4> weight;

  Taps(double place, int64_t count) {
    const double whole = std::floor(place), t = place - whole, s = 1 - t;
    for (int64_t n = 0; n < 4; ++n)
      node[static_cast<size_t>(n)] = std::clamp<int64_t>(static_cast<int64_t>(whole) - 1 + n, 0, count - 1);
    weight = {s * s * s / 6, (4 - 6 * t * t + 3 * t * t * t) / 6, (4 - 6 * s * s + 3 * s * s * s) / 6, t * t * t / 6};
  }
};

/// The spline over the counts.
class Surface {
 public:
  explicit Surface(const Grid<int32_t>& counts) : counts_(counts) {}

  /// A row of nodes, blended across y.
  void blend_rows(const Taps& y, std::vector<double>& row) const {
    row.resize(static_cast<size_t>(counts_.width()));
    for (int64_t x = 0; x < counts_.width(); ++x) {
      double sum = 0;
      for (size_t n = 0; n < 4; ++n) sum += y.weight[n] * static_cast<double>(counts_(x, y.node[n]));
      row[static_cast<size_t>(x)] = sum;
    }
  }
  static double at(const std::vector<double>& row, const Taps& x) {
    double sum = 0;
    for (size_t n = 0; n < 4; ++n) sum += x.weight[n] * row[static_cast<size_t>(x.node[n])];
    return sum;
  }

  struct Span {
    double low, high;
  };
  /// On the nodes.
  Span range(const Context& context) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return parallel_reduce(
        counts_.height(), rows_per_chunk(counts_.width()), context, Span{infinity, -infinity},
        [&](int64_t begin, int64_t end) {
          Span span{infinity, -infinity};
          std::vector<double> row;
          for (int64_t y = begin; y < end; ++y) {
            blend_rows(Taps(static_cast<double>(y), counts_.height()), row);
            for (int64_t x = 0; x < counts_.width(); ++x) {
              const double z = at(row, Taps(static_cast<double>(x), counts_.width()));
              span = {std::min(span.low, z), std::max(span.high, z)};
            }
          }
          return span;
        },
        [](Span a, Span b) {
          return Span{std::min(a.low, b.low), std::max(a.high, b.high)};
        });
  }

 private:
  const Grid<int32_t>& counts_;
};

}  // namespace

Terrain particle_deposition(const Frame& world, const ParticleDepositionParams& params, const Context& context) {
  const GrainLattice lattice = grain_lattice(world, params);
  const Grid<int32_t> counts = pile_particles(world, params, context.stage("particles", 0, 0.95));
  const Surface surface(counts);
  const auto [low, high] = surface.range(context.stage("measure", 0.95, 0.96));
  const double height = params.height.in(world), scale = high > low ? height / (high - low) : 0;
  Grid<float> z(world.width, world.height);
  std::vector<Taps> columns;
  for (int64_t x = 0; x < world.width; ++x)
    columns.emplace_back(static_cast<double>(world.first_x + x) * world.cell.x / lattice.grain, counts.width());
  parallel_chunks(world.height, rows_per_chunk(world.width), context.stage("sample", 0.96, 1),
                  [&, base = low](int64_t begin, int64_t end) {
                    std::vector<double> row;
                    for (int64_t y = begin; y < end; ++y) {
                      const double place = static_cast<double>(world.first_y + y) * world.cell.y / lattice.grain;
                      surface.blend_rows(Taps(place, counts.height()), row);
                      for (int64_t x = 0; x < world.width; ++x)
                        z(x, y) = to_cell((Surface::at(row, columns[static_cast<size_t>(x)]) - base) * scale);
                    }
                  });
  return Terrain(world, {0, height}, std::move(z));
}

}  // namespace tepui

#include "tepui/erode/stream_rock.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

constexpr double log_10 = 2.302585092994046;
constexpr double decades = 1.2;     // between soft and hard rock
constexpr double never_from = 0.9;  // resistance from which it approaches 0 faster
constexpr double soft_to = 0.3, hard_from = 0.8;
constexpr double hardest_slope = 4.7046301094784546;  // tan 78 degrees
constexpr double erodibility_decades = 0.3, talus_share = 0.45, weak_talus_share = 0.35;
// As shares of the world: 900 m and 250 m of 8 km.
constexpr double erodibility_scale = 0.1125, talus_scale = 0.03125;

/// Places of the nodes of a row, in metres.
void row_places(const Lattice& lattice, const DisplacedNodes* nodes, int64_t y, std::vector<double>& xs,
                std::vector<double>& ys) {
  for (int64_t x = 0; x < lattice.width; ++x) {
    const Vec2 d = nodes == nullptr ? Vec2{} : nodes->displacement(x, y);
    xs[static_cast<size_t>(x)] = lattice.origin.x + (static_cast<double>(x) + d.x) * lattice.cell.x;
    ys[static_cast<size_t>(x)] = lattice.origin.y + (static_cast<double>(y) + d.y) * lattice.cell.y;
  }
}

}  // namespace

StreamRock::StreamRock(const Geology* rock, double talus, double variety, double size, Stream draws)
    : rock_(rock), talus_(talus), variety_(variety) {
  if (!(variety > 0)) return;
  NoiseSpec spec;
  spec.octaves = 4;
  spec.scale = erodibility_scale * size;
  spec.key = draws.bits(0, 1);
  erodibility_.emplace(spec);
  spec.scale = talus_scale * size;
  spec.key = draws.bits(0, 2);
  slopes_.emplace(spec);
}

double StreamRock::softness_of(double resistance) {
  if (resistance >= 1) return 0;
  const double end = std::min(1.0, (1 - resistance) / (1 - never_from));
  return math::exp(-decades * log_10 * resistance) * end;
}

double StreamRock::steepest_of(double resistance, double factor) const {
  if (resistance >= 1) return std::numeric_limits<double>::infinity();
  const double soft = talus_ * factor, share = math::smoothstep(0, 1, (resistance - soft_to) / (hard_from - soft_to));
  return soft + share * (std::max(hardest_slope, soft) - soft);
}

StreamRock::Variety StreamRock::variety(const Lattice& lattice, const DisplacedNodes* nodes,
                                        const Context& context) const {
  Variety out;
  if (!erodibility_) return out;
  const int64_t w = lattice.width;
  out.erodibility = Grid<float>(w, lattice.height), out.talus = Grid<float>(w, lattice.height);
  parallel_chunks(lattice.height, rows_per_chunk(w), context, [&](int64_t begin, int64_t end) {
    const auto n = static_cast<size_t>(w);
    std::vector<double> xs(n), ys(n);
    for (int64_t y = begin; y < end; ++y) {
      row_places(lattice, nodes, y, xs, ys);
      erodibility_->points(xs, ys, {out.erodibility.row(y), n});
      slopes_->points(xs, ys, {out.talus.row(y), n});
      for (int64_t x = 0; x < w; ++x) {
        const double weak = variety_ * static_cast<double>(out.erodibility(x, y));
        const double steep = variety_ * static_cast<double>(out.talus(x, y));
        out.erodibility(x, y) = static_cast<float>(math::exp(erodibility_decades * log_10 * weak));
        // Where rock is weak, whole mountains stand less steep.
        out.talus(x, y) = static_cast<float>(std::max(0.1, 1 + talus_share * steep - weak_talus_share * weak));
      }
    }
  });
  return out;
}

void StreamRock::apply(const Lattice& lattice, const DisplacedNodes* nodes, const Grid<float>& height,
                       const Variety& variety, StreamGround& ground, const Context& context) const {
  const int64_t w = lattice.width, h = lattice.height;
  const bool varied = !variety.talus.empty();
  if (ground.softness.empty()) ground.softness = Grid<float>(w, h), ground.steepest = Grid<float>(w, h);
  if (ground.mobility.empty()) ground.mobility = Grid<float>(w, h);
  parallel_chunks(h, rows_per_chunk(w), context, [&](int64_t begin, int64_t end) {
    const auto n = static_cast<size_t>(w);
    std::vector<double> xs(n), ys(n), zs(n);
    std::vector<float> rho(n);
    for (int64_t y = begin; y < end; ++y) {
      row_places(lattice, nodes, y, xs, ys);
      for (size_t x = 0; x < n; ++x) zs[x] = static_cast<double>(height.row(y)[x]);
      rock_->resistance({xs.data(), ys.data(), zs.data(), w}, rho.data());
      for (int64_t x = 0; x < w; ++x) {
        const double r = static_cast<double>(rho[static_cast<size_t>(x)]);
        const double soft = softness_of(r);
        const double k = varied ? static_cast<double>(variety.erodibility(x, y)) : 1;
        const double t = varied ? static_cast<double>(variety.talus(x, y)) : 1;
        const bool fixed = !ground.fixed.empty() && ground.fixed(x, y) != 0;
        ground.softness(x, y) = static_cast<float>(soft * k);
        ground.steepest(x, y) = fixed ? std::numeric_limits<float>::infinity() : static_cast<float>(steepest_of(r, t));
        ground.mobility(x, y) = fixed || ground.kind(x, y) == WaterCell::sea ? 0.0f : static_cast<float>(soft);
      }
    }
  });
}

void StreamRock::apply_once(const Lattice& lattice, Variety variety, StreamGround& ground,
                            const Context& context) const {
  const int64_t w = lattice.width, h = lattice.height;
  const bool varied = !variety.talus.empty();
  ground.softness = std::move(variety.erodibility);
  ground.steepest = varied ? std::move(variety.talus) : Grid<float>(w, h, 1.0f);
  const bool still =
      !ground.fixed.empty() || std::ranges::find(ground.kind.cells(), WaterCell::sea) != ground.kind.cells().end();
  if (still) ground.mobility = Grid<float>(w, h, 1.0f);
  parallel_chunks(h, rows_per_chunk(w), context, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * w; i < end * w; ++i) {
      const bool fixed = !ground.fixed.empty() && ground.fixed.data()[i] != 0;
      ground.steepest.data()[i] =
          fixed ? std::numeric_limits<float>::infinity() : static_cast<float>(talus_) * ground.steepest.data()[i];
      if (fixed || ground.kind.data()[i] == WaterCell::sea) ground.mobility.data()[i] = 0;
    }
  });
}

void StreamRock::hold_hardest(const Lattice& lattice, const DisplacedNodes* nodes, const Grid<float>& start,
                              const Grid<float>& raised, Grid<float>& alluvium, Grid<float>& height,
                              const Context& context) const {
  if (rock_ == nullptr) return;
  const int64_t w = lattice.width;
  parallel_chunks(lattice.height, rows_per_chunk(w), context, [&](int64_t begin, int64_t end) {
    const auto n = static_cast<size_t>(w);
    std::vector<double> xs(n), ys(n), zs(n);
    std::vector<float> before(n), after(n);
    const auto read = [&](const Grid<float>& at, int64_t y, std::vector<float>& rho) {
      for (size_t x = 0; x < n; ++x) zs[x] = static_cast<double>(at.row(y)[x]);
      rock_->resistance({xs.data(), ys.data(), zs.data(), w}, rho.data());
    };
    for (int64_t y = begin; y < end; ++y) {
      row_places(lattice, nodes, y, xs, ys);
      read(start, y, before), read(raised, y, after);
      for (size_t x = 0; x < n; ++x) {
        if (!(before[x] >= 1 && after[x] >= 1)) continue;
        float& z = height.row(y)[x];
        const float up = raised.row(y)[x];
        z = alluvium.empty() ? up : up + std::clamp(z - up, 0.0f, alluvium.row(y)[x]);
        if (!alluvium.empty()) alluvium.row(y)[x] = 0;
      }
    }
  });
}

}  // namespace tepui

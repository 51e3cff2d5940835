#include "tepui/render/ground/inland_water.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <vector>

#include "tepui/core/parallel.h"
#include "tepui/terrain/min_max.h"

namespace tepui {

namespace {

/// Banks are told how high they are this many samples from the water.
constexpr int bank_samples = 8;
/// How far the level falls below that of the water over a bank, and on all other land below the ground, in shares of
/// the land's range of heights: beyond what any bank looks wet.
constexpr double bank_fall = 0.04, dry_fall = 0.06;
constexpr float unknown = std::numeric_limits<float>::lowest();

double between(const Grid<float>& grid, double u, double v) {
  u = std::clamp(u, 0.0, static_cast<double>(grid.width() - 1));
  v = std::clamp(v, 0.0, static_cast<double>(grid.height() - 1));
  const auto x = static_cast<int64_t>(u), y = static_cast<int64_t>(v);
  const int64_t x1 = std::min(x + 1, grid.width() - 1), y1 = std::min(y + 1, grid.height() - 1);
  const double s = u - static_cast<double>(x), t = v - static_cast<double>(y);
  const auto along = [&](int64_t row) {
    const double a = static_cast<double>(grid(x, row));
    return a + s * (static_cast<double>(grid(x1, row)) - a);
  };
  const double a = along(y);
  return a + t * (along(y1) - a);
}

const Layer* numbers(const Terrain& land, const char* name) {
  const Layer* layer = land.find(name);
  return layer != nullptr && layer->kind == LayerKind::continuous ? layer : nullptr;
}

/// The level that the layers tell at a sample, wet or dry.
struct ToldLevel {
  const Grid<float>*level = nullptr, *depth = nullptr, *ground = nullptr;

  float at(int64_t x, int64_t y) const {
    const float z = (*ground)(x, y);
    const float told = level != nullptr ? (*level)(x, y) : z + std::max((*depth)(x, y), 0.0f);
    return std::isfinite(told) ? told : z;
  }
  bool wet(int64_t x, int64_t y) const { return at(x, y) > (*ground)(x, y); }
};

/// Calls act(x, y, distance) for the neighbours of a sample.
template <class Act>
void for_each_neighbour(const Grid<float>& grid, int64_t x, int64_t y, const Act& act) {
  for (int64_t j = std::max<int64_t>(y - 1, 0); j <= std::min(y + 1, grid.height() - 1); ++j)
    for (int64_t i = std::max<int64_t>(x - 1, 0); i <= std::min(x + 1, grid.width() - 1); ++i)
      if (i != x || j != y) act(i, j, i != x && j != y ? 1.41421356f : 1.0f);
}

/// Fills in the surface of the water and its level at the samples beside it. Whether there is any.
bool add_water(const ToldLevel& told, Grid<float>& level, const Context& context) {
  std::atomic<bool> any = false;
  parallel_chunks(level.height(), 16, context, [&](int64_t begin, int64_t end) {
    bool some = false;
    for (int64_t y = begin; y < end; ++y)
      for (int64_t x = 0; x < level.width(); ++x) {
        const float z = (*told.ground)(x, y), own = told.at(x, y);
        level(x, y) = unknown;
        if (own > z) {
          level(x, y) = own;
          some = true;
          continue;
        }
        double sum = 0;
        int wet = 0;
        for_each_neighbour(level, x, y, [&](int64_t i, int64_t j, float) {
          if (!told.wet(i, j)) return;
          sum += static_cast<double>(told.at(i, j));
          ++wet;
        });
        if (wet == 0) continue;
        // A level that is the ground's own says nothing; the water beside it does.
        level(x, y) = own < z ? own : std::min(z, static_cast<float>(sum / wet));
      }
    if (some) any = true;
  });
  return any;
}

struct Place {
  int64_t x, y;
};

/// Takes the level of the water up the banks, falling ever faster, so that a wet strip along the shore ends smoothly.
void add_banks(const Grid<float>& ground, Grid<float>& level, double relief) {
  Grid<float> away(level.width(), level.height(), std::numeric_limits<float>::max());
  std::vector<Place> ring, next;
  for (int64_t y = 0; y < level.height(); ++y)
    for (int64_t x = 0; x < level.width(); ++x)
      if (level(x, y) != unknown) {
        away(x, y) = level(x, y) > ground(x, y) ? 0.0f : 1.0f;
        if (away(x, y) > 0) ring.push_back({x, y});
      }
  Grid<float> water = level.clone();  // without the fall
  for (int step = 1; step < bank_samples; ++step) {
    next.clear();
    for (const Place& p : ring)
      for_each_neighbour(level, p.x, p.y, [&](int64_t i, int64_t j, float far) {
        const float reach = away(p.x, p.y) + far;
        if (reach >= away(i, j) || away(i, j) <= 1) return;
        if (water(i, j) == unknown) next.push_back({i, j});
        away(i, j) = reach;
        water(i, j) = water(p.x, p.y);
      });
    std::swap(ring, next);
    for (const Place& p : ring) {
      const double part = static_cast<double>(away(p.x, p.y) - 1) / (bank_samples - 1);
      // Dry land below the water's level lies behind a dam, and is no bank.
      if (water(p.x, p.y) <= ground(p.x, p.y))
        level(p.x, p.y) = static_cast<float>(static_cast<double>(water(p.x, p.y)) - bank_fall * relief * part * part);
    }
  }
}

}  // namespace

bool tells_of_water(const Layer& layer) { return layer.name == "water" || layer.name == "water_level"; }

InlandWater::InlandWater(const Terrain& land, const Context& context) {
  const Layer *height = land.find("height"), *level = numbers(land, "water_level"), *depth = numbers(land, "water");
  if (height == nullptr || (level == nullptr && depth == nullptr)) return;
  const ToldLevel told{level != nullptr ? &level->grid() : nullptr, depth != nullptr ? &depth->grid() : nullptr,
                       &height->grid()};
  const Grid<float>& ground = height->grid();
  Grid<float> out(ground.width(), ground.height());
  if (out.empty() || !add_water(told, out, context)) return;
  const MinMax range = min_max(ground, context);
  const double relief = std::max(static_cast<double>(range.high) - static_cast<double>(range.low), 1e-3);
  add_banks(ground, out, relief);
  const auto fall = static_cast<float>(dry_fall * relief);
  parallel_chunks(out.height(), 64, context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y)
      for (int64_t x = 0; x < out.width(); ++x)
        if (out(x, y) == unknown) out(x, y) = ground(x, y) - fall;
  });
  level_ = std::make_shared<const Grid<float>>(std::move(out));
  ground_ = height->data;
}

double InlandWater::level_at(double u, double v) const { return between(*level_, u, v); }

double InlandWater::over_ground(double u, double v) const { return between(*level_, u, v) - between(*ground_, u, v); }

}  // namespace tepui

#include "tepui/landforms/hoodoo_places.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/core/random.h"
#include "tepui/landforms/feature.h"

namespace tepui {

namespace {

enum Channel : uint64_t { of_chance, of_height };

double sheet_height(const HeightSheet& sheet, double x, double y) {
  double h = 0;
  sheet.heights(&x, &y, 1, &h);
  return h;
}

/// How much a place stands out over the ground around it, in metres a metre: above 0 on fins and ridges, below in
/// gullies.
double standing(const HeightSheet& ground, Vec3 at, double radius) {
  constexpr int around = 8;
  double sum = 0;
  for (int i = 0; i < around; ++i) {
    const double angle = 2 * math::pi * i / around;
    sum += sheet_height(ground, at.x + radius * math::cos(angle), at.y + radius * math::sin(angle));
  }
  return (sheet_height(ground, at.x, at.y) - sum / around) / radius;
}

/// The highest hard rock at or not far below an elevation; the same where all of it is alike.
double on_hard_bed(const Geology& rock, Vec3 foot, double top) {
  constexpr double step = 0.3, hard = 0.5;
  const double lowest = std::max(top - 5, foot.z + 0.5 * (top - foot.z));
  for (double z = top; z >= lowest; z -= step)
    if (static_cast<double>(rock.resistance({foot.x, foot.y, z})) >= hard) return z;
  return top;
}

bool stands_here(const HoodooGround& ground, const HoodooSpot& spot, const Stream& draws) {
  double chance = spot.weight;
  if (ground.ground != nullptr && ground.ridges > 0) {
    const double out = math::smoothstep(-0.1, 0.15, standing(*ground.ground, spot.at, 1.5 * ground.spacing));
    chance *= std::clamp(1 + ground.ridges * (1.5 * out - 1.5), 0.0, 1.0);
  }
  return draws.uniform(0, of_chance) < chance;
}

/// How steep ground is, metres a metre; overhangs count as steep.
double tilt_of(Vec3 normal) { return std::sqrt(std::max(1 - normal.z * normal.z, 0.0)) / std::max(normal.z, 0.3); }

/// What grows at a spot, if there is room for it under the bound.
bool plant(const HoodooGround& ground, const HoodooSpot& spot, Seedling& seedling) {
  seedling.key = key_at(ground.key, spot.at);
  seedling.factor = ground.width;
  const Stream draws(seedling.key);
  if (!stands_here(ground, spot, draws)) return false;
  seedling.bound = ground.highest;
  if (ground.plateau != nullptr)
    seedling.bound = std::min(seedling.bound, sheet_height(*ground.plateau, spot.at.x, spot.at.y));
  seedling.foot = spot.at;
  seedling.top = spot.at.z + ground.height.high;
  const double size = axiom_size(ground.rules, ground.rock, seedling);
  // Into the ground, so that the side that faces the valley has a foot, too.
  seedling.foot.z -= 0.3 + 0.8 * size * tilt_of(spot.normal);
  // The fields of the topmost points need room beneath the bound.
  const double room = std::min(ground.height.high, seedling.bound - 2 * size - spot.at.z);
  if (room < ground.height.low) return false;
  const double least = ground.height.low + 0.3 * (room - ground.height.low);
  seedling.top = spot.at.z + draws.uniform(0, of_height, least, room);
  if (ground.rests_on_hard) seedling.top = on_hard_bed(ground.rock, seedling.foot, seedling.top);
  return true;
}

}  // namespace

std::vector<Seedling> seedlings_at(const HoodooGround& ground, const std::vector<HoodooSpot>& spots,
                                   const Context& context) {
  std::vector<Seedling> all(spots.size());
  std::vector<uint8_t> grows(spots.size(), 0);
  parallel_chunks(static_cast<int64_t>(spots.size()), 64, context, [&](int64_t begin, int64_t end) {
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
      grows[i] = plant(ground, spots[i], all[i]) ? 1 : 0;
  });
  std::vector<Seedling> list;
  for (size_t i = 0; i < all.size(); ++i)
    if (grows[i] != 0) list.push_back(all[i]);
  return list;
}

}  // namespace tepui

#include "tepui/landforms/arch_places.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/landforms/feature.h"

namespace tepui {

namespace {

constexpr Vec3 up{0, 0, 1}, down{0, 0, -1};
/// How far arches look up and down.
constexpr double far_up = 400;
/// What a metre of thickness costs, in resistance.
constexpr double thickness_cost = 0.03;

/// Rock between air and air along a level way.
struct Fin {
  Vec3 near{}, far{};                      ///< its faces
  Vec3 through{};                          ///< from the one to the other, of unit length
  double near_ground = 0, far_ground = 0;  ///< elevation of the ground in front of them
  double thickness = 0;
};

/// The lowest ground near the foot of a face, which may bulge or have a heap of its own.
std::optional<double> ground_in_front(const RockBits& bits, Vec3 face, Vec3 out) {
  std::optional<double> lowest;
  for (const double far : {2.9, 5.0, 7.1}) {
    const Vec3 from = face + out * (far * bits.cell());
    if (bits.rock(from)) break;
    const double drop = bits.to_rock(from, down, far_up);
    if (drop < far_up) lowest = std::min(lowest.value_or(from.z), from.z - drop);
  }
  return lowest;
}

std::optional<Fin> fin_at(const RockBits& bits, Vec3 wall, Vec3 inwards, const ArchNeeds& needs) {
  Fin fin;
  fin.near = wall;
  fin.through = inwards;
  fin.thickness = bits.thickness(wall, inwards, needs.thickness + 1);
  if (fin.thickness <= 2 * bits.cell() || fin.thickness > needs.thickness) return std::nullopt;
  fin.far = wall + inwards * fin.thickness;
  const Vec3 back = inwards * -1;
  if (bits.free_air(wall, back, needs.air) < needs.air || bits.free_air(fin.far, inwards, needs.air) < needs.air)
    return std::nullopt;
  const auto near_ground = ground_in_front(bits, fin.near, back), far_ground = ground_in_front(bits, fin.far, inwards);
  if (!near_ground || !far_ground) return std::nullopt;
  fin.near_ground = *near_ground;
  fin.far_ground = *far_ground;
  return fin;
}

/// Elevation of the lowest top of the fin over a width, where all of it is rock down to the floor; none where it is
/// not, or where one cannot see through a little beside it either.
std::optional<double> lowest_top(const RockBits& bits, Vec3 middle, Vec3 along, double half, double floor) {
  double lowest = 1e300;
  const int steps = std::max(2, static_cast<int>(std::ceil(2 * half / 1.5)));
  for (int i = 0; i <= steps; ++i) {
    const Vec3 at = middle + along * (half * (2.0 * i / steps - 1));
    const Vec3 foot{at.x, at.y, floor + 1};
    if (!bits.rock(foot)) return std::nullopt;
    lowest = std::min(lowest, foot.z + bits.to_air(foot, up, far_up));
  }
  return lowest;
}

/// The widest opening that leaves a roof and something to stand on.
bool fit(const RockBits& bits, Vec3 middle, Vec3 along, double floor, const ArchNeeds& needs, ArchShape& shape) {
  shape.noise = needs.noise;
  for (double width = needs.width.high; width >= needs.width.low; width *= 0.85) {
    const double pier = std::max(3.0, 0.25 * width);
    const auto top = lowest_top(bits, middle, along, 0.5 * width + pier, floor);
    if (!top) continue;
    shape.width = width;
    const double roof = std::max(needs.roof, 0.2 * width);
    shape.height = std::min(0.75 * width, (*top - roof - floor) / highest_vault(shape));
    if (shape.height >= 0.35 * width) return true;
  }
  return false;
}

}  // namespace

std::optional<ArchChoice> arch_through(const RockBits& bits, const Geology& rock, Vec3 wall, Vec3 inwards,
                                       const ArchNeeds& needs) {
  const auto fin = fin_at(bits, wall, inwards, needs);
  if (!fin) return std::nullopt;
  const double floor = std::max(fin->near_ground, fin->far_ground);
  const Vec3 middle = (fin->near + fin->far) * 0.5;
  const Vec3 along{-inwards.y, inwards.x, 0};
  ArchChoice choice;
  if (!fit(bits, middle, along, floor, needs, choice.shape)) return std::nullopt;
  // The faces are rough and may lean: the opening begins and ends in the air.
  const double beyond = 2.5 + 0.25 * fin->thickness;
  const Vec3 begin = fin->near - inwards * beyond, end = fin->far + inwards * beyond;
  choice.shape.way = {{begin.x, begin.y, floor}, {middle.x, middle.y, floor}, {end.x, end.y, floor}};
  choice.at = {middle.x, middle.y, floor};
  choice.shape.key = key_at(needs.key, choice.at);
  choice.score = static_cast<double>(rock.resistance(middle)) + thickness_cost * fin->thickness;
  return choice;
}

std::vector<ArchChoice> find_arches(const RockBits& bits, const Geology& rock, const std::vector<SurfaceSample>& walls,
                                    const ArchNeeds& needs, double spacing, const Context& context) {
  std::vector<std::optional<ArchChoice>> found(walls.size());
  parallel_chunks(static_cast<int64_t>(walls.size()), 64, context, [&](int64_t begin, int64_t end) {
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
      const Vec3 level{-walls[i].normal.x, -walls[i].normal.y, 0};
      if (const double far = length(level); far > 0.5)
        found[i] = arch_through(bits, rock, walls[i].at, level * (1 / far), needs);
    }
  });
  std::vector<ArchChoice> list;
  for (auto& choice : found)
    if (choice) list.push_back(std::move(*choice));
  std::ranges::stable_sort(list, {}, &ArchChoice::score);
  std::vector<ArchChoice> chosen;
  for (const ArchChoice& choice : list)
    if (std::ranges::none_of(chosen, [&](const ArchChoice& other) { return length(other.at - choice.at) < spacing; }))
      chosen.push_back(choice);
  return chosen;
}

std::optional<ArchChoice> arch_at(const RockBits& bits, const Geology& rock, Vec3 at, const ArchNeeds& needs) {
  constexpr int directions = 24;
  std::optional<ArchChoice> best;
  for (int i = 0; i < directions; ++i) {
    const double angle = math::pi * i / directions;
    const Vec3 way{math::cos(angle), math::sin(angle), 0};
    const double back = bits.rock(at) ? bits.to_air(at, way * -1, needs.thickness) : 0;
    ArchNeeds here = needs;
    here.air = 2;
    auto choice = arch_through(bits, rock, at - way * back, way, here);
    if (choice && (!best || choice->score < best->score)) best = std::move(choice);
  }
  return best;
}

std::vector<ArchChoice> bridges_along(const RockBits& bits, const Geology& rock, std::span<const Vec3> line,
                                      const ArchNeeds& needs) {
  std::vector<ArchChoice> bridges;
  std::vector<Vec3> way;
  std::vector<double> tops;
  const auto finish = [&] {
    if (way.size() >= 2) {
      // Faces lean: the roof counts over the middle half of the way.
      const size_t quarter = tops.size() / 4;
      double top = 1e300;
      for (size_t i = quarter; i < tops.size() - quarter; ++i) top = std::min(top, tops[i]);
      ArchChoice bridge;
      bridge.shape.noise = needs.noise;
      bridge.shape.width = needs.width.low;
      const double lowest = way[way.size() / 2].z;
      for (double width = needs.width.high; width >= needs.width.low; width *= 0.85) {
        bridge.shape.width = width;
        const double roof = std::max(needs.roof, 0.2 * width);
        bridge.shape.height = std::min(0.75 * width, (top - roof - lowest) / highest_vault(bridge.shape));
        if (bridge.shape.height >= 0.35 * width) break;
      }
      if (bridge.shape.height >= 0.35 * bridge.shape.width) {
        bridge.shape.way = way;
        bridge.at = way[way.size() / 2];
        bridge.shape.key = key_at(needs.key, bridge.at);
        bridge.score = static_cast<double>(rock.resistance(bridge.at));
        bridges.push_back(std::move(bridge));
      }
    }
    way.clear();
    tops.clear();
  };
  Vec3 before{};
  bool any = false;
  for (size_t i = 0; i + 1 < line.size(); ++i) {
    const Vec3 d = line[i + 1] - line[i];
    const double far = length(d);
    const int steps = std::max(1, static_cast<int>(std::ceil(far)));
    for (int k = i == 0 ? 0 : 1; k <= steps; ++k) {
      const Vec3 at = line[i] + d * (static_cast<double>(k) / steps);
      const Vec3 above = at + up * (2 + 0.2 * needs.width.low);
      if (bits.rock(above)) {
        if (way.empty() && any) way.push_back(before);
        way.push_back(at);
        tops.push_back(above.z + bits.to_air(above, up, far_up));
      } else if (!way.empty()) {
        way.push_back(at);
        finish();
      }
      before = at;
      any = true;
    }
  }
  way.clear();  // A way that ends in the rock leads nowhere.
  return bridges;
}

}  // namespace tepui

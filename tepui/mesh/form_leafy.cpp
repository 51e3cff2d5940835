#include <algorithm>
#include <array>
#include <cmath>

#include "tepui/core/math.h"
#include "tepui/mesh/form_builder.h"
#include "tepui/mesh/forms.h"

// Crowns made of clumps of leaves: a trunk, limbs that reach into the clumps, and on each clump's shell many small
// folded leaves, which stand for sprays of them. In winter sprays of twigs take their place.

namespace tepui {

namespace {

/// A clump of leaves.
struct Clump {
  Vec3 centre, radii;
};

/// What tells a species from another.
struct Growth {
  double bare;       ///< height of the lowest clump's middle
  double fork;       ///< height where the trunk divides
  double trunk;      ///< radius at the foot
  double flat;       ///< a clump's height over its width
  double size;       ///< a clump's radius over the crown's
  int clumps;        ///< of the best detail
  double hang;       ///< how far leaves hang rather than stand out
  double crown_top;  ///< where the crown is widest, as a share of its height
  double leaf;       ///< size of leaves, 1 is usual
};

Growth growth_of(Species species, int form) {
  // Trees of an open place have low crowns, those of a wood high ones.
  static constexpr std::array<double, species_forms> higher{0, -0.03, 0.09, 0.04, -0.05, -0.02};
  const double up = higher[static_cast<size_t>(form)];

  switch (species) {
    case Species::pine:
      return {0.50 + up, 0.56 + up, 0.016, 0.62, 0.40, 22, -0.1, 0.42, 0.85};
    case Species::birch:
      return {0.24 + up, 0.55, 0.012, 0.95, 0.46, 20, 0.55, 0.30, 0.85};
    case Species::acacia:
      return {0.80, 0.30, 0.026, 0.30, 0.30, 22, 0.0, 0.75, 0.8};
    case Species::shrub:
      return {0.30, 0.06, 0.020, 0.85, 0.42, 14, 0.0, 0.35, 1.25};
    default:
      return {0.27 + up, 0.32 + up, 0.024, 0.80, 0.38, 28, 0.15, 0.42, 1.0};
  }
}

struct Foliage {
  Tint inner, outer, bark, limb;
  bool bare = false;
};

Foliage summer_leaves(Species species) {
  switch (species) {
    case Species::pine:
      return {{0.026, 0.040, 0.020}, {0.075, 0.112, 0.048}, {0.095, 0.070, 0.055}, {0.24, 0.115, 0.055}};
    case Species::birch:
      return {{0.042, 0.066, 0.022}, {0.105, 0.158, 0.052}, {0.62, 0.60, 0.56}, {0.30, 0.26, 0.23}};
    case Species::acacia:
      return {{0.050, 0.058, 0.026}, {0.112, 0.130, 0.056}, {0.105, 0.082, 0.064}, {0.115, 0.092, 0.075}};
    case Species::shrub:
      return {{0.040, 0.052, 0.022}, {0.105, 0.126, 0.050}, {0.085, 0.066, 0.05}, {0.095, 0.074, 0.058}};
    default:
      return {{0.030, 0.052, 0.018}, {0.082, 0.136, 0.040}, {0.105, 0.088, 0.072}, {0.115, 0.096, 0.080}};
  }
}

/// By season; every form has its own yellow, orange or red.
Foliage foliage_of(const FormRequest& request) {
  Foliage leaves = summer_leaves(request.species);
  const bool falls = request.species != Species::pine;
  if (!falls || request.season == Season::summer) return leaves;
  const auto f = static_cast<size_t>(request.form);
  if (request.season == Season::winter) {
    leaves.bare = request.species != Species::acacia;
    leaves.inner = blend(leaves.limb, {0.09, 0.075, 0.062}, 0.5);
    leaves.outer = request.species == Species::birch ? Tint{0.14, 0.095, 0.082} : Tint{0.155, 0.125, 0.10};
    if (!leaves.bare) leaves.outer = {0.12, 0.118, 0.055};
  } else if (request.season == Season::spring) {
    leaves.inner = blend(leaves.inner, {0.075, 0.105, 0.025}, 0.6);
    leaves.outer = blend(leaves.outer, {0.20, 0.27, 0.065}, 0.6);
  } else {
    static constexpr std::array<Tint, species_forms> woods{{{0.235, 0.150, 0.046},
                                                            {0.180, 0.096, 0.042},
                                                            {0.265, 0.192, 0.062},
                                                            {0.165, 0.118, 0.050},
                                                            {0.195, 0.078, 0.040},
                                                            {0.140, 0.128, 0.046}}};
    const Tint turned = request.species == Species::birch ? Tint{0.320, 0.232, 0.062} : woods[f];
    const double share = request.species == Species::acacia ? 0.35 : request.species == Species::shrub ? 0.75 : 0.92;
    leaves.outer = blend(leaves.outer, turned, share);
    leaves.inner = blend(leaves.inner, turned * 0.42, share);
  }
  return leaves;
}

/// Where the leaves are, from the crown's shell inwards.
std::vector<Clump> clumps_of(const FormRequest& request, const Growth& g, Draws& draw) {
  const double radius = form_radius(request.species, request.form), size = g.size * radius;
  const double half = 0.5 * (1 - g.bare), old = 0.8 + 0.08 * request.form;
  std::vector<Clump> clumps;
  constexpr double golden = 2.399963229728653;
  const double turn = draw(0, 2 * math::pi), leans = draw(0, 2 * math::pi), split = draw(0, 2 * math::pi);
  for (int i = 0; i < g.clumps; ++i) {
    const double share = (i + 0.5) / g.clumps, height = 1 - 0.62 * size * g.flat - share * 2 * half * 0.92;
    const double level = std::clamp((height - g.bare) / (2 * half), 0.0, 1.0);
    // Round the height where the crown is widest.
    const double off =
        level > g.crown_top ? (level - g.crown_top) / (1 - g.crown_top) : (g.crown_top - level) / g.crown_top * 0.8;
    const double wide = std::sqrt(std::max(0.0, 1 - off * off));
    const double angle = turn + golden * i + draw(-0.4, 0.4),
                 lopsided = 1 + 0.16 * math::cos(angle - leans) + 0.12 * math::cos(2 * angle - split),
                 out = std::max(0.0, radius * wide * lopsided * draw(0.7, 1.1) - 0.75 * size);
    const double big = size * draw(0.75, 1.3) * (request.species == Species::pine ? old : 1.0);
    clumps.push_back({{out * math::cos(angle), out * math::sin(angle), height + draw(-0.04, 0.04) * half},
                      {big, big, big * g.flat * draw(0.85, 1.15)}});
  }
  return clumps;
}

/// An umbrella of flat clumps on one level, a few above.
std::vector<Clump> umbrella(const FormRequest& request, const Growth& g, Draws& draw) {
  const double radius = form_radius(request.species, request.form);
  std::vector<Clump> clumps;
  constexpr double golden = 2.399963229728653;
  for (int i = 0; i < g.clumps; ++i) {
    const double out = radius * std::sqrt((i + 0.3) / g.clumps) * draw(0.8, 0.98), angle = golden * i + draw(-0.3, 0.3),
                 share = out / radius;
    const double big = g.size * radius * draw(0.75, 1.25);
    clumps.push_back({{(out - 0.15 * big) * math::cos(angle), (out - 0.15 * big) * math::sin(angle),
                       0.93 - 0.16 * share * share + draw(-0.05, 0.04)},
                      {big, big, big * g.flat}});
  }
  return clumps;
}

void add_leaves(FormBuilder& to, const Clump& clump, int count, const Growth& g, const Foliage& leaves,
                const Vec3& crown, Draws& draw) {
  const Vec3 r = clump.radii;
  // So large that they cover the shell more than once.
  const double area = 4 * math::pi * math::pow(r.x * r.y * r.z, 2.0 / 3),
               leaf = 1.25 * g.leaf * std::sqrt(area / std::max(count, 1));
  for (int i = 0; i < count; ++i) {
    Vec3 way = draw.direction();
    if (way.z < -0.65) way.z = -way.z;
    way = unit_or_up(way);
    const double deep = draw(0, 1), share = 0.62 + 0.38 * std::sqrt(deep);
    const Vec3 at = clump.centre + Vec3{way.x * r.x, way.y * r.y, way.z * r.z} * share;
    const Vec3 shell = unit_or_up({way.x / r.x, way.y / r.y, way.z / r.z});
    const Vec3 soft = unit_or_up(shell * 0.75 + unit_or_up(at - crown) * 0.45 + Vec3{0, 0, 0.15});
    const Vec3 turned = draw.direction();
    Vec3 along = unit_or_up(cross(shell, turned) + shell * draw(0.05, 0.75) - Vec3{0, 0, g.hang});
    const Vec3 across = unit_or_up(cross(along, unit_or_up(shell + draw.direction() * 0.45)));
    const double size = leaf * draw(0.7, 1.25), light = draw(0.8, 1.2);
    const double depth = 0.35 + 0.65 * deep;
    FormBuilder::Card card{at - along * (0.5 * size),
                           along * size,
                           across * (0.55 * size),
                           soft,
                           blend(leaves.inner, leaves.outer, 0.75 * depth) * light,
                           blend(leaves.inner, leaves.outer, depth) * light,
                           0.9};
    if (leaves.bare) {
      card.foot = at - along * (0.9 * size);
      card.along = along * (1.7 * size);
      card.across = across * (0.035 * size + 0.0015);
      card.holds = 0.5;
    }
    leaves.bare ? to.card(card) : to.spray(card);
  }
}

/// A limb from the trunk's fork into a clump, bent upwards.
void add_limb(FormBuilder& to, Vec3 from, const Clump& clump, double radius, int sides, int steps,
              const Foliage& leaves) {
  const Vec3 end = clump.centre,
             middle{0.5 * (from.x + end.x) + 0.12 * (end.x - from.x), 0.5 * (from.y + end.y) + 0.12 * (end.y - from.y),
                    from.z + 0.42 * (end.z - from.z)};
  std::vector<FormBuilder::Ring> rings;
  for (int k = 0; k <= steps; ++k) {
    const double s = static_cast<double>(k) / steps, q = 1 - s;
    rings.push_back(
        {from * (q * q) + middle * (2 * s * q) + end * (s * s), k == steps ? 0 : radius * (1 - 0.75 * s), leaves.limb});
  }
  to.tube(rings, sides);
}

}  // namespace

void grow_leafy(FormBuilder& to, const FormRequest& request) {
  const Growth g = growth_of(request.species, request.form);
  const Foliage leaves = foliage_of(request);
  const FormDetail detail = request.detail;
  Draws places(0x6c656166 + 64 * static_cast<uint64_t>(request.form) + 7 * static_cast<uint64_t>(request.species));
  std::vector<Clump> clumps =
      request.species == Species::acacia ? umbrella(request, g, places) : clumps_of(request, g, places);
  const double crooked = request.species == Species::birch || request.species == Species::pine ? 0.012 : 0.03;
  const Vec3 fork{places(-crooked, crooked), places(-crooked, crooked), g.fork}, top = clumps.front().centre;
  Draws draw(0x6c747265 + 64 * static_cast<uint64_t>(request.form) + static_cast<uint64_t>(detail));

  const int sides = by_detail(detail, 3, 4, 6, 8);
  if (request.species != Species::shrub)
    to.tube({{{0, 0, -0.02}, g.trunk * 1.35, leaves.bark * 0.85},
             {fork * 0.25, g.trunk, leaves.bark},
             {fork, 0.72 * g.trunk, blend(leaves.bark, leaves.limb, 0.6)},
             {top, 0, leaves.limb}},
            sides);
  const auto limbs = static_cast<size_t>(by_detail(detail, leaves.bare ? 4 : 0, leaves.bare ? 9 : 5, 14, 40));
  for (size_t i = 1; i < clumps.size() && i <= limbs; ++i) {
    const double at = std::min(g.fork + 0.55 * std::max(0.0, clumps[i].centre.z - 0.12 - g.fork), 0.9);
    const double share = g.fork < at ? (at - g.fork) / std::max(0.1, top.z - g.fork) : 0;
    const Vec3 from = fork + (top - fork) * std::min(share, 0.8);
    add_limb(to, from, clumps[i], 0.42 * g.trunk * (1 - 0.4 * share), by_detail(detail, 3, 3, 3, 5),
             by_detail(detail, 1, 2, 3, 5), leaves);
  }
  const Vec3 crown{top.x * 0.3, top.y * 0.3, 0.5 * (g.bare + 1) - 0.12};
  if (detail == FormDetail::coarse && !leaves.bare) {
    // Few large balls.
    for (size_t i = 0; i < clumps.size(); i += (clumps.size() + 3) / 4)
      to.core(clumps[i].centre * 1.0, clumps[i].radii * 1.5, blend(leaves.inner, leaves.outer, 0.5));
    return;
  }
  const int all = leaves.bare ? by_detail(detail, 12, 130, 600, 3600) : by_detail(detail, 12, 75, 400, 3400);
  for (const Clump& clump : clumps) {
    if (!leaves.bare && detail != FormDetail::coarse) to.core(clump.centre, clump.radii * 0.5, leaves.inner * 0.7);
    add_leaves(to, clump, std::max(1, all / static_cast<int>(clumps.size())), g, leaves, crown, draw);
  }
}

void grow_dead(FormBuilder& to, const FormRequest& request) {
  const Tint grey{0.23, 0.215, 0.20}, dark{0.12, 0.105, 0.095};
  Draws draw(0x64656164 + 64 * static_cast<uint64_t>(request.form));
  const FormDetail detail = request.detail;
  const int sides = by_detail(detail, 3, 5, 7, 10), branches = by_detail(detail, 8, 28, 75, 240);
  const double lean = draw(-0.04, 0.04), radius = form_radius(Species::dead, request.form);
  const auto stem = [&](double h) { return Vec3{lean * h * h, 0.4 * lean * h, h}; };
  // Half of them have lost their tops.
  const bool broken = request.form % 2 == 1;
  to.tube({{stem(-0.02), 0.026, dark},
           {stem(0.3), 0.020, grey},
           {stem(0.7), broken ? 0.017 : 0.011, grey},
           {stem(broken ? 0.94 : 0.99), broken ? 0.010 : 0, grey}},
          sides);
  if (broken) to.card({stem(0.92), {0.004, 0.002, 0.08}, {0.011, 0, 0}, {0.7, 0, 0.7}, grey, grey, 0.5});
  for (int i = 0; i < branches; ++i) {
    const double h = draw(0.22, broken ? 0.88 : 0.96), angle = draw(0, 2 * math::pi),
                 length = radius * 1.4 * (1.1 - h) * draw(0.25, 1.3) + 0.02;
    const Vec3 out{math::cos(angle), math::sin(angle), 0},
        from = stem(h), end = from + out * length + Vec3{0, 0, length * draw(-0.55, 0.25)};
    const double thick = 0.0014 + 0.020 * length * draw(0.5, 1);
    if (detail == FormDetail::close || detail == FormDetail::fine)
      to.tube(
          {{from, thick, dark}, {(from + end) * 0.5 + Vec3{0, 0, 0.08 * length}, 0.6 * thick, grey}, {end, 0, grey}},
          3);
    else
      to.card({from,
               end - from,
               {-out.y * 2 * thick, out.x * 2 * thick, 0},
               unit_or_up(out + Vec3{0, 0, 1}),
               dark,
               grey,
               0.7});
  }
}

}  // namespace tepui

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"
#include "tepui/mesh/form_builder.h"
#include "tepui/mesh/forms.h"

// Spruce and larch: a straight stem with whorls of branches that rise near the top and hang farther down, each a spine
// with twigs on both sides that grow shorter towards its end.

namespace tepui {

namespace {

/// What tells one form from another.
struct Habit {
  double bare;      ///< height below which there are no branches
  double hang;      ///< how far branches low on the stem hang, as a share of their length
  double slimness;  ///< exponent of the crown's width
  double ragged;    ///< share by which branches differ in length
  double gaps;      ///< share of branches that are missing
  double lean;      ///< of the top, as a share of the height
};
constexpr std::array<Habit, species_forms> habits{{
    {0.06, 0.38, 0.85, 0.22, 0.04, 0.010},  // grown
    {0.02, 0.20, 0.95, 0.15, 0.00, 0.005},  // young, down to the ground
    {0.14, 0.50, 0.75, 0.35, 0.12, 0.020},  // old, high skirts
    {0.10, 0.45, 0.70, 0.55, 0.28, 0.025},  // ragged by wind and snow
    {0.04, 0.42, 0.60, 0.25, 0.05, 0.010},  // a spire, as in the north
    {0.09, 0.30, 1.05, 0.30, 0.08, 0.015},  // broad, from an open place
}};

struct Needles {
  Tint inner, outer, stem;
  bool bare = false;
};

Needles needles_of(const FormRequest& request) {
  const Tint bark{0.085, 0.060, 0.042};
  if (request.species == Species::conifer) {
    const double blue = 0.002 * (request.form % 3);
    const double fresh = request.season == Season::spring ? 1.25 : 1;
    return {{0.020, 0.032, 0.016 + blue}, Tint{0.054, 0.088, 0.030 + 2 * blue} * fresh, bark};
  }
  switch (request.season) {
    case Season::winter:
      return {{0.10, 0.078, 0.055}, {0.15, 0.115, 0.080}, bark, true};
    case Season::autumn:
      return {{0.115, 0.068, 0.020}, Tint{0.290, 0.176, 0.044} * (0.85 + 0.05 * request.form), bark};
    case Season::spring:
      return {{0.050, 0.085, 0.022}, {0.13, 0.21, 0.050}, bark};
    case Season::summer:
      break;
  }
  return {{0.036, 0.060, 0.022}, {0.085, 0.135, 0.045}, bark};
}

/// A branch by its foot on the stem, the way it grows and its length.
struct Branch {
  Vec3 foot, out;
  double length = 0, rise = 0, hang = 0, half_width = 0, turn = 0;
};

/// A point of its spine.
Vec3 spine(const Branch& b, double s) {
  // Tips turn up again.
  const double drop = b.hang * (s * s * (1.5 - 0.6 * s));
  return b.foot + b.out * (b.length * s * (1 - 0.12 * b.hang * s)) + Vec3{0, 0, b.length * (b.rise * s - drop)};
}

void add_branch(FormBuilder& to, const Branch& b, const Needles& needles, int segments, Draws& draw) {
  const Vec3 side{-b.out.y, b.out.x, 0};
  const auto tint_at = [&](double s, double shade) { return blend(needles.inner, needles.outer, s) * shade; };
  const double shade = draw(0.8, 1.15), thin = needles.bare ? 0.16 : 1;
  std::vector<uint32_t> along;
  for (int k = 0; k <= segments; ++k) {
    const double s = static_cast<double>(k) / segments;
    const Vec3 soft = unit_or_up(b.out * (0.55 + 0.3 * s) + Vec3{0, 0, 0.62});
    along.push_back(to.add({spine(b, s), soft, tint_at(0.15 + 0.75 * s, shade), 1}));
  }
  for (int k = 0; k < segments; ++k) {
    const double s = (k + 0.5) / segments;
    // Widest at a third, pointed at the end.
    const double wide = b.half_width * (s < 0.3 ? 0.45 + 1.8 * s : 1.45 * (1 - s) / 1.02 + 0.06);
    for (const double hand : {-1.0, 1.0}) {
      const double reach = wide * draw(0.75, 1.2), ahead = std::min(1.08, s + (0.9 + 0.5 * draw(0, 1)) / segments);
      const Vec3 tip = spine(b, ahead) + side * (hand * reach) - Vec3{0, 0, reach * draw(0.25, 0.55)};
      const Vec3 soft = unit_or_up(b.out * 0.7 + side * (0.45 * hand) + Vec3{0, 0, 0.42});
      const uint32_t end = to.add({tip, soft, tint_at(0.55 + 0.45 * s, shade * 1.05), 0.35});
      uint32_t from = along[static_cast<size_t>(k)], until = along[static_cast<size_t>(k) + 1];
      if (needles.bare) until = to.add({spine(b, (k + thin) / segments), soft, tint_at(0.4, shade), 0.8});
      if (hand > 0) std::swap(from, until);
      to.triangle(from, end, until);
    }
  }
}

}  // namespace

void grow_conifer(FormBuilder& to, const FormRequest& request) {
  const Habit& habit = habits[static_cast<size_t>(request.form)];
  const Needles needles = needles_of(request);
  const bool airy = request.species == Species::larch;
  const FormDetail detail = request.detail;
  const int branches = by_detail(detail, 14, 62, 150, 520), segments = by_detail(detail, 1, 2, 5, 7);
  const double radius = form_radius(request.species, request.form) * 1.22;
  Draws draw(0x636f6e + 64 * static_cast<uint64_t>(request.form) + 7 * static_cast<uint64_t>(request.species));
  const double lean_way = draw(0, 2 * math::pi);
  const Vec3 lean{habit.lean * math::cos(lean_way), habit.lean * math::sin(lean_way), 0};
  const auto stem = [&](double h) { return lean * (h * h) + Vec3{0, 0, h}; };

  const int sides = by_detail(detail, 3, 4, 5, 7);
  to.tube({{stem(-0.02), 0.019, needles.stem * 0.9}, {stem(0.3), 0.012, needles.stem}, {stem(0.995), 0, needles.stem}},
          sides);
  // What is behind the branches is dark, not the sky.
  if (!needles.bare) {
    const Tint dark = needles.inner * 0.7;
    const double slim = airy ? 0.15 : 0.26;
    const double low = habit.bare + 0.06;
    to.tube({{stem(low - 0.03), 0.02, dark},
             {stem(low + 0.05), radius * slim, dark},
             {stem(0.5), 0.55 * radius * slim, dark},
             {stem(0.93), 0, needles.inner}},
            sides);
  }
  constexpr double golden = 2.399963229728653;
  double angle = draw(0, 2 * math::pi);
  for (int i = 0; i < branches; ++i) {
    // More of them, and shorter, towards the top.
    const double share = (i + 0.5) / branches, up = share * (1.25 - 0.25 * share);
    const double height = habit.bare + (0.985 - habit.bare) * up + draw(-0.006, 0.006);
    angle += golden + draw(-0.35, 0.35);
    const double length_share = draw(1 - habit.ragged, 1 + 0.35 * habit.ragged);
    const bool missing = draw(0, 1) < habit.gaps * (1 - up) && detail != FormDetail::coarse;
    // A stem's lowest branches are old and short.
    const double profile = math::pow(1 - up, habit.slimness) * (0.62 + 0.38 * math::smoothstep(0, 0.16, up));
    Branch b;
    b.length = std::max(0.012, radius * profile * length_share * (missing ? 0.35 : 1));
    b.out = {math::cos(angle), math::sin(angle), 0};
    b.foot = stem(std::min(height, 0.985)) + b.out * 0.006;
    b.rise = -0.08 + 0.95 * up * up * up + draw(-0.08, 0.08);
    b.hang = habit.hang * (1 - 0.8 * up) * draw(0.7, 1.3) * (airy ? 0.6 : 1);
    const double around = by_detail(detail, 0.80, 0.46, 0.34, 0.215);
    b.half_width =
        b.length * around * draw(0.85, 1.15) * (airy ? 0.8 : 1) + by_detail(detail, 0.012, 0.008, 0.005, 0.003);
    add_branch(to, b, needles, segments, draw);
  }
}

}  // namespace tepui

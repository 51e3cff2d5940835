#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "tepui/core/math.h"
#include "tepui/core/noise.h"

#include "tepui/mesh/form_builder.h"
#include "tepui/mesh/forms.h"

// Boulders: what planes cut from a ball, their edges more or less worn, half sunk into the ground. Grass: blades.

namespace tepui {

namespace {

struct Blade {
  int count, segments;
  double width;
};

/// A ball of triangles, each in four of the last round.
void divide(std::vector<Vec3>& points, std::vector<MeshTriangle>& triangles) {
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> middles;
  const auto middle = [&](uint32_t a, uint32_t b) {
    const auto [place, fresh] = middles.try_emplace(std::minmax(a, b), static_cast<uint32_t>(points.size()));
    if (fresh) points.push_back(unit_or_up(points[a] + points[b]));
    return place->second;
  };
  std::vector<MeshTriangle> finer;
  for (const auto& [a, b, c] : triangles) {
    const uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
    finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
  }
  triangles = std::move(finer);
}

struct Cut {
  Vec3 normal;
  double away;
};

/// Of a boulder as wide as it is high, before it is stretched.
struct Boulder {
  std::vector<Cut> cuts;
  double worn = 0.1;  ///< how round its edges are
  Noise rough{{.scale = 0.55, .octaves = 5, .gain = 0.55}};

  double roughness(Vec3 way) const {
    float value = 0;
    rough.points({&way.x, 1}, {&way.y, 1}, {&way.z, 1}, {&value, 1});
    return static_cast<double>(value);
  }
  /// How far its surface is from its middle that way: the nearest cut, edges rounded by a mean of a high power.
  double reach(Vec3 way) const {
    const double power = 1 / worn;
    double sum = 1e-9;
    for (const Cut& cut : cuts)
      if (const double facing = dot(way, cut.normal); facing > 0.05) sum += math::pow(facing / cut.away, power);
    return std::min(1.25, math::pow(sum, -worn)) * (1 + 0.075 * roughness(way));
  }
};

}  // namespace

void grow_rock(FormBuilder& to, const FormRequest& request) {
  static constexpr std::array<double, species_forms> worn{0.06, 0.045, 0.10, 0.04, 0.17, 0.05};
  Draws draw(0x726f636b + 64 * static_cast<uint64_t>(request.form));
  Boulder boulder;
  boulder.worn = worn[static_cast<size_t>(request.form)];
  for (int i = 0; i < 15; ++i) boulder.cuts.push_back({draw.direction(), draw(0.62, 1.0)});
  boulder.rough = Noise({.scale = 0.55, .octaves = 5, .gain = 0.55, .key = 100 + static_cast<uint64_t>(request.form)});

  // An octahedron turned, so that no edge lies level.
  std::vector<Vec3> points;
  const Vec3 a = draw.direction(), b = unit_or_up(cross(a, draw.direction())), c = cross(a, b);
  for (const Vec3 v : {a, b, a * -1, b * -1, c, c * -1}) points.push_back(v);
  std::vector<MeshTriangle> triangles;
  for (uint32_t k = 0; k < 4; ++k) {
    triangles.push_back({k, (k + 1) % 4, 4});
    triangles.push_back({(k + 1) % 4, k, 5});
  }
  for (int i = 0; i < by_detail(request.detail, 1, 2, 4, 5); ++i) divide(points, triangles);

  const double wide = form_radius(Species::rock, request.form);
  const double stretch = draw(0.8, 1.0), turn = draw(0, math::pi);
  const double c1 = math::cos(turn), s1 = math::sin(turn);
  const auto placed = [&](Vec3 way) {
    const Vec3 p = way * boulder.reach(way);
    const Vec3 q{p.x * c1 - p.y * s1, p.x * s1 + p.y * c1, p.z};
    // The foot is as wide as the middle, and in the ground.
    const double spread = 0.88 * wide * (1 + 0.45 * std::max(0.0, -q.z - 0.1));
    return Vec3{q.x * spread * stretch, q.y * spread / stretch, 0.36 + 0.66 * q.z};
  };
  const Tint grey{0.235, 0.222, 0.205}, dark{0.15, 0.145, 0.135};
  // Each face counter-clockwise from outside.
  for (auto& [i, j, k] : triangles)
    if (dot(cross(points[j] - points[i], points[k] - points[i]), points[i]) < 0) std::swap(j, k);
  std::vector<Vec3> places, normals(points.size());
  for (const Vec3& way : points) places.push_back(placed(way));
  for (const MeshTriangle& t : triangles)
    for (const uint32_t corner : t)
      normals[corner] = normals[corner] + cross(places[t[1]] - places[t[0]], places[t[2]] - places[t[0]]);
  std::vector<uint32_t> corners;
  for (size_t i = 0; i < points.size(); ++i) {
    const double mottle = std::clamp(0.5 + 0.9 * boulder.roughness(points[i] * 1.7), 0.0, 1.0);
    const Tint tint = blend(dark, grey, 0.15 + 0.6 * mottle + 0.25 * places[i].z);
    corners.push_back(to.add({places[i], unit_or_up(normals[i]), tint, 1}));
  }
  for (const auto& [i, j, k] : triangles) to.triangle(corners[i], corners[j], corners[k]);
}

void grow_grass(FormBuilder& to, const FormRequest& request) {
  const Blade blade =
      by_detail(request.detail, Blade{18, 1, 0.085}, Blade{60, 2, 0.045}, Blade{240, 3, 0.022}, Blade{900, 4, 0.012});
  Draws draw(0x67726173 + 64 * static_cast<uint64_t>(request.form));
  static constexpr std::array<Tint, 4> tips{
      {{0.30, 0.25, 0.14}, {0.14, 0.21, 0.05}, {0.17, 0.20, 0.06}, {0.36, 0.28, 0.12}}};
  static constexpr std::array<Tint, 4> feet{
      {{0.15, 0.12, 0.07}, {0.04, 0.07, 0.02}, {0.06, 0.08, 0.03}, {0.16, 0.12, 0.05}}};
  const auto season = static_cast<size_t>(request.season);
  const double wide = form_radius(Species::grass, request.form);
  for (int i = 0; i < blade.count; ++i) {
    const double angle = draw(0, 2 * math::pi), out = std::sqrt(draw(0, 1)),
                 height = draw(0.55, 1.0) * (1 - 0.25 * out);
    const Vec3 way{math::cos(angle), math::sin(angle), 0}, foot = way * (0.45 * wide * out * draw(0.5, 1));
    const double bend = wide * (0.15 + 0.75 * out) * draw(0.5, 1.2), twist = draw(0, 2 * math::pi),
                 shade = draw(0.75, 1.2);
    const Vec3 side = Vec3{math::cos(twist), math::sin(twist), 0} * (0.5 * blade.width * draw(0.7, 1.3));
    const auto at = [&](double s) {
      return foot + way * (bend * s * s) + Vec3{0, 0, height * s * (1 - 0.25 * s * bend)};
    };
    const auto tint = [&](double s) { return blend(feet[season], tips[season], s) * shade; };
    const Vec3 soft = unit_or_up(way * (0.4 + 0.4 * out) + Vec3{0, 0, 0.8});
    uint32_t left = to.add({foot - side, soft, tint(0), 0.2}), right = to.add({foot + side, soft, tint(0), 0.2});
    for (int k = 1; k <= blade.segments; ++k) {
      const double s = static_cast<double>(k) / blade.segments;
      if (k == blade.segments) {
        to.triangle(left, right, to.add({at(s), soft, tint(s), 0.7}));
        break;
      }
      const uint32_t l = to.add({at(s) - side * (1 - 0.6 * s), soft, tint(s), 0.5}),
                     r = to.add({at(s) + side * (1 - 0.6 * s), soft, tint(s), 0.5});
      to.triangle(left, right, r);
      to.triangle(left, r, l);
      left = l, right = r;
    }
  }
}

}  // namespace tepui

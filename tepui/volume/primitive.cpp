#include "tepui/volume/primitive.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/math.h"

namespace tepui {

namespace {

constexpr double farthest = 1e10, least_falloff = 1e-3, most_falloff = 1e8, most_energy = 1e6;

const char* shape_name(PrimitiveShape shape) {
  constexpr const char* names[] = {"point", "segment", "curve", "sphere", "cone", "cylinder", "box", "ellipsoid"};
  return names[static_cast<int>(shape)];
}

bool is_place(Vec3 p) { return std::abs(p.x) <= farthest && std::abs(p.y) <= farthest && std::abs(p.z) <= farthest; }

/// How many points the skeleton of a shape has at least, and at most.
std::pair<size_t, size_t> points_of(PrimitiveShape shape) {
  switch (shape) {
    case PrimitiveShape::segment:
    case PrimitiveShape::cone:
    case PrimitiveShape::cylinder:
      return {2, 2};
    case PrimitiveShape::curve:
      return {2, 1u << 20};
    default:
      return {1, 1};
  }
}

struct Checker {
  const Primitive& p;
  size_t index;

  [[noreturn]] void wrong(const std::string& what, const std::string& hint = {}) const {
    refuse(fmt::format("primitive {} ({}): {}", index, shape_name(p.shape), what), hint);
  }
  void within(double value, double low, double high, const char* name) const {
    if (!(value >= low && value <= high))
      wrong(fmt::format("'{}' is {:g}", name, value), fmt::format("use {:g} to {:g}", low, high));
  }

  void skeleton() const {
    const auto [least, most] = points_of(p.shape);
    if (p.skeleton.size() < least || p.skeleton.size() > most)
      wrong(fmt::format("has {} point{}", p.skeleton.size(), p.skeleton.size() == 1 ? "" : "s"),
            least == most ? fmt::format("give {}", least) : "give two or more");
    for (const Vec3 at : p.skeleton)
      if (!is_place(at)) wrong(fmt::format("lies at {:g}, {:g}, {:g}, which is not finite", at.x, at.y, at.z));
    const bool has_axis = p.shape == PrimitiveShape::cone || p.shape == PrimitiveShape::cylinder;
    if (has_axis && !(length(p.skeleton[1] - p.skeleton[0]) >= least_falloff))
      wrong("both ends are at the same point", "give it some length");
  }

  void sizes() const {
    switch (p.shape) {
      case PrimitiveShape::cone:
        within(p.end_radius, 0, most_falloff, "end_radius");
        [[fallthrough]];
      case PrimitiveShape::sphere:
      case PrimitiveShape::cylinder:
        within(p.radius, 0, most_falloff, "radius");
        break;
      case PrimitiveShape::box:
      case PrimitiveShape::ellipsoid: {
        const double least = p.shape == PrimitiveShape::box ? 0 : least_falloff;
        for (const double half : {p.half.x, p.half.y, p.half.z}) within(half, least, most_falloff, "half");
        within(p.turn, -1e3, 1e3, "turn");
        break;
      }
      default:
        break;
    }
  }
};

}  // namespace

void check_primitive(const Primitive& primitive, size_t index) {
  const Checker check{primitive, index};
  check.skeleton();
  check.sizes();
  check.within(primitive.falloff, least_falloff, most_falloff, "falloff");
  check.within(primitive.energy, -most_energy, most_energy, "energy");
  check.within(primitive.noise, 0, most_falloff, "noise");
  if (primitive.noise > 0) {
    if (!(primitive.noise < primitive.falloff))
      check.wrong(
          fmt::format("noise of {:g} m must be less than the falloff of {:g} m", primitive.noise, primitive.falloff),
          "use less noise");
    check.within(primitive.noise_scale, least_falloff, most_falloff, "noise_scale");
  }
}

void check_points(std::span<const FieldPoint> points) {
  const auto is_sound = [](const FieldPoint& p) {
    return is_place(p.at) && p.falloff >= least_falloff && p.falloff <= most_falloff &&
           std::abs(p.energy) <= most_energy;
  };
  const auto wrong = std::ranges::find_if_not(points, is_sound);
  if (wrong == points.end()) return;
  Primitive p;
  p.skeleton = {wrong->at};
  p.falloff = wrong->falloff;
  p.energy = wrong->energy;
  check_primitive(p, static_cast<size_t>(wrong - points.begin()));
}

Box3 primitive_box(const Primitive& primitive) {
  const double reach = primitive.falloff + primitive.noise;
  const Vec3 first = primitive.skeleton.front();
  const auto around = [&](Vec3 half) { return Box3{first - half, first + half}; };
  // Turned about the vertical: the box around a turned box, and around a turned ellipse.
  const double c = std::abs(math::cos(primitive.turn)), s = std::abs(math::sin(primitive.turn));
  switch (primitive.shape) {
    case PrimitiveShape::box: {
      const Vec3 h = primitive.half;
      return around({c * h.x + s * h.y + reach, s * h.x + c * h.y + reach, h.z + reach}).grown(reach * 1e-12);
    }
    case PrimitiveShape::ellipsoid: {
      const double shortest = std::min({primitive.half.x, primitive.half.y, primitive.half.z});
      const Vec3 h = primitive.half * (1 + reach / shortest);
      const Vec3 turned{std::sqrt(c * c * h.x * h.x + s * s * h.y * h.y),
                        std::sqrt(s * s * h.x * h.x + c * c * h.y * h.y), h.z};
      return around(turned * (1 + 1e-12));
    }
    case PrimitiveShape::sphere:
      return Box3{first, first}.grown(primitive.radius + reach);
    default:
      break;
  }
  Box3 box;
  for (const Vec3 p : primitive.skeleton) box = box.with(p);
  const bool thick = primitive.shape == PrimitiveShape::cone || primitive.shape == PrimitiveShape::cylinder;
  const double end = primitive.shape == PrimitiveShape::cone ? primitive.end_radius : 0;
  return box.grown(reach + (thick ? std::max(primitive.radius, end) : 0));
}

Hash primitive_hash(const Primitive& p) {
  Hasher hasher;
  hasher.add(static_cast<int>(p.shape)).add(static_cast<int64_t>(p.skeleton.size()));
  for (const Vec3 at : p.skeleton) hasher.add(at.x).add(at.y).add(at.z);
  for (const double number :
       {p.radius, p.end_radius, p.half.x, p.half.y, p.half.z, p.turn, p.falloff, p.energy, p.noise, p.noise_scale})
    hasher.add(number);
  return hasher.add(p.noise_key).finish();
}

}  // namespace tepui

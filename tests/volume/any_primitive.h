#pragma once

#include <rapidcheck.h>

#include <vector>

#include "tepui/volume/primitive.h"
#include "tepui/volume/volume.h"

namespace tepui::test {

inline double any_number(int low, int high, double scale) { return *rc::gen::inRange(low, high) * scale; }

inline Vec3 any_place(double around = 1) {
  return {any_number(-3000, 3000, 0.0137 * around), any_number(-3000, 3000, 0.0137 * around),
          any_number(-3000, 3000, 0.0137 * around)};
}

/// A primitive of any shape within about 40 m of the origin, moved by `offset`.
inline Primitive any_primitive(Vec3 offset = {}) {
  Primitive p;
  p.shape = static_cast<PrimitiveShape>(*rc::gen::inRange(0, 8));
  const int points =
      p.shape == PrimitiveShape::curve ? *rc::gen::inRange(2, 7)
      : p.shape == PrimitiveShape::segment || p.shape == PrimitiveShape::cone || p.shape == PrimitiveShape::cylinder
          ? 2
          : 1;
  p.skeleton.clear();
  for (int i = 0; i < points; ++i) p.skeleton.push_back(offset + any_place() + Vec3{i * 0.5, 0, 0});
  if (p.skeleton.size() == 2 && p.skeleton[0] == p.skeleton[1]) p.skeleton[1].z += 3;
  p.radius = any_number(0, 100, 0.11);
  p.end_radius = any_number(0, 100, 0.13);
  p.half = {any_number(1, 100, 0.17), any_number(1, 100, 0.19), any_number(1, 100, 0.07)};
  p.turn = any_number(-400, 400, 0.01);
  p.falloff = any_number(5, 200, 0.1);
  p.energy = any_number(-2000, 2000, 0.0101);
  if (*rc::gen::inRange(0, 3) == 0) {
    p.noise = p.falloff * any_number(0, 95, 0.01);
    p.noise_scale = any_number(1, 100, 0.2);
    p.noise_key = *rc::gen::arbitrary<uint64_t>();
  }
  return p;
}

inline std::vector<Primitive> any_primitives(int most, Vec3 offset = {}) {
  std::vector<Primitive> all;
  const int count = *rc::gen::inRange(0, most);
  for (int i = 0; i < count; ++i) {
    all.push_back(any_primitive(offset));
    // Most primitives of a large volume are points.
    if (*rc::gen::inRange(0, 2) == 0) {
      all.back().shape = PrimitiveShape::point;
      all.back().skeleton.resize(1);
      if (*rc::gen::inRange(0, 4) > 0) all.back().noise = 0;
    }
  }
  return all;
}

/// A brick of points, and the same points one by one.
struct AnyBrick {
  std::vector<double> ax, ay, az, x, y, z;
  FieldLattice lattice;

  explicit AnyBrick(Vec3 offset = {}, double cell_scale = 1) {
    const int64_t nx = *rc::gen::inRange<int64_t>(1, 10), ny = *rc::gen::inRange<int64_t>(1, 9),
                  nz = *rc::gen::inRange<int64_t>(1, 512 / (nx * ny) < 9 ? 512 / (nx * ny) + 1 : 9);
    const double cell = any_number(1, 60, 0.1 * cell_scale);
    const Vec3 low = offset + any_place();
    for (int64_t i = 0; i < nx; ++i) ax.push_back(low.x + static_cast<double>(i) * cell);
    for (int64_t i = 0; i < ny; ++i) ay.push_back(low.y + static_cast<double>(i) * cell);
    for (int64_t i = 0; i < nz; ++i) az.push_back(low.z + static_cast<double>(i) * cell);
    for (const double c : az)
      for (const double b : ay)
        for (const double a : ax) x.push_back(a), y.push_back(b), z.push_back(c);
    lattice = {ax.data(), ay.data(), az.data(), nx, ny, nz};
  }
  AnyBrick(const AnyBrick&) = delete;
  AnyBrick& operator=(const AnyBrick&) = delete;

  size_t count() const { return x.size(); }
  Vec3 at(size_t i) const { return {x[i], y[i], z[i]}; }
  FieldPoints points() const {
    const auto n = static_cast<int64_t>(x.size());
    return {x.data(), y.data(), z.data(), n, box_around(x.data(), y.data(), z.data(), n)};
  }
  FieldPoints brick() const {
    FieldPoints all = points();
    all.lattice = &lattice;
    return all;
  }
};

}  // namespace tepui::test

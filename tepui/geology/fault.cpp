#include "tepui/geology/fault.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/geology/rock_tree.h"

namespace tepui {

namespace {

struct FaultDomain {
  FaultShape shape = FaultShape::plane;
  Vec3 place, normal;  ///< of a box the normal is level: its direction
  Vec3 half;           ///< of a box: along the direction, across it, upright

  bool holds(double x, double y, double z) const {
    const double east = x - place.x, north = y - place.y, up = z - place.z;
    const double along = east * normal.x + north * normal.y;
    if (shape == FaultShape::plane) return up * normal.z + along > 0;
    const double across = east * normal.y - north * normal.x;
    return std::abs(along) < half.x && std::abs(across) < half.y && std::abs(up) < half.z;
  }
};

class FaultedRock : public Rock {
 public:
  FaultedRock(RockPointer in, RockPointer with, const FaultDomain& domain, Vec3 moved)
      : in_(std::move(in)),
        with_(std::move(with)),
        tree_(tree_over(sides())),
        names_(sides()),
        domain_(domain),
        moved_(moved) {}

  void resistance(const RockPoints& at, float* rho) const override {
    walk<float>(at, rho, [&](bool inside, const RockPoints& part, float* told) {
      (inside ? inside_rock() : *in_).resistance(part, told);
    });
  }
  void rocks(const RockPoints& at, int32_t* which) const override {
    walk<int32_t>(at, which, [&](bool inside, const RockPoints& part, int32_t* told) {
      (inside ? inside_rock() : *in_).rocks(part, told);
      const size_t side = inside && with_ != nullptr ? 1 : 0;
      for (int64_t i = 0; i < part.count; ++i) told[i] = names_.translate(side, told[i]);
    });
  }
  std::vector<NamedRock> names() const override { return names_.all(); }
  RockTreeSize tree() const override { return tree_; }

  Interval levels() const override {
    const Interval inside = inside_rock().levels();
    return hull_of(in_->levels(), {inside.low + moved_.z, inside.high + moved_.z});
  }

  void hash(Hasher& hasher) const override {
    hasher.add("fault").add(static_cast<int>(domain_.shape));
    for (const Vec3 v : {domain_.place, domain_.normal, domain_.half, moved_}) hasher.add(v.x).add(v.y).add(v.z);
    in_->hash(hasher);
    hasher.add(with_ != nullptr);
    if (with_ != nullptr) with_->hash(hasher);
  }
  size_t bytes() const override { return bytes_over(sizeof *this, sides()); }

 private:
  std::vector<RockPointer> sides() const {
    return with_ != nullptr ? std::vector<RockPointer>{in_, with_} : std::vector<RockPointer>{in_};
  }
  const Rock& inside_rock() const { return with_ != nullptr ? *with_ : *in_; }

  /// Asks ask(inside, points, told) for the points of either side, brought together, and puts what it tells in place.
  template <class Told, class Ask>
  void walk(const RockPoints& at, Told* told, const Ask& ask) const {
    RockRun part;
    Told answers[rock_run];
    bool inside[rock_run];
    for_runs(at, [&](const RockPoints& run, int64_t first) {
      for (int64_t i = 0; i < run.count; ++i) inside[i] = domain_.holds(run.x[i], run.y[i], run.z[i]);
      for (const bool side : {false, true}) {
        const Vec3 by = side ? moved_ : Vec3{};
        int64_t count = 0;
        for (int64_t i = 0; i < run.count; ++i) {
          if (inside[i] != side) continue;
          part.x[count] = run.x[i] - by.x;
          part.y[count] = run.y[i] - by.y;
          part.z[count++] = run.z[i] - by.z;
        }
        if (count == 0) continue;
        ask(side, part.points(count), answers);
        for (int64_t i = run.count; i-- > 0;)
          if (inside[i] == side) told[first + i] = answers[--count];
      }
    });
  }

  RockPointer in_, with_;
  RockTreeSize tree_;
  RockNames names_;
  FaultDomain domain_;
  Vec3 moved_;
};

}  // namespace

void describe(Fields<FaultParams>& f) {
  f.about("Move the rock above a plane or inside a box, or replace it with another rock");
  f.reach(Reach::point);
  f.example("strata | {}");
  const Range anywhere{-1e9, 1e9};
  f("shape", &FaultParams::shape, {"plane", "box"}, "what is moved: everything above a plane, or a box");
  f("throw_x", &FaultParams::throw_x, anywhere, "distance it is moved east").slider(-20, 20);
  f("throw_y", &FaultParams::throw_y, anywhere, "distance it is moved north").slider(-20, 20);
  f("throw_z", &FaultParams::throw_z, anywhere, "distance it is moved up").slider(-20, 20).sweep("-6%", "-2%", "4%");
  f("dip", &FaultParams::dip, Range{0, 90}, "dip of the plane, 0 being level").sweep("90", "60", "25");
  f("direction", &FaultParams::direction, Range{-360, 360},
    "direction of the plane's dip, or of the box, clockwise from north");
  f("x", &FaultParams::x, anywhere,
    "position of a point on the plane, or of the box's middle, east of the world's middle");
  f("y", &FaultParams::y, anywhere, "the same, north of the world's middle");
  f("elevation", &FaultParams::elevation, anywhere, "height of that point");
  f("width", &FaultParams::width, open_range(0, 1e9), "size of the box along its direction");
  f("length", &FaultParams::length, open_range(0, 1e9), "size of the box across its direction");
  f("height", &FaultParams::height, open_range(0, 1e9), "height of the box");
}

Geology fault(const Frame& world, const Geology& in, const Geology* with, const FaultParams& params, const Context&) {
  check_params(params);
  FaultDomain domain;
  domain.shape = params.shape;
  domain.place = place_in(world, params.x, params.y, params.elevation);
  domain.normal = plane_normal(params.shape == FaultShape::box ? Angle{90} : params.dip, params.direction);
  domain.half = Vec3{params.width.in(world), params.length.in(world), params.height.in(world)} * 0.5;
  const Vec3 moved{params.throw_x.in(world), params.throw_y.in(world), params.throw_z.in(world)};
  return Geology(
      std::make_shared<const FaultedRock>(in.share(), with != nullptr ? with->share() : nullptr, domain, moved));
}

}  // namespace tepui

#include "tepui/geology/taper.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/geology/rock_tree.h"

namespace tepui {

namespace {

struct Taper {
  TaperAlong along = TaperAlong::direction;
  Vec3 place;
  Vec2 direction;
  double length = 1, scale = 1;
};

class TaperedRock : public MovedRock {
 public:
  TaperedRock(RockPointer in, const Taper& taper)
      : MovedRock(std::move(in)), taper_(taper), more_(1 / taper.scale - 1) {}

  Interval levels() const override {
    const Interval told = child().levels();
    const double e = taper_.place.z, k = taper_.scale;
    // Of the tapered and the others.
    return hull_of(told, {e + (told.low - e) * k, e + (told.high - e) * k});
  }
  void hash(Hasher& hasher) const override {
    hasher.add("taper").add(static_cast<int>(taper_.along));
    for (const double number : {taper_.place.x, taper_.place.y, taper_.place.z, taper_.direction.x, taper_.direction.y,
                                taper_.length, taper_.scale})
      hasher.add(number);
    child().hash(hasher);
  }

 protected:
  void back(const RockPoints& at, RockRun& from) const override {
    std::copy_n(at.x, at.count, from.x);
    std::copy_n(at.y, at.count, from.y);
    for (int64_t i = 0; i < at.count; ++i) from.z[i] = height(at.x[i], at.y[i], at.z[i]);
  }

 private:
  double height(double x, double y, double z) const {
    const double east = x - taper_.place.x, north = y - taper_.place.y, up = z - taper_.place.z;
    if (taper_.along == TaperAlong::height) {
      const double u = std::clamp(up / taper_.length, 0.0, 1.0);
      return z + more_ * (taper_.length * (u * u * u * (1 - 0.5 * u)) + std::max(up - taper_.length, 0.0));
    }
    const double share =
        taper_.along == TaperAlong::direction
            ? math::smoothstep(0, 1, (east * taper_.direction.x + north * taper_.direction.y) / taper_.length + 0.5)
            : math::smoothstep(0, 1, 1 - std::sqrt(east * east + north * north) / taper_.length);
    return z + up * (more_ * share);
  }

  Taper taper_;
  double more_;
};

}  // namespace

void describe(Fields<TaperParams>& f) {
  f.about("Thin strata out gradually: along a direction, upwards or around a place");
  f.reach(Reach::point);
  f.example("strata | {}");
  f("along", &TaperParams::along, {"direction", "height", "place"},
    "where strata get thinner: along a direction, upwards or around a place");
  f("scale", &TaperParams::scale, Range{0.01, 100}, "factor of their thickness at the end; above 1 they get thicker")
      .slider(0.1, 4)
      .sweep("0.15", "0.5", "2");
  f("length", &TaperParams::length, open_range(0, 1e9), "distance over which they do, or radius around the place")
      .slider(5, 200)
      .sweep("10%", "60%", "150%");
  f("direction", &TaperParams::direction, Range{-360, 360}, "the direction, clockwise from north");
  f("x", &TaperParams::x, Range{-1e9, 1e9}, "position of the place, east of the world's middle");
  f("y", &TaperParams::y, Range{-1e9, 1e9}, "position of the place, north of the world's middle");
  f("elevation", &TaperParams::elevation, Range{-1e9, 1e9}, "height that stays in place");
}

Geology taper(const Frame& world, const Geology& in, const TaperParams& params, const Context&) {
  check_params(params);
  Taper taper;
  taper.along = params.along;
  taper.place = place_in(world, params.x, params.y, params.elevation);
  taper.direction = level_direction(params.direction);
  taper.length = params.length.in(world);
  taper.scale = params.scale;
  return Geology(std::make_shared<const TaperedRock>(in.share(), taper));
}

}  // namespace tepui

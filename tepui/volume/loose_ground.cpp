#include "tepui/volume/loose_ground.h"

#include <algorithm>
#include <cmath>

#include "tepui/geology/rock_tree.h"

namespace tepui {

namespace {

/// The depth of what is loose at every sample; without samples where nothing is.
Grid<float> loose_depth(const Terrain& land) {
  const Layer *rock = land.find("bedrock"), *sediment = land.find("sediment");
  if (rock == nullptr) return {};
  const Grid<float>& ground = land.height();
  Grid<float> depth(ground.width(), ground.height());
  bool any = false;
  for (int64_t i = 0; i < depth.size(); ++i) {
    const float above = ground.data()[i] - rock->grid().data()[i];
    depth.data()[i] = std::max(sediment != nullptr ? std::min(above, sediment->grid().data()[i]) : above, 0.0f);
    any |= depth.data()[i] > 0;
  }
  return any ? std::move(depth) : Grid<float>();
}

class LooseGround : public Rock {
 public:
  LooseGround(RockPointer rock, Grid<float> depth, std::shared_ptr<const LandSheet> ground, double resistance)
      : rock_(std::move(rock)),
        names_({rock_, std::make_shared<const Debris>(resistance)}),
        tree_(tree_over({rock_})),
        depth_(std::move(depth)),
        depths_(cells_hash(depth_)),
        ground_(std::move(ground)),
        above_(0.5 * std::min(ground_->frame().cell.x, ground_->frame().cell.y)),
        resistance_(static_cast<float>(resistance)) {}

  void resistance(const RockPoints& at, float* rho) const override {
    rock_->resistance(at, rho);
    for_loose(at, [&](int64_t i) { rho[i] = resistance_; });
  }
  void rocks(const RockPoints& at, int32_t* which) const override {
    rock_->rocks(at, which);
    for (int64_t i = 0; i < at.count; ++i) which[i] = names_.translate(0, which[i]);
    for_loose(at, [&](int64_t i) { which[i] = names_.translate(1, 0); });
  }
  std::vector<NamedRock> names() const override { return names_.all(); }
  Interval levels() const override { return rock_->levels(); }
  RockTreeSize tree() const override { return tree_; }
  void hash(Hasher& hasher) const override {
    hasher.add("loose_ground").add(static_cast<double>(resistance_)).add(depths_).add(ground_->hash());
    rock_->hash(hasher);
  }
  size_t bytes() const override { return bytes_over(sizeof *this + depth_.bytes(), {rock_}); }

 private:
  /// Only a name.
  class Debris : public Rock {
   public:
    explicit Debris(double resistance) : resistance_(static_cast<float>(resistance)) {}
    void resistance(const RockPoints& at, float* rho) const override { std::fill_n(rho, at.count, resistance_); }
    std::vector<NamedRock> names() const override { return {{loose_ground_name, resistance_}}; }
    void hash(Hasher& hasher) const override { hasher.add("debris").add(static_cast<double>(resistance_)); }
    size_t bytes() const override { return sizeof *this; }

   private:
    float resistance_;
  };

  /// Calls act(i) for every point that is loose.
  template <class Act>
  void for_loose(const RockPoints& at, const Act& act) const {
    for_runs(at, [&](const RockPoints& run, int64_t first) {
      double x[rock_run], y[rock_run], depth[rock_run], ground[rock_run];
      int64_t which[rock_run], some = 0;
      for (int64_t i = 0; i < run.count; ++i) {
        depth[some] = depth_at(run.x[i], run.y[i]);
        if (!(depth[some] > 0)) continue;
        which[some] = i;
        x[some] = run.x[i], y[some++] = run.y[i];
      }
      if (some == 0) return;
      ground_->heights(x, y, some, ground);
      for (int64_t i = 0; i < some; ++i) {
        const double z = run.z[which[i]];
        if (z > ground[i] - depth[i] && z <= ground[i] + above_) act(first + which[i]);
      }
    });
  }

  double depth_at(double x, double y) const {
    const Frame& frame = ground_->frame();
    const double u = (x - frame.x(0)) / frame.cell.x, v = (y - frame.y(0)) / frame.cell.y;
    if (!(u >= 0 && v >= 0 && u <= static_cast<double>(frame.width - 1) && v <= static_cast<double>(frame.height - 1)))
      return 0;
    const auto x0 = static_cast<int64_t>(u), y0 = static_cast<int64_t>(v);
    const int64_t x1 = std::min(x0 + 1, frame.width - 1), y1 = std::min(y0 + 1, frame.height - 1);
    const double s = u - static_cast<double>(x0), t = v - static_cast<double>(y0);
    const auto along = [&](int64_t row) {
      const double a = static_cast<double>(depth_(x0, row));
      return a + s * (static_cast<double>(depth_(x1, row)) - a);
    };
    const double south = along(y0);
    return south + t * (along(y1) - south);
  }

  RockPointer rock_;
  RockNames names_;
  RockTreeSize tree_;
  Grid<float> depth_;
  Hash depths_;
  std::shared_ptr<const LandSheet> ground_;
  double above_;  ///< metres
  float resistance_;
};

}  // namespace

Geology with_loose_ground(const Geology& rock, const Terrain& land, std::shared_ptr<const LandSheet> ground,
                          double resistance) {
  Grid<float> depth = loose_depth(land);
  if (depth.size() == 0) return rock;
  return Geology(std::make_shared<const LooseGround>(rock.share(), std::move(depth), std::move(ground), resistance));
}

}  // namespace tepui

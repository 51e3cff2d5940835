#include "tepui/volume/field_erosion.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"

namespace tepui {

namespace {

class ErodedSolid : public Solid {
 public:
  ErodedSolid(SolidPointer part, Geology rock, const Region& region, double depth, double threshold)
      : part_(std::move(part)),
        rock_(std::move(rock)),
        region_(region),
        step_(depth / 4),
        most_(depth - depth * depth / (4 * threshold)),
        threshold_(threshold),
        all_(most_ + taken_below(*part_)) {}

  void values(const FieldPoints& at, float* v) const override {
    part_->values(at, v);
    if (!at.box.meets(region_.box())) return;
    double taken[FieldPoints::most];
    take(at.x, at.y, at.z, at.count, taken, v);
    for (int64_t i = 0; i < at.count; ++i) v[i] = less(v[i], taken[i]);
  }

  void gradients(const FieldPoints& at, float* v, float* dx, float* dy, float* dz) const override {
    part_->gradients(at, v, dx, dy, dz);
    if (!at.box.meets(region_.box())) return;
    double taken[FieldPoints::most], after[FieldPoints::most], before[FieldPoints::most], there[FieldPoints::most];
    take(at.x, at.y, at.z, at.count, taken, v);
    const double* const axes[] = {at.x, at.y, at.z};
    float* const out[] = {dx, dy, dz};
    for (int a = 0; a < 3; ++a) {
      const double* place[] = {at.x, at.y, at.z};
      place[a] = there;
      for (int64_t i = 0; i < at.count; ++i) there[i] = axes[a][i] + step_;
      take(place[0], place[1], place[2], at.count, after, v);
      for (int64_t i = 0; i < at.count; ++i) there[i] = axes[a][i] - step_;
      take(place[0], place[1], place[2], at.count, before, v);
      for (int64_t i = 0; i < at.count; ++i) {
        const double now = static_cast<double>(v[i]);
        if (!(now > -threshold_) || !region_.box().holds({at.x[i], at.y[i], at.z[i]})) continue;
        out[a][i] =
            now - taken[i] > -threshold_ ? out[a][i] - static_cast<float>((after[i] - before[i]) / (2 * step_)) : 0.0f;
      }
    }
    for (int64_t i = 0; i < at.count; ++i) v[i] = less(v[i], taken[i]);
  }

  FieldRange range(const Box3& box) const override {
    FieldRange range = part_->range(box);
    if (box.meets(region_.box())) range.low = less(range.low, most_);
    return range;
  }
  Box3 support() const override { return part_->support(); }

  /// All rock was rock before. Below land, the field of the least steep s there is, that of R = 3T, has to reach all
  /// that was ever taken.
  SurfaceSketch sketch() const override {
    SurfaceSketch sketch = part_->sketch();
    if (sketch.sheet == nullptr) return sketch;
    if (region_.is_drawn()) {
      for (const Box3& box : region_.boxes()) sketch.boxes.push_back(box);
      return sketch;
    }
    const Box3 worn = sketch.ground.within(region_.box());
    if (worn.empty()) return sketch;
    if (all_ > 0.999 * threshold_) {
      sketch.boxes.push_back(worn);
      return sketch;
    }
    const double below = 1.000001 * 3 * threshold_ * (1 - math::pow(1 - all_ / threshold_, 1.0 / 3));
    for (SurfaceSketch::Band& band : sketch.bands)
      if (band.where.meets(worn)) band.below += below;
    sketch.bands.push_back({worn, below, 0, 0});
    return sketch;
  }

  Box3 difference_from(const Solid& other) const override {
    const auto* like = dynamic_cast<const ErodedSolid*>(&other);
    if (like == nullptr || like->own_hash(false) != own_hash(false) || like->region_.is_drawn() != region_.is_drawn())
      return Solid::difference_from(other);
    const Box3 below = part_->difference_from(*like->part_), drawn = region_.difference_from(like->region_);
    return below.with(drawn);
  }
  std::vector<SolidPointer> children() const override { return {part_}; }
  void hash(Hasher& hasher) const override {
    hasher.add("strata_erosion").add(own_hash(true));
    part_->hash(hasher);
  }
  size_t bytes() const override { return sizeof *this + rock_.bytes() + part_->bytes(); }

 private:
  Hash own_hash(bool with_region) const {
    Hasher hasher;
    hasher.add(most_).add(step_).add(threshold_).add(rock_.hash());
    if (with_region) region_.hash(hasher);
    return hasher.finish();
  }

  /// What erosion below this node takes at most.
  static double taken_below(const Solid& part) {
    if (const auto* eroded = dynamic_cast<const ErodedSolid*>(&part)) return eroded->all_;
    double most = 0;
    for (const SolidPointer& child : part.children()) most = std::max(most, taken_below(*child));
    return most;
  }

  /// A f_D (1 - rho), where there is a field; rock is asked where it counts alone.
  void take(const double* x, const double* y, const double* z, int64_t count, double* taken, const float* v) const {
    double px[FieldPoints::most], py[FieldPoints::most], pz[FieldPoints::most], weight[FieldPoints::most];
    int64_t which[FieldPoints::most], some = 0;
    for (int64_t i = 0; i < count; ++i) {
      taken[i] = 0;
      if (!(static_cast<double>(v[i]) > -threshold_)) continue;
      const double w = region_.weight({x[i], y[i], z[i]});
      if (!(w > 0)) continue;
      weight[some] = w * most_;
      which[some] = i;
      px[some] = x[i];
      py[some] = y[i];
      pz[some++] = z[i];
    }
    float rho[FieldPoints::most];
    rock_.resistance({px, py, pz, some}, rho);
    for (int64_t i = 0; i < some; ++i) taken[which[i]] = weight[i] * (1 - static_cast<double>(rho[i]));
  }

  float less(float v, double taken) const {
    const double now = static_cast<double>(v);
    return static_cast<float>(std::max(now - taken, std::min(now, -threshold_)));
  }

  SolidPointer part_;
  Geology rock_;
  Region region_;
  double step_, most_;
  double threshold_;  ///< as the numbers that v is made of have it
  double all_;        ///< with what erosion below takes
};

}  // namespace

SolidPointer field_erosion(SolidPointer part, Geology rock, const Region& region, double depth, double threshold) {
  return std::make_shared<ErodedSolid>(std::move(part), std::move(rock), region, depth,
                                       static_cast<double>(static_cast<float>(threshold)));
}

}  // namespace tepui

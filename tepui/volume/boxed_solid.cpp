#include "tepui/volume/boxed_solid.h"

#include <algorithm>

#include "tepui/volume/box_side.h"

namespace tepui {

namespace {

class BoxedSolid : public Solid {
 public:
  BoxedSolid(SolidPointer solid, double threshold, const Box3& box, BoxedPart part, double edge)
      : solid_(std::move(solid)), threshold_(threshold), box_(box), part_(part), edge_(edge) {}

  void values(const FieldPoints& at, float* v) const override {
    solid_->values(at, v);
    for (int64_t i = 0; i < at.count; ++i) v[i] = std::min(v[i], face({at.x[i], at.y[i], at.z[i]}));
  }

  void gradients(const FieldPoints& at, float* v, float* dx, float* dy, float* dz) const override {
    solid_->gradients(at, v, dx, dy, dz);
    for (int64_t i = 0; i < at.count; ++i) {
      const Vec3 p{at.x[i], at.y[i], at.z[i]};
      const float cut = face(p);
      if (!(cut < v[i])) continue;
      v[i] = cut;
      const Vec3 inwards = nearest_side(box_, p).inwards * (steepness() * (part_ == BoxedPart::inside ? 1.0 : -1.0));
      dx[i] = static_cast<float>(inwards.x);
      dy[i] = static_cast<float>(inwards.y);
      dz[i] = static_cast<float>(inwards.z);
    }
  }

  FieldRange range(const Box3& box) const override {
    const FieldRange all = solid_->range(box);
    const Vec3 middle = (box.low + box.high) * 0.5;
    const double reach = length(box.high - middle);
    const float here = face(middle), off = static_cast<float>(steepness() * reach);
    const float least = static_cast<float>(-threshold_);
    return {std::min(all.low, std::max(here - off, least)), std::min(all.high, std::max(here + off, least))};
  }

  Box3 support() const override {
    const Box3 all = solid_->support();
    return part_ == BoxedPart::inside ? all.within(box_.grown(edge_)) : all;
  }

  SurfaceSketch sketch() const override {
    if (part_ == BoxedPart::inside) return {nullptr, {}, {support()}, {}};
    SurfaceSketch sketch = solid_->sketch();
    sketch.boxes.push_back(box_.grown(edge_));
    return sketch;
  }

  std::vector<SolidPointer> children() const override { return {solid_}; }

  void hash(Hasher& hasher) const override {
    hasher.add("boxed").add(threshold_).add(edge_).add(static_cast<int64_t>(part_));
    for (const Vec3 p : {box_.low, box_.high}) hasher.add(p.x).add(p.y).add(p.z);
    solid_->hash(hasher);
  }

  size_t bytes() const override { return sizeof *this + solid_->bytes(); }

 private:
  double steepness() const { return threshold_ / edge_; }

  /// f does not fall below 0.
  float face(Vec3 p) const {
    const double d = nearest_side(box_, p).distance;
    return static_cast<float>(std::max(steepness() * (part_ == BoxedPart::inside ? d : -d), -threshold_));
  }

  SolidPointer solid_;
  double threshold_;
  Box3 box_;
  BoxedPart part_;
  double edge_;
};

}  // namespace

SolidPointer boxed(SolidPointer solid, double threshold, const Box3& box, BoxedPart part, double edge) {
  return std::make_shared<BoxedSolid>(std::move(solid), threshold, box, part, edge);
}

}  // namespace tepui

#include "tepui/volume/cut_away.h"

#include <algorithm>

#include "tepui/volume/box_side.h"

namespace tepui {

namespace {

/// The nearest face of the cut: planes first, then the sides of the box.
BoxSide nearest_face(const CutAway& cut, Vec3 p) {
  BoxSide nearest;
  if (!cut.planes.empty()) nearest.distance = -Box3::far;
  for (const CutPlane& plane : cut.planes)
    if (const double d = plane.distance(p); d > nearest.distance) nearest = {d, plane.normal};
  if (const BoxSide side = nearest_side(cut.box, p); side.distance < nearest.distance) nearest = side;
  return nearest;
}

/// The land where it is kept, and nothing beyond: its edge is the cut's face.
class CutSheet : public HeightSheet {
 public:
  CutSheet(std::shared_ptr<const HeightSheet> sheet, const CutAway& cut, double below)
      : sheet_(std::move(sheet)), cut_(cut), below_(below) {
    cut_.box.low.z = -Box3::far;
    cut_.box.high.z = Box3::far;
  }
  void heights(const double* x, const double* y, int64_t count, double* h) const override {
    sheet_->heights(x, y, count, h);
    for (int64_t i = 0; i < count; ++i)
      if (!(cut_.distance({x[i], y[i], 0}) > 0)) h[i] = below_;
  }

 private:
  std::shared_ptr<const HeightSheet> sheet_;
  CutAway cut_;
  double below_;
};

/// Boxes along the places where a vertical plane cuts the ground.
void add_boxes(const CutPlane& plane, const Box3& ground, double margin, std::vector<Box3>& boxes) {
  constexpr int pieces = 256;
  const Vec3 middle = (ground.low + ground.high) * 0.5, along{-plane.normal.y, plane.normal.x, 0};
  const double reach = length(ground.high - ground.low);
  const Box3 around = ground.grown(margin);
  const Vec3 foot = middle - plane.normal * plane.distance(middle);
  for (int i = 0; i < pieces; ++i) {
    Vec3 a = foot + along * (reach * (2.0 * i / pieces - 1)), b = foot + along * (reach * (2.0 * (i + 1) / pieces - 1));
    a.z = ground.low.z, b.z = ground.high.z;
    const Box3 box = Box3{a, a}.with(b).grown(margin).within(around);
    if (!box.empty()) boxes.push_back(box);
  }
}

class CutSolid : public Solid {
 public:
  CutSolid(SolidPointer solid, double threshold, CutAway cut, double margin)
      : solid_(std::move(solid)), threshold_(threshold), cut_(std::move(cut)), margin_(margin) {}

  void values(const FieldPoints& at, float* v) const override {
    solid_->values(at, v);
    for (int64_t i = 0; i < at.count; ++i) v[i] = std::min(v[i], face(cut_.distance({at.x[i], at.y[i], at.z[i]})));
  }

  void gradients(const FieldPoints& at, float* v, float* dx, float* dy, float* dz) const override {
    solid_->gradients(at, v, dx, dy, dz);
    for (int64_t i = 0; i < at.count; ++i) {
      const BoxSide nearest = nearest_face(cut_, {at.x[i], at.y[i], at.z[i]});
      const float cut = face(nearest.distance);
      if (!(cut < v[i])) continue;
      v[i] = cut;
      // Past T the face's own field no longer changes.
      const bool level = !(nearest.distance > -threshold_);
      dx[i] = level ? 0 : static_cast<float>(nearest.inwards.x);
      dy[i] = level ? 0 : static_cast<float>(nearest.inwards.y);
      dz[i] = level ? 0 : static_cast<float>(nearest.inwards.z);
    }
  }

  FieldRange range(const Box3& box) const override {
    FieldRange range = solid_->range(box);
    const Vec3 middle = (box.low + box.high) * 0.5;
    // No face comes nearer by more than the way to a corner.
    const double reach = length(box.high - middle), d = cut_.distance(middle);
    return {std::min(range.low, face(d - reach)), std::min(range.high, face(d + reach))};
  }

  Box3 support() const override {
    const Box3 all = solid_->support();
    // Beyond the faces f is the lesser of 0 and the solid's own, which may be below 0.
    if (all.empty() || solid_->range(all).low < static_cast<float>(-threshold_)) return all;
    return all.within(cut_.box.grown(threshold_));
  }

  SurfaceSketch sketch() const override {
    SurfaceSketch sketch = solid_->sketch();
    if (sketch.sheet == nullptr) return sketch;
    bool upright = !(cut_.box.low.z > sketch.ground.low.z || cut_.box.high.z < sketch.ground.high.z);
    for (const CutPlane& plane : cut_.planes) upright = upright && plane.normal.z == 0;
    if (!upright) {
      sketch.forget_sheet();
      return sketch;
    }
    for (const CutPlane& plane : all_planes()) add_boxes(plane, sketch.ground, margin_, sketch.boxes);
    sketch.sheet = std::make_shared<CutSheet>(sketch.sheet, cut_, sketch.ground.low.z - 1);
    return sketch;
  }

  std::vector<SolidPointer> children() const override { return {solid_}; }

  void hash(Hasher& hasher) const override {
    hasher.add("cut away").add(threshold_);
    const auto add = [&](Vec3 p) { hasher.add(p.x).add(p.y).add(p.z); };
    add(cut_.box.low);
    add(cut_.box.high);
    hasher.add(static_cast<int64_t>(cut_.planes.size()));
    for (const CutPlane& plane : cut_.planes) {
      add(plane.at);
      add(plane.normal);
    }
    solid_->hash(hasher);
  }

  size_t bytes() const override { return sizeof *this + cut_.planes.size() * sizeof(CutPlane) + solid_->bytes(); }

 private:
  /// And those of the box in plan.
  std::vector<CutPlane> all_planes() const {
    std::vector<CutPlane> planes = cut_.planes;
    const Vec3 low = cut_.box.low, high = cut_.box.high;
    if (low.x > -Box3::far) planes.push_back({{low.x, 0, 0}, {1, 0, 0}});
    if (high.x < Box3::far) planes.push_back({{high.x, 0, 0}, {-1, 0, 0}});
    if (low.y > -Box3::far) planes.push_back({{0, low.y, 0}, {0, 1, 0}});
    if (high.y < Box3::far) planes.push_back({{0, high.y, 0}, {0, -1, 0}});
    return planes;
  }

  /// f does not fall below 0.
  float face(double distance) const { return static_cast<float>(std::max(distance, -threshold_)); }

  SolidPointer solid_;
  double threshold_;
  CutAway cut_;
  double margin_;
};

}  // namespace

double CutAway::distance(Vec3 p) const { return nearest_face(*this, p).distance; }

Vec3 CutAway::outwards(Vec3 p) const { return nearest_face(*this, p).inwards * -1; }

SolidPointer cut_away(SolidPointer solid, double threshold, CutAway cut, double margin) {
  return std::make_shared<CutSolid>(std::move(solid), threshold, std::move(cut), margin);
}

}  // namespace tepui

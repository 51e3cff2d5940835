#include "tepui/landforms/fallen_solid.h"

#include <algorithm>
#include <cmath>

#include "tepui/volume/box_tree.h"

namespace tepui {

namespace {

class FallenSolid : public Solid {
 public:
  FallenSolid(SolidPointer part, const SurfaceLattice& lattice, std::vector<MarkedBrick> bricks, double threshold)
      : part_(std::move(part)), lattice_(lattice), bricks_(std::move(bricks)), threshold_(threshold) {
    for (const MarkedBrick& brick : bricks_) boxes_.push_back(box_of(brick));
    tree_ = BoxTree(boxes_);
  }

  void values(const FieldPoints& at, float* v) const override {
    part_->values(at, v);
    if (!is_near(at.box)) return;
    Corner corner;
    for (int64_t i = 0; i < at.count; ++i) {
      if (!(static_cast<double>(v[i]) > -threshold_)) continue;
      const double weight = weight_of({at.x[i], at.y[i], at.z[i]}, corner, nullptr);
      if (weight > 0) v[i] = less(v[i], weight);
    }
  }

  void gradients(const FieldPoints& at, float* v, float* dx, float* dy, float* dz) const override {
    part_->gradients(at, v, dx, dy, dz);
    if (!is_near(at.box)) return;
    Corner corner;
    for (int64_t i = 0; i < at.count; ++i) {
      if (!(static_cast<double>(v[i]) > -threshold_)) continue;
      Vec3 slope;
      const double weight = weight_of({at.x[i], at.y[i], at.z[i]}, corner, &slope);
      if (!(weight > 0)) continue;
      const double field = static_cast<double>(v[i]) + threshold_;
      dx[i] = static_cast<float>((1 - weight) * static_cast<double>(dx[i]) - field * slope.x);
      dy[i] = static_cast<float>((1 - weight) * static_cast<double>(dy[i]) - field * slope.y);
      dz[i] = static_cast<float>((1 - weight) * static_cast<double>(dz[i]) - field * slope.z);
      v[i] = less(v[i], weight);
    }
  }

  FieldRange range(const Box3& box) const override {
    FieldRange range = part_->range(box);
    if (is_near(box)) range.low = std::min(range.low, static_cast<float>(-threshold_));
    return range;
  }
  Box3 support() const override { return part_->support(); }
  SurfaceSketch sketch() const override {
    SurfaceSketch sketch = part_->sketch();
    // Without a sheet all rock was rock before.
    if (sketch.sheet != nullptr) sketch.boxes.insert(sketch.boxes.end(), boxes_.begin(), boxes_.end());
    return sketch;
  }
  Box3 difference_from(const Solid& other) const override {
    const auto* like = dynamic_cast<const FallenSolid*>(&other);
    if (like == nullptr) return Solid::difference_from(other);
    Box3 box = part_->difference_from(*like->part_);
    if (like->own_hash() == own_hash()) return box;
    for (const FallenSolid* one : {this, like})
      for (const Box3& brick : one->boxes_) box = box.with(brick);
    return box;
  }
  std::vector<SolidPointer> children() const override { return {part_}; }
  void hash(Hasher& hasher) const override {
    hasher.add("fallen").add(own_hash());
    part_->hash(hasher);
  }
  size_t bytes() const override {
    return sizeof *this + bricks_.capacity() * sizeof(MarkedBrick) + boxes_.capacity() * sizeof(Box3) + tree_.bytes() +
           part_->bytes();
  }

 private:
  /// The brick that was looked at last.
  struct Corner {
    std::array<int32_t, 3> at{INT32_MIN, 0, 0};
    const MarkedBrick* brick = nullptr;
  };

  Hash own_hash() const {
    Hasher hasher;
    hasher.add(threshold_).add(lattice_.cell).add(static_cast<int64_t>(bricks_.size()));
    for (const double number : {lattice_.origin.x, lattice_.origin.y, lattice_.origin.z}) hasher.add(number);
    for (const MarkedBrick& brick : bricks_) {
      for (const int32_t number : brick.at) hasher.add(static_cast<int64_t>(number));
      for (const uint64_t word : brick.bits) hasher.add(static_cast<int64_t>(word));
    }
    return hasher.finish();
  }

  /// As far as its points are felt.
  Box3 box_of(const MarkedBrick& brick) const {
    const auto [z, y, x] = brick.at;
    return {lattice_.at(int64_t{x} * 8 - 1, int64_t{y} * 8 - 1, int64_t{z} * 8 - 1),
            lattice_.at(int64_t{x} * 8 + 8, int64_t{y} * 8 + 8, int64_t{z} * 8 + 8)};
  }
  bool is_near(const Box3& box) const {
    std::vector<uint32_t> near;
    return !tree_.near(box, 0, near);
  }
  float less(float v, double weight) const {
    const double now = static_cast<double>(v);
    return static_cast<float>(now - weight * (now + threshold_));
  }

  double mark(int32_t i, int32_t j, int32_t k, Corner& last) const {
    const std::array<int32_t, 3> at{k >> 3, j >> 3, i >> 3};
    if (at != last.at) {
      const auto found = std::ranges::lower_bound(bricks_, at, {}, &MarkedBrick::at);
      last = {at, found != bricks_.end() && found->at == at ? &*found : nullptr};
    }
    if (last.brick == nullptr) return 0;
    return (last.brick->bits[static_cast<size_t>(k & 7)] >> ((j & 7) * 8 + (i & 7)) & 1) != 0 ? 1 : 0;
  }

  double weight_of(Vec3 p, Corner& last, Vec3* slope) const {
    int32_t low[3];
    double t[3];
    const Vec3 from = p - lattice_.origin;
    const double metres[3] = {from.x, from.y, from.z};
    for (int a = 0; a < 3; ++a) {
      double share = metres[a] / lattice_.cell;
      if (!(std::abs(share) < 1e9)) return 0;
      // A point of the lattice is one, though its place was rounded.
      if (const double whole = std::round(share); std::abs(share - whole) < 1e-7) share = whole;
      const double floor = std::floor(share);
      low[a] = static_cast<int32_t>(floor);
      t[a] = share - floor;
    }
    double weight = 0;
    Vec3 change{};
    for (int c = 0; c < 8; ++c) {
      const int x = c & 1, y = c >> 1 & 1, z = c >> 2;
      const double u = x == 1 ? t[0] : 1 - t[0], v = y == 1 ? t[1] : 1 - t[1], w = z == 1 ? t[2] : 1 - t[2];
      if (mark(low[0] + x, low[1] + y, low[2] + z, last) == 0) continue;
      weight += u * v * w;
      change = change + Vec3{x == 1 ? v * w : -v * w, y == 1 ? u * w : -u * w, z == 1 ? u * v : -u * v};
    }
    if (slope != nullptr) *slope = change * (1 / lattice_.cell);
    return std::min(weight, 1.0);
  }

  SolidPointer part_;
  SurfaceLattice lattice_;
  std::vector<MarkedBrick> bricks_;
  double threshold_;
  std::vector<Box3> boxes_;
  BoxTree tree_;
};

}  // namespace

SolidPointer fallen_solid(SolidPointer part, const SurfaceLattice& lattice, std::vector<MarkedBrick> bricks,
                          double threshold) {
  return std::make_shared<FallenSolid>(std::move(part), lattice, std::move(bricks),
                                       static_cast<double>(static_cast<float>(threshold)));
}

}  // namespace tepui

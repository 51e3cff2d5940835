#include "tepui/volume/solid.h"

#include <algorithm>

namespace tepui {

namespace {

class EmptySolid : public Solid {
 public:
  explicit EmptySolid(double threshold) : v_(static_cast<float>(-threshold)) {}

  void values(const FieldPoints& at, float* v) const override { std::fill_n(v, at.count, v_); }
  void gradients(const FieldPoints& at, float* v, float* dx, float* dy, float* dz) const override {
    values(at, v);
    for (float* d : {dx, dy, dz}) std::fill_n(d, at.count, 0.0f);
  }
  FieldRange range(const Box3&) const override { return {v_, v_}; }
  Box3 support() const override { return {}; }
  SurfaceSketch sketch() const override { return {}; }
  void hash(Hasher& hasher) const override { hasher.add("empty").add(static_cast<double>(v_)); }
  size_t bytes() const override { return sizeof *this; }

 private:
  float v_;
};

}  // namespace

Box3 Box3::with(const Box3& other) const {
  return {{std::min(low.x, other.low.x), std::min(low.y, other.low.y), std::min(low.z, other.low.z)},
          {std::max(high.x, other.high.x), std::max(high.y, other.high.y), std::max(high.z, other.high.z)}};
}

Box3 Box3::within(const Box3& other) const {
  return {{std::max(low.x, other.low.x), std::max(low.y, other.low.y), std::max(low.z, other.low.z)},
          {std::min(high.x, other.high.x), std::min(high.y, other.high.y), std::min(high.z, other.high.z)}};
}

double Box3::longest_side() const { return std::max({high.x - low.x, high.y - low.y, high.z - low.z}); }

Box3 Box3::grown(double by) const {
  if (empty()) return *this;
  return {{low.x - by, low.y - by, low.z - by}, {high.x + by, high.y + by, high.z + by}};
}

void HeightSheet::lattice(const double* x, int64_t nx, const double* y, int64_t ny, double* h) const {
  const std::unique_ptr<double[]> row(new double[static_cast<size_t>(nx)]);
  for (int64_t j = 0; j < ny; ++j) {
    std::fill_n(row.get(), nx, y[j]);
    heights(x, row.get(), nx, h + j * nx);
  }
}

Box3 box_around(const double* x, const double* y, const double* z, int64_t count) {
  Box3 box;
  for (int64_t i = 0; i < count; ++i) {
    box.low = {std::min(box.low.x, x[i]), std::min(box.low.y, y[i]), std::min(box.low.z, z[i])};
    box.high = {std::max(box.high.x, x[i]), std::max(box.high.y, y[i]), std::max(box.high.z, z[i])};
  }
  return box;
}

void SurfaceSketch::forget_sheet() {
  if (!ground.empty()) boxes.push_back(ground);
  sheet = nullptr;
  ground = {};
  bands.clear();
}

Box3 Solid::difference_from(const Solid& other) const {
  const auto content = [](const Solid& solid) {
    Hasher hasher;
    solid.hash(hasher);
    return hasher.finish();
  };
  return this == &other || content(*this) == content(other) ? Box3{} : support().with(other.support());
}

SolidPointer empty_solid(double threshold) { return std::make_shared<EmptySolid>(threshold); }

}  // namespace tepui

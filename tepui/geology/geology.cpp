#include "tepui/geology/geology.h"

#include <algorithm>

#include "tepui/core/parallel.h"

namespace tepui {

namespace {

class UniformRock : public Rock {
 public:
  void resistance(const RockPoints& at, float* rho) const override { std::fill_n(rho, at.count, 0.0f); }
  void hash(Hasher& hasher) const override { hasher.add("uniform"); }
  size_t bytes() const override { return sizeof *this; }
};

}  // namespace

void Rock::rocks(const RockPoints& at, int32_t* which) const { std::fill_n(which, at.count, -1); }

Geology::Geology() : root_(std::make_shared<const UniformRock>()) {}

Geology::Geology(RockPointer root) : root_(std::move(root)) {}

void Geology::resistance(const RockPoints& at, float* rho) const {
  root_->resistance(at, rho);
  for (int64_t i = 0; i < at.count; ++i) rho[i] = std::clamp(rho[i], 0.0f, 1.0f);
}

float Geology::resistance(Vec3 at) const {
  float rho = 0;
  resistance({&at.x, &at.y, &at.z, 1}, &rho);
  return rho;
}

Hash Geology::hash() const {
  Hasher hasher;
  hasher.add("geology");
  root_->hash(hasher);
  return hasher.finish();
}

Grid<float> surface_resistance(const Geology& rock, const Terrain& land, const Context& context) {
  const Frame& frame = land.frame();
  const Grid<float>& z = land.height();
  Grid<float> rho(z.width(), z.height());
  parallel_chunks(z.height(), 8, context, [&](int64_t begin, int64_t end) {
    std::vector<double> places(static_cast<size_t>(z.width()) * 3);
    double *px = places.data(), *py = px + z.width(), *pz = py + z.width();
    for (int64_t x = 0; x < z.width(); ++x) px[x] = frame.x(x);
    for (int64_t y = begin; y < end; ++y) {
      std::fill_n(py, z.width(), frame.y(y));
      std::copy_n(z.row(y), z.width(), pz);
      rock.resistance({px, py, pz, z.width()}, rho.row(y));
    }
  });
  return rho;
}

}  // namespace tepui

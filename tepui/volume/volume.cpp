#include "tepui/volume/volume.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"

namespace tepui {

Volume::Volume() : Volume(empty_solid(usual_threshold), usual_threshold) {}

Volume::Volume(SolidPointer root, double threshold, Geology rock)
    : root_(std::move(root)), threshold_(threshold), rock_(std::move(rock)) {}

float Volume::value(Vec3 at) const {
  float v = 0;
  root_->values({&at.x, &at.y, &at.z, 1, {at, at}}, &v);
  return v;
}

void Volume::values(std::span<const double> x, std::span<const double> y, std::span<const double> z, std::span<float> v,
                    const Context& context) const {
  parallel_chunks(static_cast<int64_t>(v.size()), FieldPoints::most, context, [&](int64_t begin, int64_t end) {
    Box3 box;
    for (int64_t i = begin; i < end; ++i)
      box = box.with(Vec3{x[static_cast<size_t>(i)], y[static_cast<size_t>(i)], z[static_cast<size_t>(i)]});
    root_->values({x.data() + begin, y.data() + begin, z.data() + begin, end - begin, box}, v.data() + begin);
  });
}

Vec3 Volume::gradient(Vec3 at) const {
  float v = 0, dx = 0, dy = 0, dz = 0;
  root_->gradients({&at.x, &at.y, &at.z, 1, {at, at}}, &v, &dx, &dy, &dz);
  return {static_cast<double>(dx), static_cast<double>(dy), static_cast<double>(dz)};
}

std::optional<double> Volume::cast(Vec3 from, Vec3 direction, double far, double step) const {
  if (!(step > 0) || !(far >= 0)) refuse("a ray needs steps above 0 m and an end");
  const bool started = inside(from);
  double near = 0;
  while (near < far) {
    const double next = std::min(near + step, far);
    if (inside(from + direction * next) != started) {
      double out = next;
      while (out - near > step * 1e-3) {
        const double middle = 0.5 * (near + out);
        (inside(from + direction * middle) != started ? out : near) = middle;
      }
      return 0.5 * (near + out);
    }
    near = next;
  }
  return std::nullopt;
}

size_t Volume::bytes() const { return sizeof *this + root_->bytes() + rock_.bytes(); }

Hash Volume::hash() const {
  Hasher hasher;
  hasher.add("volume").add(threshold_).add(rock_.hash());
  root_->hash(hasher);
  return hasher.finish();
}

}  // namespace tepui

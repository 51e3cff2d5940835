#include "tepui/volume/volume.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/volume/space_order.h"

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
  const auto count = static_cast<int64_t>(v.size());
  for (int64_t begin = 0; begin < count; begin += most_in_order) {
    const int64_t part = std::min(count - begin, most_in_order);
    const Context stage = context.stage("", static_cast<double>(begin) / static_cast<double>(count),
                                        static_cast<double>(begin + part) / static_cast<double>(count));
    const double *px = x.data() + begin, *py = y.data() + begin, *pz = z.data() + begin;
    const std::vector<uint32_t> order = order_in_space(px, py, pz, part);
    parallel_chunks(part, FieldPoints::most, stage, [&](int64_t from, int64_t to) {
      double bx[FieldPoints::most] = {}, by[FieldPoints::most] = {}, bz[FieldPoints::most] = {};
      float bv[FieldPoints::most];
      const uint32_t* which = order.data() + from;
      for (int64_t i = 0; i < to - from; ++i) bx[i] = px[which[i]], by[i] = py[which[i]], bz[i] = pz[which[i]];
      root_->values({bx, by, bz, to - from, box_around(bx, by, bz, to - from)}, bv);
      for (int64_t i = 0; i < to - from; ++i) v[static_cast<size_t>(begin) + which[i]] = bv[i];
    });
  }
}

Vec3 Volume::gradient(Vec3 at) const {
  float v = 0, dx = 0, dy = 0, dz = 0;
  root_->gradients({&at.x, &at.y, &at.z, 1, {at, at}}, &v, &dx, &dy, &dz);
  return {static_cast<double>(dx), static_cast<double>(dy), static_cast<double>(dz)};
}

std::optional<double> Volume::cast(Vec3 from, Vec3 direction, double far, double step) const {
  if (!(step > 0) || !(far >= 0) || !(far / step < 1e9)) refuse("a ray needs steps above 0 m and an end");
  const bool started = inside(from);
  const auto along = [&](int64_t i) { return std::min(static_cast<double>(i) * step, far); };
  const auto changes_never = [&](int64_t first, int64_t last) {
    const FieldRange range =
        root_->range(Box3{}.with(from + direction * along(first)).with(from + direction * along(last)));
    return started ? range.low > 0 : range.high <= 0;
  };
  const auto steps = static_cast<int64_t>(std::ceil(far / step));
  // Strides grow where the field is known to keep its sign, and shrink where it is not.
  int64_t stride = 1;
  for (int64_t i = 0; i < steps;) {
    const int64_t next = std::min(i + stride, steps);
    if (next - i > 1 && changes_never(i, next)) {
      i = next;
      stride = std::min<int64_t>(2 * stride, 1 << 20);
      continue;
    }
    if (next - i > 1) {
      stride = stride > 4 ? stride / 4 : 1;
      continue;
    }
    if (inside(from + direction * along(next)) != started) {
      double near = along(i), out = along(next);
      while (out - near > step * 1e-3) {
        const double middle = 0.5 * (near + out);
        (inside(from + direction * middle) != started ? out : near) = middle;
      }
      return 0.5 * (near + out);
    }
    i = next;
    if (i % 8 == 0) stride = 8;
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

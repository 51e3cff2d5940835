#include "tepui/volume/volume.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/volume/space_order.h"

namespace tepui {

namespace {

void require_room(size_t points, size_t room) {
  if (points != room) refuse("a batch needs lists of one length: one number for every point");
}

}  // namespace

Volume::Volume() : Volume(empty_solid(usual_threshold), usual_threshold) {}

Volume::Volume(SolidPointer root, double threshold, Geology rock)
    : root_(std::move(root)), threshold_(threshold), rock_(std::move(rock)) {}

Volume Volume::with_root(SolidPointer root) const {
  Volume other = *this;
  other.root_ = std::move(root);
  return other;
}

Volume Volume::with_made(Made made) const {
  Volume other = *this;
  other.made_.push_back(std::move(made));
  return other;
}

Volume Volume::with_part(const Volume& part) const {
  Volume other = *this;
  other.made_.insert(other.made_.end(), part.made_.begin(), part.made_.end());
  if (!other.land_) other.land_ = part.land_, other.land_hash_ = part.land_hash_;
  return other;
}

Volume Volume::with_land(Terrain land) const {
  Volume other = *this;
  other.land_ = std::move(land);
  other.land_hash_ = other.land_->hash();
  return other;
}

std::optional<double> Volume::floor() const {
  const Box3 box = support();
  if (box.empty()) return std::nullopt;
  const SurfaceSketch sketch = root_->sketch();
  return sketch.sheet != nullptr && !sketch.ground.empty() ? sketch.ground.low.z : box.low.z;
}

float Volume::value(Vec3 at) const {
  float v = nothing();
  if (is_place(at.x, at.y, at.z)) root_->values({&at.x, &at.y, &at.z, 1, {at, at}}, &v);
  return v;
}

float Volume::nothing() const { return static_cast<float>(-threshold_); }

/// Points of a batch that lie near each other.
struct Volume::Gathered {
  double x[FieldPoints::most], y[FieldPoints::most], z[FieldPoints::most];
  bool is_there[FieldPoints::most];
  const uint32_t* which;  ///< of the batch's part
  int64_t count;

  FieldPoints points() const { return {x, y, z, count, box_around(x, y, z, count)}; }
};

/// Calls tell(batch, first) for points in order of space; first + which[i] is a point's number. What is no place stands
/// where the one before it does, or at the origin.
template <class Tell>
void Volume::for_batches(const PlaceLists& at, const Context& context, const Tell& tell) const {
  const auto count = static_cast<int64_t>(at.x.size());
  if (at.y.size() != at.x.size() || at.z.size() != at.x.size()) refuse("a batch needs as many x as y and z");
  for (int64_t begin = 0; begin < count; begin += most_in_order) {
    const int64_t part = std::min(count - begin, most_in_order);
    const Context stage = context.stage("", static_cast<double>(begin) / static_cast<double>(count),
                                        static_cast<double>(begin + part) / static_cast<double>(count));
    const double *px = at.x.data() + begin, *py = at.y.data() + begin, *pz = at.z.data() + begin;
    const std::vector<uint32_t> order = order_in_space(px, py, pz, part);
    parallel_chunks(part, FieldPoints::most, stage, [&](int64_t from, int64_t to) {
      Gathered batch;
      batch.which = order.data() + from;
      batch.count = to - from;
      Vec3 last{};
      for (int64_t i = 0; i < batch.count; ++i) {
        const uint32_t n = batch.which[i];
        batch.is_there[i] = is_place(px[n], py[n], pz[n]);
        if (batch.is_there[i]) last = {px[n], py[n], pz[n]};
        batch.x[i] = last.x, batch.y[i] = last.y, batch.z[i] = last.z;
      }
      tell(batch, static_cast<size_t>(begin));
    });
  }
}

void Volume::values(std::span<const double> x, std::span<const double> y, std::span<const double> z, std::span<float> v,
                    const Context& context) const {
  require_room(x.size(), v.size());
  for_batches({x, y, z}, context, [&](const Gathered& batch, size_t first) {
    float told[FieldPoints::most];
    root_->values(batch.points(), told);
    for (int64_t i = 0; i < batch.count; ++i) v[first + batch.which[i]] = batch.is_there[i] ? told[i] : nothing();
  });
}

void Volume::inside(std::span<const double> x, std::span<const double> y, std::span<const double> z,
                    std::span<uint8_t> rock, const Context& context) const {
  require_room(x.size(), rock.size());
  for_batches({x, y, z}, context, [&](const Gathered& batch, size_t first) {
    float told[FieldPoints::most];
    root_->values(batch.points(), told);
    for (int64_t i = 0; i < batch.count; ++i) rock[first + batch.which[i]] = batch.is_there[i] && told[i] > 0 ? 1 : 0;
  });
}

void Volume::gradients(std::span<const double> x, std::span<const double> y, std::span<const double> z,
                       std::span<float> dx, std::span<float> dy, std::span<float> dz, const Context& context) const {
  for (const size_t room : {dx.size(), dy.size(), dz.size()}) require_room(x.size(), room);
  for_batches({x, y, z}, context, [&](const Gathered& batch, size_t first) {
    float v[FieldPoints::most], gx[FieldPoints::most], gy[FieldPoints::most], gz[FieldPoints::most];
    root_->gradients(batch.points(), v, gx, gy, gz);
    for (int64_t i = 0; i < batch.count; ++i) {
      const size_t n = first + batch.which[i];
      dx[n] = batch.is_there[i] ? gx[i] : 0.0f;
      dy[n] = batch.is_there[i] ? gy[i] : 0.0f;
      dz[n] = batch.is_there[i] ? gz[i] : 0.0f;
    }
  });
}

void Volume::resistances(std::span<const double> x, std::span<const double> y, std::span<const double> z,
                         std::span<float> rho, const Context& context) const {
  for (const size_t room : {y.size(), z.size(), rho.size()}) require_room(x.size(), room);
  parallel_chunks(static_cast<int64_t>(x.size()), FieldPoints::most, context, [&](int64_t begin, int64_t end) {
    rock_.resistance({x.data() + begin, y.data() + begin, z.data() + begin, end - begin}, rho.data() + begin);
  });
}

Vec3 Volume::gradient(Vec3 at) const {
  float v = 0, dx = 0, dy = 0, dz = 0;
  if (is_place(at.x, at.y, at.z)) root_->gradients({&at.x, &at.y, &at.z, 1, {at, at}}, &v, &dx, &dy, &dz);
  return {static_cast<double>(dx), static_cast<double>(dy), static_cast<double>(dz)};
}

void Volume::casts(std::span<const Vec3> from, std::span<const Vec3> direction, double far, double step,
                   std::span<std::optional<double>> hits, const Context& context) const {
  require_room(from.size(), direction.size());
  require_room(from.size(), hits.size());
  parallel_chunks(static_cast<int64_t>(from.size()), 16, context, [&](int64_t begin, int64_t end) {
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
      hits[i] = cast(from[i], direction[i], far, step);
  });
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

size_t Volume::bytes() const {
  size_t bytes = sizeof *this + root_->bytes() + rock_.bytes();
  for (const Made& made : made_) bytes += sizeof made + made.numbers.size() * sizeof(Made::Number);
  if (land_)
    for (const Layer& layer : land_->layers())
      if (layer.name != "height") bytes += layer.grid().bytes();
  return bytes;
}

Hash Volume::hash() const {
  Hasher hasher;
  hasher.add("volume").add(threshold_).add(rock_.hash());
  root_->hash(hasher);
  for (const Made& made : made_) {
    hasher.add(made.by).add(static_cast<int64_t>(made.numbers.size()));
    for (const Made::Number& number : made.numbers) hasher.add(number.name).add(number.value);
  }
  if (land_) hasher.add(land_hash_);
  return hasher.finish();
}

}  // namespace tepui

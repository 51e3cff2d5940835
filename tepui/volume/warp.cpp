#include "tepui/volume/warp.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/noise.h"
#include "tepui/volume/tree.h"

namespace tepui {

namespace {

struct Points {
  double x[FieldPoints::most], y[FieldPoints::most], z[FieldPoints::most];
};

NoiseSpec channel(const WarpParams& params, double scale, uint64_t which) {
  NoiseSpec spec;
  spec.scale = scale;
  spec.octaves = params.octaves;
  spec.key = params.seed.stream("warp").bits(which);
  return spec;
}

/// delta f_D.
class Displacement {
 public:
  Displacement(const Region& region, const Box3& whole, double amplitude, const NoiseSpec (&channels)[3])
      : region_(region),
        whole_(whole),
        amplitude_(amplitude),
        noise_{Noise(channels[0]), Noise(channels[1]), Noise(channels[2])} {
    key_ = channels[0].key;
    scale_ = channels[0].scale;
    octaves_ = channels[0].octaves;
  }

  const Region& region() const { return region_; }
  double amplitude() const { return amplitude_; }
  double finest() const { return scale_ / static_cast<double>(int64_t{1} << std::min(octaves_ - 1, 40)); }

  /// Noise is asked only where there is something to move: elsewhere places may be anywhere.
  void at(const Points& p, int64_t count, Points& d) const {
    Points few;
    double weight[FieldPoints::most];
    int64_t which[FieldPoints::most], some = 0;
    for (int64_t i = 0; i < count; ++i) {
      d.x[i] = d.y[i] = d.z[i] = 0;
      const Vec3 place{p.x[i], p.y[i], p.z[i]};
      const double w = whole_.holds(place) ? region_.weight(place) : 0;
      if (!(w > 0)) continue;
      weight[some] = w * amplitude_;
      which[some] = i;
      few.x[some] = p.x[i];
      few.y[some] = p.y[i];
      few.z[some++] = p.z[i];
    }
    const auto n = static_cast<size_t>(some);
    float out[FieldPoints::most];
    double* const to[] = {d.x, d.y, d.z};
    for (int c = 0; c < 3; ++c) {
      noise_[c].points({few.x, n}, {few.y, n}, {few.z, n}, {out, n});
      for (int64_t i = 0; i < some; ++i) to[c][which[i]] = weight[i] * static_cast<double>(out[i]);
    }
  }

  Hash hash() const {
    Hasher hasher;
    region_.hash(hasher);
    hasher.add(amplitude_).add(key_).add(scale_).add(octaves_);
    return hasher.finish();
  }

 private:
  Region region_;
  Box3 whole_;
  double amplitude_;
  Noise noise_[3];
  uint64_t key_ = 0;
  double scale_ = 1;
  int octaves_ = 1;
};

class WarpedSolid : public Solid {
 public:
  WarpedSolid(SolidPointer part, Displacement displacement)
      : part_(std::move(part)), displacement_(std::move(displacement)) {
    const Box3 own = part_->support(), moved = beyond_rounding(own.grown(displacement_.amplitude()));
    support_ = own.with(moved.within(displacement_.region().box()));
  }

  void values(const FieldPoints& at, float* v) const override {
    if (!at.box.meets(displacement_.region().box())) return part_->values(at, v);
    Points p, moved;
    part_->values(move(at, p, moved), v);
  }

  void gradients(const FieldPoints& at, float* v, float* dx, float* dy, float* dz) const override {
    if (!at.box.meets(displacement_.region().box())) return part_->gradients(at, v, dx, dy, dz);
    Points p, moved;
    part_->gradients(move(at, p, moved), v, dx, dy, dz);
    const double step = displacement_.finest() / 64;
    float* const out[] = {dx, dy, dz};
    double* const axes[] = {p.x, p.y, p.z};
    double sum[3][FieldPoints::most];
    Points after, before;
    for (int a = 0; a < 3; ++a) {
      difference(p, axes[a], at.count, step, after, before);
      for (int64_t i = 0; i < at.count; ++i) {
        const Vec3 change{after.x[i] - before.x[i], after.y[i] - before.y[i], after.z[i] - before.z[i]};
        const bool moves = displacement_.region().box().holds({p.x[i], p.y[i], p.z[i]});
        const Vec3 slope{dx[i], dy[i], dz[i]};
        sum[a][i] = static_cast<double>(out[a][i]) + (moves ? dot(change, slope) / (2 * step) : 0);
      }
    }
    for (int a = 0; a < 3; ++a)
      for (int64_t i = 0; i < at.count; ++i) out[a][i] = static_cast<float>(sum[a][i]);
  }

  FieldRange range(const Box3& box) const override {
    if (!box.meets(displacement_.region().box())) return part_->range(box);
    return part_->range(beyond_rounding(box.grown(displacement_.amplitude())));
  }
  Box3 support() const override { return support_; }

  SurfaceSketch sketch() const override {
    SurfaceSketch sketch = part_->sketch();
    const Box3& where = displacement_.region().box();
    const double far = displacement_.amplitude(), aside = far * std::sqrt(2.0);
    const auto widened = [&](const Box3& box) { return box.with(beyond_rounding(box.grown(far)).within(where)); };
    for (Box3& box : sketch.boxes) box = widened(box);
    if (sketch.sheet == nullptr) return sketch;
    for (SurfaceSketch::Band& band : sketch.bands)
      if (band.where.grown(far).meets(where))
        band = {widened(band.where), band.below + far, band.above + far, band.spread + aside};
    // Above the ground, too, what comes down from there may have been rock.
    Box3 bent = sketch.ground;
    bent.high.z = std::max(bent.high.z, where.high.z);
    bent = bent.within(where);
    if (bent.empty()) return sketch;
    sketch.bands.push_back({bent, far, far, aside});
    add_borders(sketch, bent, far);
    return sketch;
  }

  Box3 difference_from(const Solid& other) const override {
    const auto* like = dynamic_cast<const WarpedSolid*>(&other);
    if (like == nullptr || like->displacement_.hash() != displacement_.hash()) return Solid::difference_from(other);
    return beyond_rounding(part_->difference_from(*like->part_).grown(displacement_.amplitude()));
  }
  std::vector<SolidPointer> children() const override { return {part_}; }
  void hash(Hasher& hasher) const override {
    hasher.add("warp").add(displacement_.hash());
    part_->hash(hasher);
  }
  size_t bytes() const override { return sizeof *this + part_->bytes(); }

 private:
  FieldPoints move(const FieldPoints& at, Points& p, Points& moved) const {
    std::copy_n(at.x, at.count, p.x);
    std::copy_n(at.y, at.count, p.y);
    std::copy_n(at.z, at.count, p.z);
    displacement_.at(p, at.count, moved);
    for (int64_t i = 0; i < at.count; ++i) {
      moved.x[i] += p.x[i];
      moved.y[i] += p.y[i];
      moved.z[i] += p.z[i];
    }
    return {moved.x, moved.y, moved.z, at.count, box_around(moved.x, moved.y, moved.z, at.count), nullptr};
  }

  /// The displacement a step after and before every point along an axis.
  void difference(Points& p, double* axis, int64_t count, double step, Points& after, Points& before) const {
    double kept[FieldPoints::most];
    std::copy_n(axis, count, kept);
    for (int64_t i = 0; i < count; ++i) axis[i] = kept[i] + step;
    displacement_.at(p, count, after);
    for (int64_t i = 0; i < count; ++i) axis[i] = kept[i] - step;
    displacement_.at(p, count, before);
    std::copy_n(kept, count, axis);
  }

  /// Near the ends of `ground` a place may come from beyond them. Above is nothing.
  static void add_borders(SurfaceSketch& sketch, const Box3& bent, double far) {
    const Box3 inner = sketch.ground.grown(-far);
    for (int side = 0; side < 5; ++side) {
      Box3 slab = bent;
      if (side == 0) slab.high.x = std::min(slab.high.x, inner.low.x);
      if (side == 1) slab.low.x = std::max(slab.low.x, inner.high.x);
      if (side == 2) slab.high.y = std::min(slab.high.y, inner.low.y);
      if (side == 3) slab.low.y = std::max(slab.low.y, inner.high.y);
      if (side == 4) slab.high.z = std::min(slab.high.z, inner.low.z);
      if (!slab.empty()) sketch.boxes.push_back(slab);
    }
  }

  SolidPointer part_;
  Displacement displacement_;
  Box3 support_;
};

}  // namespace

void describe(Fields<WarpParams>& f) {
  f.about("Distort space, so that smooth rock becomes rugged and walls overhang");
  f.reach(Reach::point);
  f.example("circular_faults | implicitize | {}");
  f("amplitude", &WarpParams::amplitude, Range{0, 1e6},
    "largest displacement along each axis; at most about 8% of 'scale' for one octave")
      .slider(0, 1)
      .sweep("0.1%", "0.2%", "0.4%");
  f("scale", &WarpParams::scale, open_range(0, 1e9), "distance between the lumps of the first octave").slider(0.5, 50);
  f("octaves", &WarpParams::octaves, Range{1, 8},
    "number of octaves, each half as wide and half as strong as the one before");
  describe_region(f);
  f.seed(&WarpParams::seed);
}

Volume warp(const Frame& world, const Volume& in, const WarpParams& params, const Context&) {
  const double amplitude = params.amplitude.in(world), scale = params.scale.in(world);
  if (amplitude == 0 || in.support().empty()) return in;
  if (!(scale > 0)) refuse("'scale' is 0", "give the distance between lumps");
  const Placing placing(world, &in, params.positions, params.heights);
  const Box3 whole = beyond_rounding(in.support().grown(amplitude));
  const Region region(params, placing, whole);
  const NoiseSpec channels[] = {channel(params, scale, 0), channel(params, scale, 1), channel(params, scale, 2)};
  const double steepness = region.steepest() + steepest_slope_in_space(channels[0]);
  const double most = 1 / (std::sqrt(3.0) * steepness);
  if (!(amplitude < most))
    refuse(fmt::format("an amplitude of {:.4g} m with lumps {:.4g} m apart would fold space over itself", amplitude,
                       scale),
           fmt::format("use less than {:.4g} m, or larger lumps, fewer octaves or a wider falloff", most));
  // The rock may lie outside the world, and be higher than that is wide.
  Frame around = world;
  around.origin = {std::min(whole.low.x, whole.low.z), std::min(whole.low.y, whole.low.z)};
  around.size = Vec2{std::max(whole.high.x, whole.high.z), std::max(whole.high.y, whole.high.z)} - around.origin;
  require_fine_positions(around, channels[0], amplitude);
  return in.with_root(
      modest_tree(std::make_shared<WarpedSolid>(in.share(), Displacement(region, whole, amplitude, channels))));
}

}  // namespace tepui

#include "tepui/volume/instances.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/volume/box_tree.h"
#include "tepui/volume/csg.h"
#include "tepui/volume/primitive.h"
#include "tepui/volume/tree.h"

namespace tepui {

namespace {

constexpr size_t most_copies = 10'000'000;

/// What a copy costs: q = R(-turn) (p - at) / scale, from the pivot.
struct Placed {
  Vec3 at;
  double cosine, sine, shrink;
};

class CopiesSolid : public Solid {
 public:
  CopiesSolid(SolidPointer part, Vec3 pivot, const std::vector<Placement>& places, CopyJoin join, double threshold)
      : part_(std::move(part)), pivot_(pivot), join_(join), threshold_(static_cast<float>(threshold)) {
    const Box3 whole = part_->support();
    own_ = {whole.low - pivot_, whole.high - pivot_};
    std::vector<Box3> boxes;
    for (const Placement& place : places) {
      copies_.push_back({place.at, math::cos(place.turn), math::sin(place.turn), 1 / place.scale});
      boxes.push_back(box_of_copy(copies_.back()));
      support_ = support_.with(boxes.back());
    }
    copies_.shrink_to_fit();
    tree_ = BoxTree(boxes);
  }

  void values(const FieldPoints& at, float* v) const override { ask<false>(at, v, nullptr, nullptr, nullptr); }
  void gradients(const FieldPoints& at, float* v, float* dx, float* dy, float* dz) const override {
    for (float* d : {dx, dy, dz}) std::fill_n(d, at.count, 0.0f);
    ask<true>(at, v, dx, dy, dz);
  }

  FieldRange range(const Box3& box) const override {
    std::vector<uint32_t> near;
    tree_.near(box, near);
    FieldRange all{-threshold_, -threshold_};
    double low = 0, high = 0;
    for (const uint32_t i : near) {
      if (!box.meets(box_of_copy(copies_[i]))) continue;
      const FieldRange one = part_->range(box_in_copy(copies_[i], box));
      all = {std::max(all.low, one.low), std::max(all.high, one.high)};
      low += std::min(0.0, static_cast<double>(one.low) + threshold_);
      high += std::max(0.0, static_cast<double>(one.high) + threshold_);
    }
    if (join_ == CopyJoin::unite) return all;
    return {static_cast<float>(low - threshold_), static_cast<float>(high - threshold_)};
  }

  Box3 support() const override { return support_; }
  SurfaceSketch sketch() const override {
    SurfaceSketch sketch;
    for (const Placed& copy : copies_) sketch.boxes.push_back(box_of_copy(copy));
    return sketch;
  }
  std::vector<SolidPointer> children() const override { return {part_}; }
  void hash(Hasher& hasher) const override {
    hasher.add("copies").add(static_cast<int>(join_)).add(static_cast<double>(threshold_));
    hasher.add(pivot_.x).add(pivot_.y).add(pivot_.z).add(hash_bytes(copies_.data(), copies_.size() * sizeof(Placed)));
    part_->hash(hasher);
  }
  size_t bytes() const override {
    return sizeof *this + copies_.capacity() * sizeof(Placed) + tree_.bytes() + part_->bytes();
  }

 private:
  struct Few {
    double x[FieldPoints::most], y[FieldPoints::most], z[FieldPoints::most];
    int64_t which[FieldPoints::most], count = 0;
    float v[FieldPoints::most], dx[FieldPoints::most], dy[FieldPoints::most], dz[FieldPoints::most];
  };

  Box3 box_of_copy(const Placed& copy) const {
    const double size = 1 / copy.shrink;
    const Vec3 middle = (own_.low + own_.high) * 0.5, half = (own_.high - own_.low) * 0.5;
    const Vec3 there{copy.cosine * middle.x - copy.sine * middle.y, copy.sine * middle.x + copy.cosine * middle.y,
                     middle.z};
    const double c = std::abs(copy.cosine), s = std::abs(copy.sine);
    const Vec3 out{c * half.x + s * half.y, s * half.x + c * half.y, half.z};
    return beyond_rounding({copy.at + (there - out) * size, copy.at + (there + out) * size});
  }
  Vec3 place_in_copy(const Placed& copy, Vec3 p) const {
    const Vec3 d = p - copy.at;
    return pivot_ + Vec3{copy.cosine * d.x + copy.sine * d.y, copy.cosine * d.y - copy.sine * d.x, d.z} * copy.shrink;
  }
  Box3 box_in_copy(const Placed& copy, const Box3& box) const {
    Box3 turned;
    for (const double x : {box.low.x, box.high.x})
      for (const double y : {box.low.y, box.high.y})
        for (const double z : {box.low.z, box.high.z}) turned = turned.with(place_in_copy(copy, {x, y, z}));
    return beyond_rounding(turned);
  }

  /// Every copy is asked at the points within its box alone.
  template <bool sloped>
  void ask(const FieldPoints& at, float* v, float* dx, float* dy, float* dz) const {
    std::vector<uint32_t> near;
    tree_.near(at.box, near);
    double sum[FieldPoints::most];
    std::fill_n(v, at.count, -threshold_);
    if (join_ == CopyJoin::blend) std::fill_n(sum, at.count, 0.0);
    Few few;
    for (const uint32_t i : near) {
      const Placed& copy = copies_[i];
      gather(at, copy, few);
      if (few.count == 0) continue;
      const FieldPoints there{few.x, few.y, few.z, few.count, box_around(few.x, few.y, few.z, few.count), nullptr};
      if constexpr (sloped) {
        part_->gradients(there, few.v, few.dx, few.dy, few.dz);
        turn(copy, few);
      } else {
        part_->values(there, few.v);
      }
      for (int64_t n = 0; n < few.count; ++n) {
        const int64_t p = few.which[n];
        const bool replaces = few.v[n] > v[p];
        if constexpr (sloped) add_slope(few, n, replaces, dx[p], dy[p], dz[p]);
        if (join_ == CopyJoin::blend)
          sum[p] += static_cast<double>(few.v[n]) + threshold_;
        else if (replaces)
          v[p] = few.v[n];
      }
    }
    if (join_ == CopyJoin::blend)
      for (int64_t p = 0; p < at.count; ++p) v[p] = static_cast<float>(sum[p] - threshold_);
  }

  void add_slope(const Few& few, int64_t n, bool replaces, float& dx, float& dy, float& dz) const {
    if (join_ == CopyJoin::blend) {
      dx += few.dx[n];
      dy += few.dy[n];
      dz += few.dz[n];
    } else if (replaces) {
      dx = few.dx[n];
      dy = few.dy[n];
      dz = few.dz[n];
    }
  }

  void gather(const FieldPoints& at, const Placed& copy, Few& few) const {
    few.count = 0;
    const Box3 box = box_of_copy(copy);
    if (!box.meets(at.box)) return;
    for (int64_t p = 0; p < at.count; ++p) {
      const Vec3 place{at.x[p], at.y[p], at.z[p]};
      if (!box.holds(place)) continue;
      const Vec3 q = place_in_copy(copy, place);
      few.x[few.count] = q.x;
      few.y[few.count] = q.y;
      few.z[few.count] = q.z;
      few.which[few.count++] = p;
    }
  }

  static void turn(const Placed& copy, Few& few) {
    for (int64_t n = 0; n < few.count; ++n) {
      const Vec3 g{few.dx[n], few.dy[n], few.dz[n]};
      few.dx[n] = static_cast<float>((copy.cosine * g.x - copy.sine * g.y) * copy.shrink);
      few.dy[n] = static_cast<float>((copy.sine * g.x + copy.cosine * g.y) * copy.shrink);
      few.dz[n] = static_cast<float>(g.z * copy.shrink);
    }
  }

  SolidPointer part_;
  Vec3 pivot_;
  CopyJoin join_;
  float threshold_;
  Box3 own_, support_;
  std::vector<Placed> copies_;
  BoxTree tree_;
};

std::vector<Copy> copies_along(const Lines& along) {
  std::vector<Copy> copies;
  if (along.vertices().size() > most_copies)
    refuse(fmt::format("the lines have more than {} points, and each becomes a copy", most_copies), "thin them out");
  copies.reserve(along.vertices().size());
  for (const Vec3& point : along.vertices()) copies.push_back({point, {0}, 1});
  return copies;
}

}  // namespace

void describe(Fields<Copy>& f) {
  f("at", &Copy::at, Range{-1e9, 1e9}, "position of the copy");
  f("turn", &Copy::turn, Range{-360, 360}, "rotation about the vertical, counter-clockwise from above");
  f("scale", &Copy::scale, Range{1e-3, 1e3}, "factor of its size");
}

void describe(Fields<InstancesParams>& f) {
  f.about("Place copies of a volume, which share its memory");
  f.reach(Reach::point);
  f.example(
      "sculpt strokes=cone:[50,50,0]:[50,50,14]::4%:1%:::3%:15 | circular_faults | implicitize | {} in=sculpt "
      "onto=implicitize");
  f("copies", &InstancesParams::copies, "positions of the copies; ignored if lines are given");
  describe_placing(f);
  f("about", &InstancesParams::about, {"middle", "foot", "origin"},
    "point of the volume that is put there: the middle of its box, of the box's floor, or (0, 0, 0)");
  f("join", &InstancesParams::join, {"union", "blend"},
    "how copies are joined with each other and with the land below");
  f("scale", &InstancesParams::scale, Range{1e-3, 1e3}, "factor of all sizes").slider(0.1, 3).sweep("0.5", "1", "1.5");
  f("scales", &InstancesParams::scales, Range{1e-3, 1e3}, "range of a random factor of each size");
  f("turned", &InstancesParams::turned, "turn every copy at random");
  f.seed(&InstancesParams::seed);
}

SolidPointer copies_of(SolidPointer part, Vec3 pivot, const std::vector<Placement>& places, CopyJoin join,
                       double threshold) {
  for (size_t i = 0; i < places.size(); ++i) {
    const auto& [at, turn, scale] = places[i];
    if (!std::isfinite(at.x) || !std::isfinite(at.y) || !std::isfinite(at.z) || !std::isfinite(turn))
      refuse(fmt::format("copy {} has a position or rotation that is not finite", i));
    if (!(scale > 0) || !std::isfinite(scale)) refuse(fmt::format("copy {} has no size", i));
  }
  if (places.empty() || part->support().empty()) return empty_solid(threshold);
  return modest_tree(std::make_shared<CopiesSolid>(std::move(part), pivot, places, join, threshold));
}

Volume instances(const Frame& world, const Volume& in, const Volume* onto, const Lines* along,
                 const InstancesParams& params, const Context& context) {
  if (onto != nullptr) require_same_threshold(*onto, in);
  // Lines are in metres of the world.
  const Placing placing(world, onto, along != nullptr ? Positions::metres : params.positions, params.heights);
  const std::vector<Copy> copies = along != nullptr ? copies_along(*along) : params.copies;
  const Stream stream = params.seed.stream("instances");
  std::vector<Placement> places;
  for (size_t i = 0; i < copies.size(); ++i) {
    if (i % 1024 == 0) context.check();
    const Copy& copy = copies[i];
    Placement place;
    place.at = placing.place(copy.at);
    place.turn = math::radians(copy.turn.degrees + (params.turned ? stream.uniform(i, 0, 0, 360) : 0));
    place.scale = copy.scale * params.scale * stream.uniform(i, 1, params.scales.low, params.scales.high);
    places.push_back(place);
  }
  const Vec3 pivot = pivot_of(in, params.about);
  SolidPointer set = copies_of(in.share(), pivot, places, params.join, in.threshold());
  if (onto == nullptr) return in.with_root(std::move(set));
  if (params.join == CopyJoin::unite)
    return onto->with_root(csg(Csg::united, {onto->share(), std::move(set)}, 0, onto->threshold()));
  return onto->with_root(modest_tree(blended({onto->share(), std::move(set)}, {}, onto->threshold())));
}

}  // namespace tepui

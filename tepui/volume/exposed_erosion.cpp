#include "tepui/volume/exposed_erosion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace tepui {

namespace {

/// So few points are worn at a time, that a deep tree does not need much room.
constexpr int64_t most = 64;
constexpr double slant = 0.5 * std::numbers::sqrt2;
constexpr std::array<Vec3, 6> axes{{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}};
constexpr std::array<Vec3, 12> diagonals{{{slant, slant, 0},
                                          {slant, -slant, 0},
                                          {-slant, slant, 0},
                                          {-slant, -slant, 0},
                                          {slant, 0, slant},
                                          {slant, 0, -slant},
                                          {-slant, 0, slant},
                                          {-slant, 0, -slant},
                                          {0, slant, slant},
                                          {0, slant, -slant},
                                          {0, -slant, slant},
                                          {0, -slant, -slant}}};
/// Where the field is asked on the way out, as shares of the reach.
constexpr std::array<double, 3> shares{1.0 / 3, 2.0 / 3, 1};
/// How often the rock is asked on the way to the air: beds thinner than that part of it may be overlooked.
constexpr int rocks_on_the_way = 6;

/// The field along a way, straight between places where it was asked.
struct Way {
  std::array<double, 4> at{}, v{};  ///< metres from the point, and f - T there
  int count = 0;

  void add(double metres, double value) {
    at[static_cast<size_t>(count)] = metres;
    v[static_cast<size_t>(count++)] = value;
  }
  double least() const { return *std::min_element(v.begin(), v.begin() + count); }
  /// Metres to the first air, or below 0.
  double exit() const {
    for (size_t i = 1; i < static_cast<size_t>(count); ++i)
      if (v[i] <= 0) return at[i - 1] + (at[i] - at[i - 1]) * (v[i - 1] / (v[i - 1] - v[i]));
    return -1;
  }
  double least_within(double metres) const {
    double least = v[0];
    for (size_t i = 1; i < static_cast<size_t>(count); ++i) {
      if (at[i] > metres)
        return std::min(least, v[i - 1] + (v[i] - v[i - 1]) * (metres - at[i - 1]) / (at[i] - at[i - 1]));
      least = std::min(least, v[i]);
    }
    return least;
  }
};

/// Rock that may be worn.
struct Worn {
  int64_t count = 0;
  int64_t which[most];
  Vec3 at[most];
  double v[most], rho[most];
  double budget[most];  ///< metres that rock of no resistance loses
  double reach[most];
  double left[most];  ///< v'
};

class ExposedSolid : public Solid {
 public:
  ExposedSolid(SolidPointer part, Geology rock, const Region& region, double depth, double threshold)
      : part_(std::move(part)), rock_(std::move(rock)), region_(region), depth_(depth), threshold_(threshold) {
    const SurfaceSketch sketch = part_->sketch();
    if (sketch.sheet == nullptr) return;
    ground_ = sketch.ground;
    ground_.high.z = Box3::far;
  }

  void values(const FieldPoints& at, float* v) const override {
    part_->values(at, v);
    if (!at.box.meets(region_.box())) return;
    for (int64_t first = 0; first < at.count; first += most)
      wear({at.x + first, at.y + first, at.z + first, std::min(most, at.count - first), {}}, v + first);
  }

  void gradients(const FieldPoints& at, float* v, float* dx, float* dy, float* dz) const override {
    part_->gradients(at, v, dx, dy, dz);
    if (!at.box.grown(step()).meets(region_.box())) return;
    float now[FieldPoints::most];
    std::copy_n(v, at.count, now);
    for (int64_t first = 0; first < at.count; first += most)
      wear({at.x + first, at.y + first, at.z + first, std::min(most, at.count - first), {}}, now + first);
    // Where nothing is taken the field keeps its own slope.
    double x[FieldPoints::most], y[FieldPoints::most], z[FieldPoints::most];
    int64_t which[FieldPoints::most], some = 0;
    for (int64_t i = 0; i < at.count; ++i) {
      if (now[i] == v[i]) continue;
      which[some] = i;
      x[some] = at.x[i], y[some] = at.y[i], z[some++] = at.z[i];
    }
    std::copy_n(now, at.count, v);
    float after[FieldPoints::most], before[FieldPoints::most];
    double* const places[] = {x, y, z};
    const double* const from[] = {at.x, at.y, at.z};
    float* const out[] = {dx, dy, dz};
    for (int a = 0; some > 0 && a < 3; ++a) {
      for (int64_t i = 0; i < some; ++i) places[a][i] = from[a][which[i]] + step();
      values({x, y, z, some, box_around(x, y, z, some)}, after);
      for (int64_t i = 0; i < some; ++i) places[a][i] = from[a][which[i]] - step();
      values({x, y, z, some, box_around(x, y, z, some)}, before);
      for (int64_t i = 0; i < some; ++i) {
        places[a][i] = from[a][which[i]];
        const double change = static_cast<double>(after[i]) - static_cast<double>(before[i]);
        out[a][which[i]] = static_cast<float>(change / (2 * step()));
      }
    }
  }

  FieldRange range(const Box3& box) const override {
    FieldRange range = part_->range(box);
    if (!box.meets(region_.box())) return range;
    const double low = static_cast<double>(range.low);
    const auto around = static_cast<double>(part_->range(box.grown(1.000001 * depth_)).low);
    range.low = static_cast<float>(std::max(std::min(around, low - faded(depth_)), std::min(low, -threshold_)));
    return range;
  }
  Box3 support() const override { return part_->support(); }

  /// All rock was rock before, and only such goes as lies within `depth_` of air.
  SurfaceSketch sketch() const override {
    SurfaceSketch sketch = part_->sketch();
    if (sketch.sheet == nullptr) return sketch;
    if (region_.is_drawn()) {
      for (const Box3& box : region_.boxes()) sketch.boxes.push_back(box);
      return sketch;
    }
    const Box3 worn = sketch.ground.within(region_.box());
    if (worn.empty()) return sketch;
    for (Box3& box : sketch.boxes)
      if (const Box3 around = box.grown(depth_).within(region_.box()); !around.empty()) box = box.with(around);
    for (SurfaceSketch::Band& band : sketch.bands) {
      const Box3 around = band.where.grown(depth_).within(region_.box());
      if (around.empty()) continue;
      band.where = band.where.with(around);
      band.below += depth_;
      band.above += depth_;
      band.spread += depth_;
    }
    sketch.bands.push_back({worn, depth_, 0, depth_});
    return sketch;
  }

  Box3 difference_from(const Solid& other) const override {
    const auto* like = dynamic_cast<const ExposedSolid*>(&other);
    if (like == nullptr || like->own_hash(false) != own_hash(false) || like->region_.is_drawn() != region_.is_drawn())
      return Solid::difference_from(other);
    const Box3 below = part_->difference_from(*like->part_), drawn = region_.difference_from(like->region_);
    return below.grown(depth_).with(drawn.grown(step()));
  }
  std::vector<SolidPointer> children() const override { return {part_}; }
  void hash(Hasher& hasher) const override {
    hasher.add("exposed_erosion").add(own_hash(true));
    part_->hash(hasher);
  }
  size_t bytes() const override { return sizeof *this + rock_.bytes() + part_->bytes(); }

 private:
  Hash own_hash(bool with_region) const {
    Hasher hasher;
    hasher.add(depth_).add(threshold_).add(rock_.hash());
    for (const Vec3 v : {ground_.low, ground_.high}) hasher.add(v.x).add(v.y).add(v.z);
    if (with_region) region_.hash(hasher);
    return hasher.finish();
  }
  double step() const { return 0.1 * depth_; }
  /// Field that so many metres take from the air: s(d) of land with R = 2T.
  double faded(double metres) const {
    return metres < 2 * threshold_ ? metres - metres * metres / (4 * threshold_) : threshold_;
  }

  /// At most `most` points; their v becomes v'.
  void wear(const FieldPoints& at, float* v) const {
    Worn worn;
    gather(at, v, worn);
    if (worn.count == 0) return;
    Way along[6][most];
    Vec3 out[most];
    look_around(worn, along, out);
    Way ways[most];
    for (const bool level : {false, true}) {
      Vec3 u[most];
      for (int64_t i = 0; i < worn.count; ++i) {
        u[i] = level ? Vec3{out[i].x, out[i].y, 0} : out[i];
        const double size = length(u[i]);
        // As good as upright, or as level already.
        const bool idle = level && (size < 0.2 || std::abs(out[i].z) < 0.05);
        u[i] = size > 0 && !idle ? u[i] * (1 / size) : Vec3{};
      }
      for (int64_t i = 0; i < worn.count; ++i) ways[i] = start(worn, i);
      for (const double share : shares) follow(worn, u, share, ways);
      settle(worn, u, ways);
    }
    for (size_t a = 0; a < axes.size(); ++a) {
      Vec3 u[most];
      std::fill_n(u, worn.count, axes[a]);
      settle(worn, u, along[a]);
    }
    for (int64_t i = 0; i < worn.count; ++i) v[worn.which[i]] = static_cast<float>(std::max(worn.left[i], -threshold_));
  }

  /// Lists the rock; air is done with at once.
  void gather(const FieldPoints& at, float* v, Worn& worn) const {
    double x[most], y[most], z[most], budget[most];
    int64_t which[most], some = 0;
    for (int64_t i = 0; i < at.count; ++i) {
      if (!(static_cast<double>(v[i]) > -threshold_)) continue;
      const double weight = region_.weight({at.x[i], at.y[i], at.z[i]});
      if (!(weight > 0)) continue;
      budget[some] = weight * depth_;
      which[some] = i;
      x[some] = at.x[i], y[some] = at.y[i], z[some++] = at.z[i];
    }
    float rho[most];
    rock_.resistance({x, y, z, some}, rho);
    for (int64_t i = 0; i < some; ++i) {
      const int64_t point = which[i];
      const double now = static_cast<double>(v[point]), hard = static_cast<double>(rho[i]);
      const double reach = budget[i] * (1 - hard);
      if (!(reach > 0)) continue;
      if (!(now > 0)) {
        v[point] = static_cast<float>(std::max(now - faded(reach), -threshold_));
        continue;
      }
      const int64_t n = worn.count++;
      worn.which[n] = point;
      worn.at[n] = {x[i], y[i], z[i]};
      worn.v[n] = worn.left[n] = now;
      worn.rho[n] = hard;
      worn.budget[n] = budget[i];
      worn.reach[n] = reach;
    }
  }

  static Way start(const Worn& worn, int64_t i) {
    Way way;
    way.add(0, worn.v[i]);
    return way;
  }

  /// Asks the field at a share of each point's reach in a direction of its own.
  void ask(const Worn& worn, const Vec3* u, double share, float* v) const {
    double x[most], y[most], z[most];
    for (int64_t i = 0; i < worn.count; ++i) {
      const Vec3 p = worn.at[i];
      Vec3 q = p + u[i] * (share * worn.reach[i]);
      if (ground_.holds(p))
        q = {std::clamp(q.x, ground_.low.x, ground_.high.x), std::clamp(q.y, ground_.low.y, ground_.high.y),
             std::max(q.z, ground_.low.z)};
      x[i] = q.x, y[i] = q.y, z[i] = q.z;
    }
    part_->values({x, y, z, worn.count, box_around(x, y, z, worn.count)}, v);
  }

  void follow(const Worn& worn, const Vec3* u, double share, Way* ways) const {
    float v[most];
    ask(worn, u, share, v);
    for (int64_t i = 0; i < worn.count; ++i) ways[i].add(share * worn.reach[i], static_cast<double>(v[i]));
  }

  /// The way out, of unit length or 0, and the field along the axes.
  void look_around(const Worn& worn, Way (*along)[most], Vec3* out) const {
    Vec3 u[most];
    float v[most];
    std::fill_n(out, worn.count, Vec3{});
    const auto lean = [&](Vec3 direction, const float* told) {
      for (int64_t i = 0; i < worn.count; ++i)
        out[i] = out[i] - direction * std::clamp(static_cast<double>(told[i]), -threshold_, threshold_);
    };
    for (size_t a = 0; a < axes.size(); ++a) {
      std::fill_n(u, worn.count, axes[a]);
      for (int64_t i = 0; i < worn.count; ++i) along[a][i] = start(worn, i);
      for (const double share : {shares.front(), shares.back()}) {
        ask(worn, u, share, v);
        lean(axes[a], v);
        for (int64_t i = 0; i < worn.count; ++i) along[a][i].add(share * worn.reach[i], static_cast<double>(v[i]));
      }
    }
    for (const Vec3 diagonal : diagonals) {
      std::fill_n(u, worn.count, diagonal);
      ask(worn, u, shares.back(), v);
      lean(diagonal, v);
    }
    for (int64_t i = 0; i < worn.count; ++i) {
      const double size = length(out[i]);
      out[i] = size > 1e-6 * threshold_ ? out[i] * (1 / size) : Vec3{};
    }
  }

  /// What is left of rock that is not air yet, by one more way for each.
  void settle(Worn& worn, const Vec3* u, const Way* ways) const {
    int64_t which[most], some = 0;
    double exit[most];
    for (int64_t i = 0; i < worn.count; ++i) {
      if (!(worn.left[i] > 0)) continue;
      const double metres = ways[i].exit();
      if (metres < 0) {
        worn.left[i] = std::min(worn.left[i], ways[i].least());
        continue;
      }
      exit[some] = metres;
      which[some++] = i;
    }
    if (some == 0) return;
    float rho[rocks_on_the_way][most];
    for (int k = 0; k < rocks_on_the_way; ++k) {
      double x[most], y[most], z[most];
      for (int64_t i = 0; i < some; ++i) {
        const Vec3 q = worn.at[which[i]] + u[which[i]] * (exit[i] * (k + 0.5) / rocks_on_the_way);
        x[i] = q.x, y[i] = q.y, z[i] = q.z;
      }
      rock_.resistance({x, y, z, some}, rho[k]);
    }
    for (int64_t i = 0; i < some; ++i) {
      const int64_t n = which[i];
      double time = worn.budget[n], metres = 0;
      for (int k = 0; k < rocks_on_the_way && time > 0; ++k) {
        const double speed = 1 - std::max(worn.rho[n], static_cast<double>(rho[k][i]));
        const double part = exit[i] / rocks_on_the_way, passed = std::min(part, time * speed);
        metres += passed;
        time = passed < part ? 0 : time - part / speed;
      }
      metres += std::max(time, 0.0) * (1 - worn.rho[n]);
      worn.left[n] = std::min(worn.left[n], ways[n].least_within(metres));
    }
  }

  SolidPointer part_;
  Geology rock_;
  Region region_;
  double depth_, threshold_;
  Box3 ground_;  ///< of the land, up to any height; empty where there is none
};

}  // namespace

SolidPointer exposed_erosion(SolidPointer part, Geology rock, const Region& region, double depth, double threshold) {
  return std::make_shared<ExposedSolid>(std::move(part), std::move(rock), region, depth,
                                        static_cast<double>(static_cast<float>(threshold)));
}

}  // namespace tepui

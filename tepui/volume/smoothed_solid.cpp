#include "tepui/volume/smoothed_solid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <unordered_map>

namespace tepui {

namespace {

/// Points of the lattice along a brick.
constexpr int64_t side = 4;

using Index = std::array<int64_t, 3>;
using Coefficients = std::array<float, side * side * side>;

int64_t floor_div(int64_t a) { return a >= 0 ? a / side : -((-a + side - 1) / side); }

struct IndexHash {
  size_t operator()(const Index& i) const {
    uint64_t h = 0;
    for (const int64_t part : i) h = (h ^ static_cast<uint64_t>(part)) * 0x9e3779b97f4a7c15u;
    return static_cast<size_t>(h ^ (h >> 29));
  }
};

/// Bricks of the lattice that have been asked. What is kept never shows: a brick is always the same.
class Bricks {
 public:
  template <class Make>
  std::shared_ptr<const Coefficients> get(const Index& brick, const Make& make) const {
    Shelf& shelf = shelves_[IndexHash()(brick) % shelves_.size()];
    {
      const std::lock_guard lock(shelf.mutex);
      if (const auto found = shelf.bricks.find(brick); found != shelf.bricks.end()) return found->second;
    }
    auto made = std::make_shared<const Coefficients>(make());
    const std::lock_guard lock(shelf.mutex);
    return shelf.bricks.try_emplace(brick, std::move(made)).first->second;
  }

 private:
  struct Shelf {
    std::mutex mutex;
    std::unordered_map<Index, std::shared_ptr<const Coefficients>, IndexHash> bricks;
  };
  mutable std::array<Shelf, 64> shelves_;
};

/// The cubic B-spline's weights of four points, and their slopes, u from 0 to 1 after the second.
struct Spline {
  double weight[4], slope[4];

  explicit Spline(double u) {
    const double r = 1 - u;
    weight[0] = r * r * r / 6;
    weight[1] = (4 - 6 * u * u + 3 * u * u * u) / 6;
    weight[2] = (4 - 6 * r * r + 3 * r * r * r) / 6;
    weight[3] = u * u * u / 6;
    slope[0] = -r * r / 2;
    slope[1] = (-4 * u + 3 * u * u) / 2;
    slope[2] = (4 * r - 3 * r * r) / 2;
    slope[3] = u * u / 2;
  }
};

class SmoothedSolid : public Solid {
 public:
  SmoothedSolid(SolidPointer part, SmoothingWeight weight, double cell, double threshold)
      : part_(std::move(part)),
        weight_(std::move(weight)),
        cell_(cell),
        threshold_(threshold),
        reach_((2 + std::max(0.0, std::ceil(weight_.most_times()) - 1)) * cell) {
    const Box3 own = part_->support();
    support_ = own.empty() ? own : own.with(own.grown(reach()).within(weight_.box()));
  }

  void values(const FieldPoints& at, float* v) const override {
    part_->values(at, v);
    if (!weight_.may(at.box)) return;
    Near near;
    for (int64_t i = 0; i < at.count; ++i) {
      const Vec3 p{at.x[i], at.y[i], at.z[i]};
      const double share = weight_.at(p).share;
      if (share > 0) v[i] = mixed(v[i], share, smoothed(p, near, nullptr));
    }
  }

  void gradients(const FieldPoints& at, float* v, float* dx, float* dy, float* dz) const override {
    part_->gradients(at, v, dx, dy, dz);
    if (!weight_.may(at.box)) return;
    Near near;
    for (int64_t i = 0; i < at.count; ++i) {
      const Vec3 p{at.x[i], at.y[i], at.z[i]};
      const double share = weight_.at(p).share;
      if (!(share > 0)) continue;
      Vec3 slope;
      const double s = smoothed(p, near, &slope), more = s - static_cast<double>(v[i]);
      const double step = cell_ / 64;
      const auto change = [&](Vec3 d) { return (weight_.at(p + d).share - weight_.at(p - d).share) / (2 * step); };
      const auto put = [&](float* out, double of_s, Vec3 d) {
        out[i] = static_cast<float>((1 - share) * static_cast<double>(out[i]) + share * of_s + more * change(d));
      };
      put(dx, slope.x, {step, 0, 0});
      put(dy, slope.y, {0, step, 0});
      put(dz, slope.z, {0, 0, step});
      v[i] = mixed(v[i], share, s);
    }
  }

  FieldRange range(const Box3& box) const override {
    if (!weight_.may(box)) return part_->range(box);
    // Once, for a deep tree: it holds the part's own range.
    const FieldRange around = part_->range(box.grown(reach()));
    const double more = 1e-5 * threshold_;
    const auto held = [&](float v) { return std::clamp(static_cast<double>(v), -threshold_, threshold_); };
    return {static_cast<float>(std::min(static_cast<double>(around.low), held(around.low) - more)),
            static_cast<float>(std::max(static_cast<double>(around.high), held(around.high) + more))};
  }
  Box3 support() const override { return support_; }

  SurfaceSketch sketch() const override {
    SurfaceSketch sketch = part_->sketch();
    const Box3& where = weight_.box();
    if (weight_.is_drawn() || sketch.sheet == nullptr) {
      for (const Box3& box : weight_.boxes()) sketch.boxes.push_back(box);
      return sketch;
    }
    const double far = reach() * std::sqrt(3.0);
    for (Box3& box : sketch.boxes)
      if (const Box3 around = box.grown(far).within(where); !around.empty()) box = box.with(around);
    for (SurfaceSketch::Band& band : sketch.bands) {
      const Box3 around = band.where.grown(far).within(where);
      if (around.empty()) continue;
      band = {band.where.with(around), band.below + far, band.above + far, band.spread + far};
    }
    if (const Box3 bent = sketch.ground.within(where); !bent.empty()) sketch.bands.push_back({bent, far, far, far});
    return sketch;
  }

  Box3 difference_from(const Solid& other) const override {
    const auto* like = dynamic_cast<const SmoothedSolid*>(&other);
    if (like == nullptr || like->cell_ != cell_ || like->threshold_ != threshold_ ||
        like->weight_.is_drawn() != weight_.is_drawn())
      return Solid::difference_from(other);
    const Box3 below = part_->difference_from(*like->part_), drawn = weight_.difference_from(like->weight_);
    const Box3 smooth = weight_.box().with(like->weight_.box());
    const double far = std::max(reach(), like->reach());
    return below.with(below.grown(far).within(smooth)).with(drawn.grown(far));
  }
  std::vector<SolidPointer> children() const override { return {part_}; }
  void hash(Hasher& hasher) const override {
    hasher.add("smooth").add(cell_).add(threshold_);
    weight_.hash(hasher);
    part_->hash(hasher);
  }
  size_t bytes() const override { return sizeof *this + weight_.bytes() + part_->bytes(); }

 private:
  /// The bricks that the last place has met.
  struct Near {
    Index first{INT64_MIN, 0, 0};
    std::shared_ptr<const Coefficients> bricks[2][2][2];
  };

  double reach() const { return reach_; }

  static float mixed(float v, double share, double s) {
    const double now = static_cast<double>(v);
    return static_cast<float>(now + share * (s - now));
  }

  /// S, and its slope.
  double smoothed(Vec3 p, Near& near, Vec3* slope) const {
    const double at[] = {p.x / cell_, p.y / cell_, p.z / cell_};
    Index low, brick;
    Spline splines[] = {Spline(0), Spline(0), Spline(0)};
    for (size_t a = 0; a < 3; ++a) {
      const double whole = std::floor(at[a]);
      low[a] = static_cast<int64_t>(whole) - 1;
      brick[a] = floor_div(low[a]);
      splines[a] = Spline(at[a] - whole);
    }
    if (near.first != brick) gather(brick, near);
    double sum = 0, sx = 0, sy = 0, sz = 0;
    for (size_t k = 0; k < 4; ++k)
      for (size_t j = 0; j < 4; ++j) {
        double row = 0, row_slope = 0;
        for (size_t i = 0; i < 4; ++i) {
          const double c = coefficient(
              near, brick,
              {low[0] + static_cast<int64_t>(i), low[1] + static_cast<int64_t>(j), low[2] + static_cast<int64_t>(k)});
          row += splines[0].weight[i] * c;
          row_slope += splines[0].slope[i] * c;
        }
        sum += splines[2].weight[k] * splines[1].weight[j] * row;
        sx += splines[2].weight[k] * splines[1].weight[j] * row_slope;
        sy += splines[2].weight[k] * splines[1].slope[j] * row;
        sz += splines[2].slope[k] * splines[1].weight[j] * row;
      }
    if (slope != nullptr) *slope = Vec3{sx, sy, sz} * (1 / cell_);
    return sum;
  }

  static double coefficient(const Near& near, const Index& brick, const Index& at) {
    size_t which[3], in[3];
    for (size_t a = 0; a < 3; ++a) {
      const int64_t from = at[a] - brick[a] * side;
      which[a] = from >= side ? 1 : 0;
      in[a] = static_cast<size_t>(from) % side;
    }
    return static_cast<double>((*near.bricks[which[2]][which[1]][which[0]])[(in[2] * side + in[1]) * side + in[0]]);
  }

  void gather(const Index& brick, Near& near) const {
    for (int64_t k = 0; k < 2; ++k)
      for (int64_t j = 0; j < 2; ++j)
        for (int64_t i = 0; i < 2; ++i) {
          const Index one{brick[0] + i, brick[1] + j, brick[2] + k};
          near.bricks[k][j][i] = bricks_.get(one, [&] { return made(one); });
        }
    near.first = brick;
  }

  /// A brick from the field around it, after all passes.
  Coefficients made(const Index& brick) const {
    const Vec3 low = Vec3{static_cast<double>(brick[0]), static_cast<double>(brick[1]), static_cast<double>(brick[2])} *
                     (cell_ * side);
    const double last = cell_ * (side - 1);
    const Box3 box{low, low + Vec3{last, last, last}};
    Coefficients out;
    const FieldRange range = part_->range(box.grown(most_smoothing * cell_));
    const auto T = static_cast<float>(threshold_);
    if (range.low >= T || range.high <= -T) {
      out.fill(range.low >= T ? T : -T);
      return out;
    }
    Block block(box, cell_, passes_in(box));
    block.ask(*part_, T);
    if (block.margin > 0) block.weigh(weight_);
    for (int pass = 1; pass <= block.margin; ++pass) block.pass(pass);
    block.copy(out);
    return out;
  }

  /// A point changes in as many passes as it is smoothed times above the first, whatever its neighbours do.
  int passes_in(const Box3& box) const {
    if (!weight_.may(box)) return 0;
    double most = 0;
    for (int64_t n = 0; n < side * side * side; ++n) {
      const Vec3 step{static_cast<double>(n % side), static_cast<double>(n / side % side),
                      static_cast<double>(n / (side * side))};
      most = std::max(most, weight_.at(box.low + step * cell_).times);
    }
    return std::max(static_cast<int>(std::ceil(most)) - 1, 0);
  }

  /// A brick with as much around it as its passes need.
  struct Block {
    int margin;
    int64_t width;
    Vec3 low;
    double cell;
    std::vector<float> c;
    std::vector<double> times;

    Block(const Box3& box, double cell_size, int passes)
        : margin(passes), width(side + 2 * passes), low(box.low), cell(cell_size) {
      low = low - Vec3{1, 1, 1} * (cell * margin);
      c.resize(static_cast<size_t>(width * width * width));
    }
    Vec3 at(int64_t i, int64_t j, int64_t k) const {
      return low + Vec3{static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)} * cell;
    }
    size_t index(int64_t i, int64_t j, int64_t k) const { return static_cast<size_t>((k * width + j) * width + i); }

    void ask(const Solid& part, float T) {
      double x[FieldPoints::most], y[FieldPoints::most], z[FieldPoints::most];
      const int64_t all = width * width * width;
      for (int64_t first = 0; first < all; first += FieldPoints::most) {
        const int64_t count = std::min(FieldPoints::most, all - first);
        for (int64_t n = 0; n < count; ++n) {
          const int64_t which = first + n;
          const Vec3 p = at(which % width, which / width % width, which / (width * width));
          x[n] = p.x, y[n] = p.y, z[n] = p.z;
        }
        part.values({x, y, z, count, box_around(x, y, z, count)}, c.data() + first);
      }
      for (float& v : c) v = std::clamp(v, -T, T);
    }

    void weigh(const SmoothingWeight& weight) {
      times.resize(c.size());
      for (int64_t k = 1; k < width - 1; ++k)
        for (int64_t j = 1; j < width - 1; ++j)
          for (int64_t i = 1; i < width - 1; ++i) times[index(i, j, k)] = weight.at(at(i, j, k)).times;
    }

    /// Numbers are right as far in as the passes before have left them so.
    void pass(int number) {
      const std::vector<float> before = c;
      for (int64_t k = number; k < width - number; ++k)
        for (int64_t j = number; j < width - number; ++j)
          for (int64_t i = number; i < width - number; ++i) {
            const double share = std::clamp(times[index(i, j, k)] - number, 0.0, 1.0);
            if (!(share > 0)) continue;
            double mean = 0;
            for (int64_t dz = -1; dz <= 1; ++dz)
              for (int64_t dy = -1; dy <= 1; ++dy)
                for (int64_t dx = -1; dx <= 1; ++dx) {
                  const double w = (dx == 0 ? 0.5 : 0.25) * (dy == 0 ? 0.5 : 0.25) * (dz == 0 ? 0.5 : 0.25);
                  mean += w * static_cast<double>(before[index(i + dx, j + dy, k + dz)]);
                }
            const auto now = static_cast<double>(before[index(i, j, k)]);
            c[index(i, j, k)] = static_cast<float>(now + share * (mean - now));
          }
    }

    void copy(Coefficients& out) const {
      size_t n = 0;
      for (int64_t k = 0; k < side; ++k)
        for (int64_t j = 0; j < side; ++j)
          for (int64_t i = 0; i < side; ++i) out[n++] = c[index(i + margin, j + margin, k + margin)];
    }
  };

  SolidPointer part_;
  SmoothingWeight weight_;
  double cell_, threshold_;
  double reach_;  ///< from which a place's number may come: the cells of its splines, and one for every pass
  Box3 support_;
  Bricks bricks_;
};

}  // namespace

SmoothingWeight::Told SmoothingWeight::at(Vec3 p) const {
  if (strokes_ == nullptr) {
    const double weight = region_->weight(p);
    return {std::min(1.0, strength_) * weight, std::min<double>(most_smoothing, strength_ * weight)};
  }
  static thread_local std::vector<SpaceStrokes::Reach> found;
  strokes_->reaching(p, found);
  double left = 1, times = 0;
  for (const SpaceStrokes::Reach& reach : found) {
    const double strength = strokes_->strength(reach.stroke);
    left *= 1 - std::min(1.0, strength) * reach.weight;
    times += strength * reach.weight;
  }
  return {1 - left, std::min<double>(most_smoothing, times)};
}

double SmoothingWeight::most_times() const {
  double most = strength_;
  for (size_t i = 0; strokes_ != nullptr && i < strokes_->count(); ++i)
    most = (i > 0 ? most : 0) + strokes_->strength(i);
  return std::min<double>(most_smoothing, most);
}

Box3 SmoothingWeight::difference_from(const SmoothingWeight& other) const {
  if (is_drawn() && other.is_drawn()) return strokes_->difference_from(*other.strokes_);
  const auto told = [](const SmoothingWeight& weight) {
    Hasher hasher;
    weight.hash(hasher);
    return hasher.finish();
  };
  return told(*this) == told(other) ? Box3{} : box().with(other.box());
}

void SmoothingWeight::hash(Hasher& hasher) const {
  if (strokes_ != nullptr)
    strokes_->hash(hasher);
  else
    region_->hash(hasher);
  hasher.add(strength_);
}

SolidPointer smoothed_solid(SolidPointer part, SmoothingWeight weight, double cell, double threshold) {
  return std::make_shared<SmoothedSolid>(std::move(part), std::move(weight), cell,
                                         static_cast<double>(static_cast<float>(threshold)));
}

}  // namespace tepui

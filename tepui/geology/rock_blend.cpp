#include "tepui/geology/rock_blend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "tepui/core/error.h"
#include "tepui/geology/rock_tree.h"

namespace tepui {

namespace {

/// A layer of weights in the plane.
struct Weights {
  Frame frame;
  Layer layer;
  Hash cells;

  double at(double x, double y) const {
    const Grid<float>& grid = layer.grid();
    const double column = place(x, frame.origin.x, frame.cell.x, frame.first_x, grid.width());
    const double row = place(y, frame.origin.y, frame.cell.y, frame.first_y, grid.height());
    const auto left = static_cast<int64_t>(column), low = static_cast<int64_t>(row);
    const double u = column - static_cast<double>(left), v = row - static_cast<double>(low);
    const int64_t right = std::min(left + 1, grid.width() - 1), high = std::min(low + 1, grid.height() - 1);
    const auto cell = [&](int64_t i, int64_t j) { return static_cast<double>(grid(i, j)); };
    const double below = cell(left, low) * (1 - u) + cell(right, low) * u;
    const double above = cell(left, high) * (1 - u) + cell(right, high) * u;
    return std::clamp(below * (1 - v) + above * v, 0.0, 1.0);
  }

 private:
  static double place(double at, double origin, double cell, int64_t first, int64_t count) {
    return std::clamp((at - origin) / cell - static_cast<double>(first), 0.0, static_cast<double>(count - 1));
  }
};

class BlendedRock : public Rock {
 public:
  BlendedRock(std::vector<RockPointer> parts, std::optional<Weights> mask, RockBlendMode mode, double amount)
      : parts_(std::move(parts)),
        tree_(tree_over(parts_)),
        names_(parts_),
        mask_(std::move(mask)),
        mode_(mode),
        amount_(amount) {}

  void resistance(const RockPoints& at, float* rho) const override {
    float first[rock_run], other[rock_run];
    for_runs(at, [&](const RockPoints& run, int64_t begin) {
      float* all = rho + begin;
      parts_[0]->resistance(run, first);
      std::copy_n(first, run.count, all);
      for (size_t part = 1; part < parts_.size(); ++part) {
        parts_[part]->resistance(run, other);
        for (int64_t i = 0; i < run.count; ++i) all[i] = joined(all[i], other[i]);
      }
      if (mode_ == RockBlendMode::mean)
        for (int64_t i = 0; i < run.count; ++i) all[i] /= static_cast<float>(parts_.size());
      if (mask_ || mode_ == RockBlendMode::mix)
        for (int64_t i = 0; i < run.count; ++i) all[i] = weighed(first[i], all[i], weight(run.x[i], run.y[i]));
    });
  }

  void rocks(const RockPoints& at, int32_t* which) const override {
    if (names_.all().empty()) return Rock::rocks(at, which);
    for_runs(at, [&](const RockPoints& run, int64_t begin) { name(run, which + begin); });
  }
  std::vector<NamedRock> names() const override { return names_.all(); }
  RockTreeSize tree() const override { return tree_; }

  Interval levels() const override {
    Interval all;
    for (const RockPointer& part : parts_) all = hull_of(all, part->levels());
    return all;
  }
  void hash(Hasher& hasher) const override {
    hasher.add("blend").add(static_cast<int>(mode_)).add(static_cast<int64_t>(parts_.size()));
    if (mode_ == RockBlendMode::mix) hasher.add(amount_);
    hasher.add(mask_.has_value());
    if (mask_) hasher.add(mask_->frame.hash()).add(mask_->cells);
    for (const RockPointer& part : parts_) part->hash(hasher);
  }
  size_t bytes() const override { return bytes_over(sizeof *this + (mask_ ? mask_->layer.grid().bytes() : 0), parts_); }

 private:
  float joined(float a, float b) const {
    switch (mode_) {
      case RockBlendMode::sum:
      case RockBlendMode::mean:
        return a + b;
      case RockBlendMode::max:
        return std::max(a, b);
      case RockBlendMode::min:
        return std::min(a, b);
      case RockBlendMode::mix:
        return b;
    }
    return a;
  }
  double weight(double x, double y) const {
    const double share = mode_ == RockBlendMode::mix ? amount_ : 1;
    return mask_ ? share * mask_->at(x, y) : share;
  }
  static float weighed(float in, float blended, double w) {
    if (w == 1) return blended;
    return static_cast<float>(static_cast<double>(in) + w * (static_cast<double>(blended) - static_cast<double>(in)));
  }

  /// The names of one run.
  void name(const RockPoints& run, int32_t* which) const {
    int32_t told[rock_run];
    float best[rock_run], rho[rock_run];
    const bool by_hardness = mode_ == RockBlendMode::max || mode_ == RockBlendMode::min;
    for (size_t part = 0; part < parts_.size(); ++part) {
      parts_[part]->rocks(run, told);
      if (by_hardness) parts_[part]->resistance(run, part == 0 ? best : rho);
      for (int64_t i = 0; i < run.count; ++i) {
        bool take = part == 0 || which[i] < 0;
        if (part > 0 && by_hardness) {
          take = mode_ == RockBlendMode::max ? rho[i] > best[i] : rho[i] < best[i];
          if (take) best[i] = rho[i];
        }
        if (part > 0 && (mask_ || mode_ == RockBlendMode::mix)) {
          const bool other = weight(run.x[i], run.y[i]) >= 0.5;
          take = mode_ == RockBlendMode::mix ? other : take && other;
        }
        if (take) which[i] = names_.translate(part, told[i]);
      }
    }
  }

  std::vector<RockPointer> parts_;
  RockTreeSize tree_;
  RockNames names_;
  std::optional<Weights> mask_;
  RockBlendMode mode_;
  double amount_;
};

}  // namespace

void describe(Fields<RockBlendParams>& f) {
  f.about("Combine rocks into one: their sum, mean, the hardest, the softest, or a mix");
  f.reach(Reach::point);
  f.example("rock_planes base=0.15 | fold by=waves amplitude=4% | {} with=rock_planes");
  f("mode", &RockBlendParams::mode, {"sum", "mean", "max", "min", "mix"}, "how they are combined")
      .sweep("sum", "mean", "max");
  f("amount", &RockBlendParams::amount, Range{0, 1}, "mode=mix: share of the other rock");
}

Geology rock_blend(const Geology& in, const std::vector<Geology>& with, const Terrain* mask,
                   const RockBlendParams& params, const Context&) {
  check_params(params);
  if (params.mode == RockBlendMode::mix && with.size() != 1)
    refuse(fmt::format("a mix takes two rocks, but 'with' has {}", with.size()), "mix them one after the other");
  std::vector<RockPointer> parts{in.share()};
  for (const Geology& other : with) parts.push_back(other.share());
  std::optional<Weights> weights;
  if (mask != nullptr) {
    const Layer& layer = mask_layer(*mask);
    weights = Weights{mask->frame(), layer, cells_hash(layer.grid())};
  }
  return Geology(std::make_shared<const BlendedRock>(std::move(parts), std::move(weights), params.mode, params.amount));
}

}  // namespace tepui

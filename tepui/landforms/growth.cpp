#include "tepui/landforms/growth.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"
#include "tepui/core/random.h"
#include "tepui/landforms/carving.h"

namespace tepui {

namespace {

/// What travels up a feature.
struct Tip {
  Vec3 at{};
  Vec3 up{0, 0, 1};
  double size = 1;
  double turn = 0;  ///< of the lobes, radians
};

/// Draws that all of a feature shares have channels of their own.
enum Channel : uint64_t { in_order, of_size, of_turn, of_lobes, of_lobe };

/// Unit vectors across a direction.
struct Across {
  Vec3 a, b;
  explicit Across(Vec3 up) {
    const Vec3 side = std::abs(up.z) > 0.5 ? Vec3{1, 0, 0} : Vec3{0, 0, 1};
    a = cross(side, up);
    a = a * (1 / length(a));
    b = cross(up, a);
  }
  Vec3 towards(double angle) const { return a * math::cos(angle) + b * math::sin(angle); }
};

class Growing {
 public:
  Growing(const RuleSet& rules, const Geology& rock, double threshold, const Seedling& seedling,
          std::vector<FieldPoint>& points)
      : rules_(rules),
        rock_(rock),
        threshold_(threshold),
        seedling_(seedling),
        draws_(seedling.key),
        bound_(std::min(seedling.bound, seedling.foot.z + rules.tallest)),
        points_(points) {}

  void from_axiom() {
    Tip tip;
    tip.at = seedling_.foot;
    tip.size = axiom_size(rules_, rock_, seedling_);
    tip.turn = draws_.uniform(0, of_turn, 0, 2 * math::pi);
    grow(rules_.axiom, tip, 0);
  }

 private:
  double draw() { return draws_.uniform(next_++, in_order); }

  RulePlace place_of(const Tip& tip) const {
    const double height = seedling_.top - seedling_.foot.z;
    const double share = height > 0 ? (tip.at.z - seedling_.foot.z) / height : 1;
    return {rock_.resistance(tip.at), std::clamp(share, 0.0, 1.0)};
  }

  /// The last alternative, unless an earlier one is drawn; none where no odds are above 0.
  const RuleAlternative* choose(const RuleSymbol& symbol, const RulePlace& place) {
    double sum = 0;
    odds_.clear();
    for (const RuleAlternative& alternative : symbol.alternatives) {
      const bool may = place.height >= alternative.between.low &&
                       (place.height < alternative.between.high || alternative.between.high >= 1);
      odds_.push_back(may ? std::max(alternative.odds.at(place, 0.5), 0.0) : 0);
      sum += odds_.back();
    }
    if (!(sum > 0)) return nullptr;
    double left = draw() * sum;
    const RuleAlternative* chosen = nullptr;
    for (size_t i = 0; i < odds_.size(); ++i) {
      if (odds_[i] <= 0) continue;
      chosen = &symbol.alternatives[i];
      left -= odds_[i];
      if (left < 0) break;
    }
    return chosen;
  }

  void grow(int symbol, Tip tip, int depth) {
    // The last symbol of an alternative goes on in this loop.
    while (depth++ < rules_.depth && tip.at.z < bound_) {
      const RuleAlternative* chosen = choose(rules_.symbols[static_cast<size_t>(symbol)], place_of(tip));
      if (chosen == nullptr) return;
      int next = -1;
      for (size_t i = 0; i < chosen->then.size(); ++i) {
        const RuleItem& item = chosen->then[i];
        Tip bent = leaning(tip, item);
        if (item.is_shape) {
          if (!place(rules_.shapes[static_cast<size_t>(item.which)], bent)) return;
          const double rise = dot(bent.at - tip.at, tip.up);
          tip.at = item.aside > 0 ? tip.at + tip.up * std::max(rise, 0.0) : bent.at;
          tip.turn = bent.turn;
        } else if (i + 1 < chosen->then.size()) {
          grow(item.which, bent, depth);
        } else {
          next = item.which;
          tip = bent;
        }
      }
      if (next < 0) return;
      symbol = next;
    }
  }

  Tip leaning(const Tip& tip, const RuleItem& item) {
    Tip bent = tip;
    bent.size *= item.size;
    const double lean = item.lean.at({}, 0.5);
    const bool leans = lean != 0 || item.lean.vary != 0 || item.lean.resistance != 0 || item.lean.hardness != 0;
    if (!leans && item.aside == 0) return bent;
    const double side = draw() * 2 * math::pi;
    const Vec3 aside = Across(tip.up).towards(side);
    bent.at = bent.at + aside * (item.aside * tip.size);
    const double angle = math::radians(item.lean.at(place_of(tip), draw()));
    const Vec3 up = tip.up * math::cos(angle) + aside * math::sin(angle);
    // Nothing grows downwards: what leans too far goes on level.
    if (up.z > 0.3) bent.up = up * (1 / length(up));
    return bent;
  }

  /// Whether there was room for it. The tip moves up.
  bool place(const RuleShape& shape, Tip& tip) {
    const RulePlace where = place_of(tip);
    const double radius = shape.radius.at(where, draw()) * tip.size;
    const double step = shape.step > 0 ? shape.step : shape.rise * tip.size;
    if (radius > 1e-3) {
      tip.turn += math::radians(shape.turn) * (2 * draw() - 1);
      if (!place_lobes(shape, tip, radius, step > 0 ? step : radius)) return false;
    }
    tip.at = tip.at + tip.up * step;
    return true;
  }

  bool place_lobes(const RuleShape& shape, const Tip& tip, double radius, double step) {
    const double choices = shape.lobes.high - shape.lobes.low + 1;
    const int lobes = static_cast<int>(shape.lobes.low + std::floor(draws_.uniform(0, of_lobes) * choices));
    // Each lobe is a thinner tube, so that the outermost rock is as far from the axis as the radius says.
    const double thin = lobes > 1 ? std::max(1 - shape.spread, 0.25) * radius : radius;
    const double falloff = shape.falloff * thin;
    const double energy = -chain_energy(threshold_, thin, falloff, step);
    const Across across(tip.up);
    const size_t before = points_.size();
    for (int i = 0; i < lobes; ++i) {
      const auto lobe = static_cast<uint64_t>(i);
      const double angle = tip.turn + 2 * math::pi * (i + 0.6 * draws_.uniform(lobe, of_lobe) - 0.3) / lobes;
      const double out = lobes > 1 ? shape.spread * radius * draws_.uniform(lobe + 100, of_lobe, 0.7, 1.3) : 0;
      Vec3 at = tip.at + across.towards(angle) * out;
      if (shape.jitter > 0) {
        const double far = shape.jitter * radius;
        at = at + Vec3{draw() * 2 - 1, draw() * 2 - 1, draw() * 2 - 1} * far;
      }
      if (at.z + falloff > bound_) {
        points_.resize(before);
        return false;
      }
      points_.push_back({at, falloff, energy});
    }
    return true;
  }

  const RuleSet& rules_;
  const Geology& rock_;
  double threshold_;
  const Seedling& seedling_;
  Stream draws_;
  uint64_t next_ = 0;
  double bound_;
  std::vector<FieldPoint>& points_;
  std::vector<double> odds_;
};

}  // namespace

double axiom_size(const RuleSet& rules, const Geology& rock, const Seedling& seedling) {
  const double rho = rules.size.resistance != 0 || rules.size.hardness != 0 ? rock.resistance(seedling.foot) : 0;
  const double own = rules.size.at({rho, 0}, Stream(seedling.key).uniform(0, of_size));
  const double height = std::max(seedling.top - seedling.foot.z, 0.0);
  return std::max(own + rules.size_for_height * height, 0.01) * seedling.factor;
}

void grow(const RuleSet& rules, const Geology& rock, double threshold, const Seedling& seedling,
          std::vector<FieldPoint>& points) {
  Growing(rules, rock, threshold, seedling, points).from_axiom();
}

}  // namespace tepui

#pragma once

#include <algorithm>
#include <cmath>
#include <memory>

#include "tepui/geology/geology.h"

namespace tepui::test {

/// Level beds, the first one lowest and endless, each of the others `thickness` metres from height 0 up.
class Beds : public Rock {
 public:
  Beds(std::vector<NamedRock> beds, double thickness) : beds_(std::move(beds)), thickness_(thickness) {}

  int32_t bed(double z) const {
    const double index = std::floor(z / thickness_) + 1;
    return static_cast<int32_t>(std::clamp(index, 0.0, static_cast<double>(beds_.size() - 1)));
  }

  void resistance(const RockPoints& at, float* rho) const override {
    for (int64_t i = 0; i < at.count; ++i) rho[i] = beds_[static_cast<size_t>(bed(at.z[i]))].resistance;
  }
  void rocks(const RockPoints& at, int32_t* which) const override {
    for (int64_t i = 0; i < at.count; ++i) which[i] = bed(at.z[i]);
  }
  std::vector<NamedRock> names() const override { return beds_; }
  Interval levels() const override { return {0, thickness_ * static_cast<double>(beds_.size() - 1)}; }
  void hash(Hasher& hasher) const override {
    hasher.add("test beds").add(thickness_);
    for (const NamedRock& rock : beds_) hasher.add(rock.name).add(static_cast<double>(rock.resistance));
  }
  size_t bytes() const override { return sizeof *this; }

 private:
  std::vector<NamedRock> beds_;
  double thickness_;
};

inline Geology sample_rock() {
  return Geology(std::make_shared<const Beds>(
      std::vector<NamedRock>{{"granite", 0.95f}, {"shale", 0.2f}, {"sandstone", 0.6f}}, 50));
}

}  // namespace tepui::test

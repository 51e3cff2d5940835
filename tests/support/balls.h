#pragma once

#include <algorithm>
#include <cmath>
#include <memory>

#include "tepui/volume/solid.h"

// Solids that are simple enough to know all about.

namespace tepui::test {

/// v falls from T at the centre to -T at twice the radius, a metre's worth a metre at most.
class Ball : public Solid {
 public:
  Ball(Vec3 centre, double radius, double threshold) : centre_(centre), radius_(radius), t_(threshold) {}

  float at(Vec3 p) const { return static_cast<float>(std::clamp((1 - length(p - centre_) / radius_) * t_, -t_, t_)); }
  void values(const FieldPoints& at_, float* v) const override {
    for (int64_t i = 0; i < at_.count; ++i) v[i] = at({at_.x[i], at_.y[i], at_.z[i]});
  }
  void gradients(const FieldPoints& at_, float* v, float* dx, float* dy, float* dz) const override {
    values(at_, v);
    for (int64_t i = 0; i < at_.count; ++i) {
      const Vec3 d = Vec3{at_.x[i], at_.y[i], at_.z[i]} - centre_;
      const double r = std::max(length(d), 1e-12), k = r < 2 * radius_ ? -t_ / (radius_ * r) : 0;
      dx[i] = static_cast<float>(k * d.x), dy[i] = static_cast<float>(k * d.y), dz[i] = static_cast<float>(k * d.z);
    }
  }
  FieldRange range(const Box3& box) const override {
    const Vec3 near{std::clamp(centre_.x, box.low.x, box.high.x), std::clamp(centre_.y, box.low.y, box.high.y),
                    std::clamp(centre_.z, box.low.z, box.high.z)};
    const auto farther = [](double c, double low, double high) { return c - low > high - c ? low : high; };
    const Vec3 far{farther(centre_.x, box.low.x, box.high.x), farther(centre_.y, box.low.y, box.high.y),
                   farther(centre_.z, box.low.z, box.high.z)};
    return {at(far), at(near)};
  }
  Box3 support() const override { return Box3{centre_, centre_}.grown(2 * radius_); }
  SurfaceSketch sketch() const override { return {nullptr, {}, {support()}, {}}; }
  void hash(Hasher& hasher) const override {
    hasher.add("test ball").add(centre_.x).add(centre_.y).add(centre_.z).add(radius_).add(t_);
  }
  size_t bytes() const override { return sizeof *this; }

 private:
  Vec3 centre_;
  double radius_, t_;
};

inline SolidPointer ball_solid(Vec3 centre, double radius, double threshold) {
  return std::make_shared<const Ball>(centre, radius, threshold);
}

/// Land that rises to the east from height 0 at x = 0, within a box: rock below it.
class SlopingLand : public Solid {
 public:
  class Sheet : public HeightSheet {
   public:
    explicit Sheet(double slope) : slope_(slope) {}
    void heights(const double* x, const double*, int64_t count, double* h) const override {
      for (int64_t i = 0; i < count; ++i) h[i] = slope_ * x[i];
    }

   private:
    double slope_;
  };

  SlopingLand(const Box3& box, double slope, double threshold) : box_(box), slope_(slope), t_(threshold) {}

  float at(Vec3 p) const {
    if (!box_.holds(p)) return static_cast<float>(-t_);
    const double walls =
        std::min({p.x - box_.low.x, box_.high.x - p.x, p.y - box_.low.y, box_.high.y - p.y, p.z - box_.low.z});
    return static_cast<float>(std::clamp(std::min(slope_ * p.x - p.z, walls), -t_, t_));
  }
  void values(const FieldPoints& at_, float* v) const override {
    for (int64_t i = 0; i < at_.count; ++i) v[i] = at({at_.x[i], at_.y[i], at_.z[i]});
  }
  void gradients(const FieldPoints& at_, float* v, float* dx, float* dy, float* dz) const override {
    values(at_, v);
    for (int64_t i = 0; i < at_.count; ++i) dx[i] = static_cast<float>(slope_), dy[i] = 0, dz[i] = -1;
  }
  FieldRange range(const Box3&) const override { return {static_cast<float>(-t_), static_cast<float>(t_)}; }
  Box3 support() const override { return box_; }
  SurfaceSketch sketch() const override { return {std::make_shared<Sheet>(slope_), box_, {}, {}}; }
  void hash(Hasher& hasher) const override { hasher.add("test slope").add(slope_).add(t_); }
  size_t bytes() const override { return sizeof *this; }

 private:
  Box3 box_;
  double slope_, t_;
};

inline SolidPointer sloping_land(const Box3& box, double slope, double threshold) {
  return std::make_shared<const SlopingLand>(box, slope, threshold);
}

}  // namespace tepui::test

#pragma once  // internal

#include <array>
#include <cstdint>
#include <vector>

#include "tepui/core/random.h"
#include "tepui/core/vec.h"
#include "tepui/mesh/mesh.h"
#include "tepui/mesh/species.h"

namespace tepui {

/// Linear light.
struct Tint {
  double r = 0, g = 0, b = 0;
};
inline Tint operator*(Tint c, double s) { return {c.r * s, c.g * s, c.b * s}; }
inline Tint blend(Tint a, Tint b, double t) {
  return {a.r + t * (b.r - a.r), a.g + t * (b.g - a.g), a.b + t * (b.b - a.b)};
}

inline Vec3 unit_or_up(Vec3 v) {
  const double size = length(v);
  return size > 1e-9 ? v * (1 / size) : Vec3{0, 0, 1};
}

/// Random numbers one after the other.
class Draws {
 public:
  explicit Draws(uint64_t key) : stream_(mix_bits(key)) {}
  double operator()(double low, double high) { return stream_.uniform(next_++, 0, low, high); }
  /// Evenly spread over the unit sphere.
  Vec3 direction();

 private:
  Stream stream_;
  uint64_t next_ = 0;
};

/// A place on a form as it is being made.
struct FormPoint {
  Vec3 at, normal;
  Tint tint;
  double holds = 0;  ///< how well snow lies on it, 0 to 1
};

/// A form that grows triangle by triangle.
class FormBuilder {
 public:
  uint32_t add(const FormPoint& point);
  void triangle(uint32_t a, uint32_t b, uint32_t c) { triangles_.push_back({a, b, c}); }
  size_t triangles() const { return triangles_.size(); }

  /// A trunk or a limb through points with these radii.
  struct Ring {
    Vec3 at;
    double radius = 0;
    Tint tint;
  };
  void tube(const std::vector<Ring>& rings, int sides);
  /// A pointed blade, folded along its middle. `soft` is the normal that light falls on.
  struct Card {
    Vec3 foot, along, across;  ///< lengths count
    Vec3 soft;
    Tint foot_tint, tip_tint;
    double holds = 0;
  };
  void card(const Card& card);
  /// Three pointed leaves from one foot.
  void spray(const Card& card);
  /// A rough ball of eight triangles.
  void core(Vec3 centre, Vec3 radii, Tint tint);

  /// Scaled to height 1, with the snow that lies on it.
  Mesh finish(double snow) const;

 private:
  std::vector<FormPoint> points_;
  std::vector<MeshTriangle> triangles_;
};

/// What a species' forms are made with.
struct FormRequest {
  Species species = Species::conifer;
  int form = 0;  ///< from 0 to species_forms - 1
  FormDetail detail = FormDetail::fine;
  Season season = Season::summer;
};

/// One of the numbers, by the detail.
template <class T>
T by_detail(FormDetail detail, T coarse, T middle, T fine, T close) {
  switch (detail) {
    case FormDetail::coarse:
      return coarse;
    case FormDetail::middle:
      return middle;
    case FormDetail::fine:
      return fine;
    case FormDetail::close:
      return close;
  }
  return fine;
}

void grow_conifer(FormBuilder& to, const FormRequest& request);  ///< conifer, larch
void grow_leafy(FormBuilder& to, const FormRequest& request);    ///< pine, broadleaf, birch, acacia, shrub
void grow_grass(FormBuilder& to, const FormRequest& request);
void grow_rock(FormBuilder& to, const FormRequest& request);
void grow_dead(FormBuilder& to, const FormRequest& request);

}  // namespace tepui

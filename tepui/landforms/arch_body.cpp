#include "tepui/landforms/arch_body.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/noise.h"
#include "tepui/landforms/carving.h"

namespace tepui {

namespace {

/// Metres between points, for a vault of that size: about fifteen across.
double lattice_spacing(const ArchShape& shape) {
  return std::clamp(std::min(shape.width, 2 * shape.height) / 15, 0.3, 2.0);
}
constexpr double falloff_in_spacings = 2.2;
/// The weakest beds widen it by this, the strongest narrow it.
constexpr double rock_share = 0.3;

/// Where a place lies along a way.
struct OnWay {
  double aside = 0;  ///< metres
  double floor = 0;  ///< metres
  double share = 0;  ///< 0 at the beginning, 1 at the end
};

/// Infinitely far aside where it lies before the beginning of the way or behind its end.
OnWay nearest_on(const std::vector<Vec3>& way, double whole, double x, double y) {
  constexpr double nowhere = 1e300;
  OnWay best{nowhere};
  double along = 0;
  for (size_t i = 0; i + 1 < way.size(); ++i) {
    const Vec3 d = way[i + 1] - way[i];
    const double square = d.x * d.x + d.y * d.y, part = std::sqrt(square);
    const double free = square > 0 ? ((x - way[i].x) * d.x + (y - way[i].y) * d.y) / square : 0.0;
    const double t = std::clamp(free, 0.0, 1.0);
    const double far_x = x - way[i].x - t * d.x, far_y = y - way[i].y - t * d.y;
    const double aside = std::sqrt(far_x * far_x + far_y * far_y);
    const bool outside = (i == 0 && free < 0) || (i + 2 == way.size() && free > 1);
    if (aside < best.aside && !outside) best = {aside, way[i].z + t * d.z, whole > 0 ? (along + t * part) / whole : 0};
    along += part;
  }
  return best;
}

double plan_length(const std::vector<Vec3>& way) {
  double sum = 0;
  for (size_t i = 0; i + 1 < way.size(); ++i) {
    const Vec3 d = way[i + 1] - way[i];
    sum += std::sqrt(d.x * d.x + d.y * d.y);
  }
  return sum;
}

/// Whether some rock that never wears lies within reach of a point.
bool touches_lasting(const Geology& rock, Vec3 at, double falloff) {
  constexpr float lasting = 1;
  for (const double r : {0.0, 0.5 * falloff, falloff})
    for (const Vec3 way : {Vec3{0, 0, 1}, Vec3{0, 0, -1}, Vec3{1, 0, 0}, Vec3{-1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, -1, 0}})
      if (rock.resistance(at + way * r) >= lasting) return true;
  return false;
}

struct Columns {
  std::vector<double> x, y, z;
  void add(double a, double b, double c) {
    x.push_back(a);
    y.push_back(b);
    z.push_back(c);
  }
};

}  // namespace

double highest_vault(const ArchShape& shape) { return (1 + shape.noise) * (1 + 0.5 * rock_share); }

std::vector<FieldPoint> arch_points(const ArchShape& shape, const Geology& rock, double threshold,
                                    const Context& context) {
  const double s = lattice_spacing(shape), falloff = falloff_in_spacings * s;
  const double energy = body_energy(threshold, falloff, s);
  const double whole = plan_length(shape.way);
  const double most = highest_vault(shape), reach = 0.5 * shape.width * most * (1 + shape.flare);
  Box3 box;
  for (const Vec3& p : shape.way) box = box.with(p);
  box = {{box.low.x - reach, box.low.y - reach, box.low.z},
         {box.high.x + reach, box.high.y + reach, box.high.z + shape.height * most}};
  const auto first = [&](double low) { return static_cast<int64_t>(std::ceil(low / s)); };
  const auto last = [&](double high) { return static_cast<int64_t>(std::floor(high / s)); };
  const Noise noise({NoiseKind::simplex, NoiseSum::fbm, std::max(0.5 * shape.width, 2.0), 3, 2, 0.5, shape.key});
  std::vector<FieldPoint> points;
  Columns at;
  std::vector<OnWay> on;
  for (int64_t j = first(box.low.y); j <= last(box.high.y); ++j) {
    context.check();
    at = {};
    on.clear();
    for (int64_t i = first(box.low.x); i <= last(box.high.x); ++i) {
      const double x = static_cast<double>(i) * s, y = static_cast<double>(j) * s;
      const OnWay place = nearest_on(shape.way, whole, x, y);
      if (place.aside > reach) continue;
      for (int64_t k = first(place.floor); k <= last(place.floor + shape.height * most); ++k) {
        at.add(x, y, static_cast<double>(k) * s);
        on.push_back(place);
      }
    }
    std::vector<float> rough(on.size()), rho(on.size());
    noise.points(at.x, at.y, at.z, rough);
    rock.resistance({at.x.data(), at.y.data(), at.z.data(), static_cast<int64_t>(on.size())}, rho.data());
    for (size_t n = 0; n < on.size(); ++n) {
      const double ends = 2 * on[n].share - 1;
      const double wide = (1 + shape.flare * ends * ends) * (1 + rock_share * (0.5 - static_cast<double>(rho[n])));
      const double a = on[n].aside / (0.5 * shape.width * wide);
      const double b =
          (at.z[n] - on[n].floor) / (shape.height * (1 + rock_share * (0.5 - static_cast<double>(rho[n]))));
      const double edge = 1 + shape.noise * static_cast<double>(rough[n]);
      if (a * a + b * b >= edge * edge) continue;
      const Vec3 place{at.x[n], at.y[n], at.z[n]};
      if (!touches_lasting(rock, place, falloff)) points.push_back({place, falloff, energy});
    }
  }
  return points;
}

}  // namespace tepui

#pragma once  // internal

#include <limits>
#include <optional>
#include <vector>

#include "tepui/core/vec.h"
#include "tepui/render/light/atmosphere.h"

namespace tepui {

/// What the air of a planet is like. Lengths are metres.
struct AirSpec {
  double radius = 6.371e6;     ///< of the sphere that the ground is taken for
  double height_scale = 8000;  ///< over which the density of molecules falls to 1/e; haze and ozone follow
  double amount = 1;           ///< how much air stands above a square metre of ground, 1 as on the Earth; 0 is none
  double haze = 0.15;          ///< in [0, 1], as atmosphere::Matter has it
  float ground = 0.15f;        ///< share of light that the ground sends back up, on average
};

/// The air of a whole planet: how much light comes through it, and how much sunlight it sends along any ray, from
/// anywhere, in the air or outside. Places are metres from the planet's centre, light is in the bands of atmosphere.h
/// as a share of the sun's outside the air: a surface that faces the sun there receives 1 in every band.
///
/// What the sun sends is tabled by height and angle (Bruneton and Neyret 2008, Sec. 4), light scattered once is summed
/// along each ray, and later scattering is taken as equal from all sides and tabled (Hillaire 2020, Sec. 5.5). Any
/// radius from 1 m to 1e9 m. The same bits for any number of threads.
class Air {
 public:
  using Spectrum = atmosphere::Spectrum;
  static constexpr double no_end = std::numeric_limits<double>::infinity();

  explicit Air(const AirSpec& spec);

  /// The share of light that comes through the air between two points. Alike in both directions, and that of a way is
  /// the product of those of its parts; the ground does not count.
  Spectrum transmittance(Vec3 from, Vec3 to) const;

  /// The share of sunlight that reaches a point; `to_sun` has unit length. 0 in the planet's shadow, whose edge is as
  /// soft as the sun is wide.
  Spectrum sunlight(Vec3 at, Vec3 to_sun) const;

  /// What falls on level open ground at a point from the sky alone, divided by pi.
  Spectrum skylight(Vec3 at, Vec3 to_sun) const;

  /// What air does to a ray.
  struct Way {
    Spectrum light{};     ///< the radiance that it adds
    Spectrum through{};   ///< the share that it lets through of what is behind it
    double length = 0;    ///< metres from the ray's start to its end, or to where it leaves the air or meets the ground
    bool ground = false;  ///< it was given no end, and met the ground
  };
  /// The way of a ray of unit length in `steps` steps, up to `far` metres, or as far as the ground if that is no_end.
  /// `shift` in [0, 1) is where in each step its light is looked up: what draws many rays a pixel varies it.
  Way along(Vec3 from, Vec3 direction, Vec3 to_sun, double far = no_end, int steps = 40, double shift = 0.5) const;

  const AirSpec& spec() const { return spec_; }
  /// Metres above the ground beyond which there is no air.
  double top() const;

 private:
  /// Spectra over the unit square, looked up between four.
  struct Table {
    int width = 0, height = 0;
    std::vector<Spectrum> cells;
    Table(int w, int h) : width(w), height(h), cells(static_cast<size_t>(w) * static_cast<size_t>(h)) {}
    Spectrum& at(int x, int y) { return cells[static_cast<size_t>(y * width + x)]; }
    Spectrum at(double u, double v) const;
  };
  /// A ray by the height above the ground at which it starts and the cosines of three angles: of the ray and of the sun
  /// to the zenith there, and between the two.
  struct Ray {
    double height = 0, cosine = 1, sun = 1, to_sun = 1;
  };
  struct Span {
    double from = 0, to = 0;
  };
  /// What scatters at a step of a ray: how far along it, how high, and how much of a light of 1 a steradian it adds at
  /// the ray's start.
  struct Step {
    double at = 0, height = 0;
    Spectrum molecules{}, haze{};
  };

  Ray ray(Vec3 from, Vec3 direction, Vec3 to_sun) const;
  std::optional<Span> span(Vec3 from, Vec3 direction, double far) const;
  double height_after(const Ray& ray, double far) const;
  double sun_after(const Ray& ray, double far) const;
  /// How far it is to the ground, or below 0 where the ray misses it, and to where the ray leaves the air.
  double to_ground(const Ray& ray) const;
  double to_top(double height, double cosine) const;
  atmosphere::Densities depths(const Ray& ray, double far) const;
  Spectrum left_of(const atmosphere::Densities& depths) const;
  Spectrum sunlight_at(double height, double cosine) const;
  Spectrum later_at(double height, double cosine) const;
  template <class Visit>
  Spectrum walk(const Ray& ray, double far, int steps, double shift, const Visit& visit) const;
  Spectrum scattered(const Ray& ray, double far, int steps, double shift, Spectrum& through) const;
  void fill(Table& table, Spectrum (Air::*at)(double, double) const);
  Spectrum table_sun(double x, double y) const;
  Spectrum table_later(double x, double y) const;
  Spectrum table_sky(double x, double y) const;

  AirSpec spec_;
  atmosphere::Matter matter_;
  /// Metres of a unit, in which all that follows is: one of which molecules fall to 1/e over 8, a kilometre on the
  /// Earth. The ground's radius, and the way from the ground along the level to the top.
  double unit_, radius_, longest_;
  Table sun_, later_, sky_;
};

}  // namespace tepui

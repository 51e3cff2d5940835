#include "tepui/planet/planet_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/mesh/subset.h"
#include "tepui/planet/fine_places.h"
#include "tepui/planet/place_params.h"
#include "tepui/planet/place_values.h"
#include "tepui/planet/refine.h"

namespace tepui {

namespace {

ViewSpec view_of(const Planet& planet, const PlanetViewParams& params) {
  constexpr double highest_mountains = 12000;
  ViewSpec view;
  view.direction = direction_at(math::radians(params.latitude), math::radians(params.longitude));
  view.altitude = params.altitude / planet.length_scale();
  view.detail = params.detail;
  view.deepest = params.max_level;
  // As far beyond the horizon as their summits can be seen.
  const double highest = highest_mountains * planet.data().exaggeration;
  view.beyond = params.whole ? math::pi : math::acos(earth_radius / (earth_radius + highest));
  return view;
}

/// The height of what lies below the camera, the ground or the water or ice on it, in metres at the Earth's size.
double surface_below(const GlobalLand& land, const FineLand& fine, Vec3 direction) {
  const FinePlace place = find_places(fine, std::array{direction}, {direction, 0}, Context()).front();
  if (place.triangle < 0) fail("there is no land below the camera");
  return values_at(land, fine, fine.triangles[static_cast<size_t>(place.triangle)],
                   {static_cast<double>(place.shares[0]), static_cast<double>(place.shares[1]),
                    static_cast<double>(place.shares[2])})
      .surface();
}

/// A cone of sight, its tip in the middle of a mesh.
struct Sight {
  Vec3 axis;
  double half = 0;  ///< the angle between its axis and its side

  Sight(const Planet& planet, const PlanetViewParams& params) : half(math::radians(0.5 * *params.field_of_view)) {
    const double dip = math::acos(planet.radius() / (planet.radius() + params.altitude));
    const double pitch = params.pitch ? math::radians(*params.pitch) : -dip, heading = math::radians(params.heading);
    Vec3 up{0, 0, 1}, east{1, 0, 0}, north{0, 1, 0};
    if (params.frame == ViewAxes::planet) {
      up = direction_at(math::radians(params.latitude), math::radians(params.longitude));
      const LocalAxes axes = local_axes(up);
      east = axes.east;
      north = axes.north;
    }
    axis = (north * math::cos(heading) + east * math::sin(heading)) * math::cos(pitch) + up * math::sin(pitch);
  }

  /// Whether a ball around a triangle reaches into the cone.
  bool reaches(Vec3 a, Vec3 b, Vec3 c) const {
    const Vec3 middle = (a + b + c) * (1.0 / 3);
    const double radius = std::max({length(a - middle), length(b - middle), length(c - middle)}), away = length(middle);
    if (away <= radius) return true;
    const double off = math::acos(std::clamp(dot(middle, axis) / away, -1.0, 1.0));
    return off <= half + math::asin(radius / away);
  }
};

/// The triangles that a picture of the camera may show.
Mesh in_sight(const Mesh& mesh, const Sight& sight) {
  std::vector<MeshTriangle> seen;
  for (const MeshTriangle& t : mesh.triangles()) {
    const auto place = [&](size_t k) { return to_vec(mesh.positions()[t[k]]); };
    if (sight.reaches(place(0), place(1), place(2))) seen.push_back(t);
  }
  if (seen.empty())
    refuse("the camera sees no land",
           "a lower 'pitch', a wider 'field_of_view', or none to keep all around the camera");
  return subset(mesh, seen);
}

}  // namespace

void describe(Fields<PlanetViewParams>& f) {
  using P = PlanetViewParams;
  f.about("Make the mesh that a camera above a planet needs, finer the nearer it is");
  f.reach(Reach::whole);
  f.example("planet level=6 | {} latitude=-29 longitude=-117 altitude=60000 detail=0.05");
  describe_place(f, "of the camera");
  f("altitude", &P::altitude, Range{0, 1e12},
    "of the camera above the ground, or above the water or ice that lies on it there")
      .unit("m")
      .slider(2, 1e6);
  f("heading", &P::heading, Range{-360, 360},
    "which way the camera looks, clockwise from north; only with 'field_of_view'")
      .unit("deg");
  f("pitch", &P::pitch, Range{-90, 90},
    "how far above the level it looks; only with 'field_of_view'; auto: at the horizon")
      .unit("deg");
  f("field_of_view", &P::field_of_view, open_range(0, 360),
    "how wide it sees, from corner to corner of the picture: what lies outside is left out; auto: everything around "
    "the "
    "camera is kept")
      .unit("deg");
  f("detail", &P::detail, Range{0.005, 10},
    "how long an edge of a triangle is at most, as a share of its distance from the camera; half of it takes about "
    "four "
    "times the triangles")
      .slider(0.01, 0.2)
      .sweep("0.02", "0.05", "0.2");
  f("max_level", &P::max_level, Range{4, 24},
    "the finest level: edges are half as long with each, 29 m at 18, 7.3 m at 20, 0.5 m at 24 on a planet of the "
    "Earth's size. The planet's own level is the coarsest");
  f("whole", &P::whole, "keep what lies beyond the horizon, too: all around the planet, a closed surface");
  f("surface", &P::surface, {"ground", "ice", "water"},
    "what the mesh follows: bare ground, below water and ice; ground and the ice on it; or these and the water of "
    "seas and lakes");
  f("frame", &P::frame, {"local", "planet"},
    "x east, y north, z up, from sea level below the camera; or from the planet's middle, z through the north pole, x "
    "through latitude 0 and longitude 0");
}

Mesh planet_view(const Planet& in, const PlanetViewParams& params, const Context& context) {
  const ViewSpec view = view_of(in, params);
  const FineLand fine = Refiner(in.share()).refine(ViewRegion(view), context.stage("refining", 0, 0.8));
  const double height = surface_below(in.land(), fine, view.direction) * in.height_scale() + params.altitude;
  const ViewMeshSpec spec{.below = view.direction,
                          .altitude = height,
                          .local = params.frame == ViewAxes::local,
                          .length_scale = in.length_scale(),
                          .height_scale = in.height_scale(),
                          .surface = params.surface};
  Mesh mesh = view_mesh(in.land(), fine, spec, context.stage("mesh", 0.8, 1));
  if (params.field_of_view) mesh = in_sight(mesh, Sight(in, params));
  context.tell("camera", height, "m");
  context.tell("triangles", static_cast<double>(mesh.triangles().size()));
  return mesh;
}

}  // namespace tepui

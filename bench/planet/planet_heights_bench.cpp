#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "bench/bench.h"
#include "bench/planet/planets.h"
#include "tepui/core/math.h"
#include "tepui/core/random.h"
#include "tepui/planet/planet_places.h"

namespace tepui {

namespace {

const PlanetPlaces& known() {
  static const PlanetPlaces places(Planet(PlanetData{.land = *bench::usual_planet()}));
  return places;
}

/// A million places within a distance of one, so finely asked for. The plain way asks for one after the other.
bench::Row near_row(double metres, double spacing) {
  constexpr size_t count = 1'000'000, alone = 20;
  struct Places {
    std::vector<double> latitude, longitude, heights;
  };
  const auto all = std::make_shared<Places>();
  const LocalAxes axes = local_axes(bench::usual_place());
  const Stream stream(1);
  for (uint64_t i = 0; i < count; ++i) {
    const double away = std::sqrt(stream.uniform(i, 0, 0, 1)) * metres / earth_radius;
    const double angle = stream.uniform(i, 1, 0, 2 * math::pi);
    const Vec3 at =
        normalised(bench::usual_place() + (axes.east * math::cos(angle) + axes.north * math::sin(angle)) * away);
    all->latitude.push_back(math::degrees(latitude(at)));
    all->longitude.push_back(math::degrees(longitude(at)));
  }
  known();
  bench::Row row;
  row.fast = [=] { all->heights = known().heights(all->latitude, all->longitude, spacing, Context()); };
  row.reference = [=] {
    for (size_t i = 0; i < alone; ++i)
      known().heights(std::span(&all->latitude[i], 1), std::span(&all->longitude[i], 1), spacing, Context());
  };
  row.reference_part = static_cast<double>(alone) / static_cast<double>(count);
  row.hash = [=] { return hash_large(all->heights.data(), count * sizeof(double)); };
  row.size = fmt::format("{:g} km, {:g} m", metres / 1000, spacing);
  row.items = count;
  row.item = "places";
  return row;
}

}  // namespace

TEPUI_BENCH("planet/heights/within 1 km") { return near_row(1000, 5); }
TEPUI_BENCH("planet/heights/within 5 km") { return near_row(5000, 10); }

}  // namespace tepui

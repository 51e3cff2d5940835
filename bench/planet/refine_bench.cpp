#include "tepui/planet/refine.h"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <string>

#include "bench/bench.h"
#include "bench/planet/planets.h"
#include "reference/refine.h"
#include "tepui/core/math.h"
#include "tepui/planet/global_stage.h"

namespace tepui {

namespace {

ViewSpec view_from(double altitude) { return {.direction = bench::usual_place(), .altitude = altitude}; }

Vec3 moved(Vec3 place, double metres, double angle) {
  const LocalAxes axes = local_axes(place);
  const double far = metres / earth_radius;
  return normalised(place + axes.east * (far * math::cos(angle)) + axes.north * (far * math::sin(angle)));
}

Hash hash_of(const FineLand& land) {
  const auto of = [](const auto& list) { return hash_large(list.data(), list.size() * sizeof(list[0])); };
  const FineVertices& v = land.vertices;
  return Hasher().add(of(v.direction)).add(of(v.height)).add(of(v.discharge)).add(of(land.triangles)).finish();
}

std::string told(const FineLand& land) {
  const auto triangles = static_cast<double>(land.triangles.size());
  return fmt::format("{} triangles of {:.0f} bytes", land.triangles.size(),
                     static_cast<double>(land.bytes()) / triangles);
}

/// A region built from nothing.
bench::Row build_row(std::shared_ptr<const SplitRegion> region) {
  const auto refiner = bench::usual_refiner();
  const auto land = std::make_shared<FineLand>(refiner->refine(*region, Context()));
  bench::Row row;
  row.fast = [=] { *land = refiner->refine(*region, Context()); };
  row.hash = [=] { return hash_of(*land); };
  row.tells = [=] { return told(*land); };
  row.items = static_cast<double>(land->triangles.size());
  row.item = "triangles";
  return row;
}

/// Cameras that move on step by step, each view built from the one before. Beside them the same views from nothing.
bench::Row step_row(double share) {
  struct Flight {
    Refinement refinement{bench::usual_refiner()};
    ViewSpec view;
    int64_t made = 0, all = 0;
  };
  constexpr double altitudes[] = {2, 300, 10000};
  constexpr int steps = 4;
  const auto flights = std::make_shared<std::array<Flight, std::size(altitudes)>>();
  for (size_t k = 0; k < std::size(altitudes); ++k) {
    Flight& flight = (*flights)[k];
    flight.view = view_from(altitudes[k]);
    flight.refinement.to(ViewRegion(flight.view), Context());
  }
  bench::Row row;
  row.fast = [=] {
    for (Flight& flight : *flights)
      for (int step = 0; step < steps; ++step) {
        flight.view.direction = moved(flight.view.direction, share * flight.view.altitude, 0.7);
        flight.all += static_cast<int64_t>(flight.refinement.to(ViewRegion(flight.view), Context())->triangles.size());
        flight.made += flight.refinement.made();
      }
  };
  row.reference = [=] {
    for (const Flight& flight : *flights) bench::usual_refiner()->refine(ViewRegion(flight.view), Context());
  };
  row.reference_part = 1.0 / steps;
  row.tells = [=] {
    std::string text = "triangles made anew:";
    for (const Flight& flight : *flights)
      text +=
          fmt::format(" {:.0f} % from {:g} m",
                      100.0 * static_cast<double>(flight.made) / static_cast<double>(std::max<int64_t>(flight.all, 1)),
                      flight.view.altitude);
    return text;
  };
  row.size = fmt::format("{:g} % of altitude", 100 * share);
  return row;
}

bench::Row patch_row(double metres, int level) {
  return build_row(std::make_shared<PatchRegion>(bench::usual_place(), metres / earth_radius, level));
}

/// A small patch beside the plain twin's.
bench::Row twin_row() {
  const auto planet = std::make_shared<const GlobalLand>(global_land({.level = 6, .key = 1}, Context()));
  const auto refiner = std::make_shared<const Refiner>(planet);
  const auto land = std::make_shared<FineLand>();
  constexpr int level = 14;
  const double angle = 20 * edge_of_level(level);
  const Vec3 place = bench::usual_place();
  bench::Row row;
  row.fast = [=] { *land = refiner->refine(PatchRegion(place, angle, level), Context()); };
  row.reference = [=] { reference::refined(*planet, place, angle, level); };
  row.hash = [=] { return hash_of(*land); };
  row.tells = [=] { return told(*land); };
  return row;
}

/// The view in mode `paper`; the plain way is mode `stable`.
bench::Row paper_row() {
  GlobalLand other = *bench::usual_planet();
  other.rules.mode = PlanetMode::paper;
  const auto refiner = std::make_shared<const Refiner>(std::make_shared<const GlobalLand>(std::move(other)));
  const auto land = std::make_shared<FineLand>();
  const auto region = std::make_shared<ViewRegion>(view_from(2));
  bench::Row row;
  row.fast = [=] { *land = refiner->refine(*region, Context()); };
  row.reference = [=] { bench::usual_refiner()->refine(*region, Context()); };
  row.hash = [=] { return hash_of(*land); };
  row.tells = [=] { return told(*land); };
  return row;
}

}  // namespace

TEPUI_BENCH("planet/refine/small patch") { return twin_row(); }
TEPUI_BENCH("planet/refine/view, level 20") { return build_row(std::make_shared<ViewRegion>(view_from(2))); }
TEPUI_BENCH("planet/refine/paper, level 20") { return paper_row(); }
TEPUI_BENCH("planet/refine/6 km, level 19") { return patch_row(6000, 19); }
TEPUI_BENCH("planet/refine/1.5 km, level 21") { return patch_row(1500, 21); }
TEPUI_BENCH("planet/refine/step of 1 %") { return step_row(0.01); }
TEPUI_BENCH("planet/refine/step of 10 %") { return step_row(0.1); }
TEPUI_BENCH("planet/refine/step of 100 %") { return step_row(1); }

}  // namespace tepui

// What features on volumes cost: the sea and canyon rows of Table 1 of Paris et al. 2019, samples and rays.
#include <fmt/format.h>

#include <memory>

#include "bench/tables/paper_003.h"
#include "bench/volume/scenes.h"
#include "tepui/geology/rock_planes.h"
#include "tepui/landforms/poisson_disk.h"
#include "tepui/landforms/river_erosion.h"
#include "tepui/landforms/rock_bits.h"
#include "tepui/landforms/sea_erosion.h"
#include "tepui/landforms/surface_samples.h"
#include "tepui/volume/implicitize.h"

namespace tepui::bench {

namespace {

/// Hard and weak beds, 12 m apart.
Geology banded(const Frame& world, double from, double to, double base) {
  RockPlanesParams params;
  params.base = base;
  params.planes.clear();
  for (double z = from; z < to; z += 12) params.planes.push_back({metres(z), metres(5), -0.5, {}, {}, {}, {}});
  return rock_planes(world, params, Context());
}

Row generation(const std::string& name, Volume in, std::function<Volume(const Volume&)> carve) {
  const PaperScene& paper = paper_scene(name);
  const auto solid = std::make_shared<const Volume>(std::move(in));
  Row row;
  row.fast = [solid, carve] { carve(*solid); };
  row.hash = [solid, carve] { return carve(*solid).hash(); };
  row.tells = [solid, carve] {
    return fmt::format("{:.0f} points", carve(*solid).made().front().numbers.front().value);
  };
  row.size = fmt::format("{} primitives", paper.primitives);
  row.items = static_cast<double>(paper.primitives);
  row.paper_seconds = paper.generation;
  return row;
}

Row sea_row() {
  const VolumeScene scene = sea_scene();
  const Frame world = scene.land.frame();
  const Geology rock = banded(world, -40, 60, 0.6);
  SeaErosionParams params;
  params.depth = metres(5.5);
  params.size = metres(8);
  params.spacing = metres(2.5);
  params.passes = 3;
  return generation("sea", Volume(scene.bare.share(), scene.bare.threshold(), rock), [world, params](const Volume& in) {
    return sea_erosion(world, in, nullptr, nullptr, nullptr, params, Context());
  });
}

Row canyon_row() {
  const VolumeScene scene = canyon_scene();
  const Frame world = scene.land.frame();
  const Geology rock = banded(world, 200, 700, 0.35);
  RiverErosionParams params;
  params.depth = metres(3.4);
  params.size = metres(9);
  params.spacing = metres(3.15);
  params.reach = metres(110);
  params.power = 0;
  Polyline line;
  for (double x = 0; x <= 1098; x += 4) line.points.push_back({x, canyon_axis(x), 345 - 0.02 * x});
  const Lines river({line});
  return generation("canyon", Volume(scene.bare.share(), scene.bare.threshold(), rock),
                    [world, params, river](const Volume& in) {
                      return river_erosion(world, in, nullptr, &river, nullptr, nullptr, nullptr, params, Context());
                    });
}

/// A rough surface of 400 m, carved.
Volume rough() {
  const VolumeScene scene = canyon_scene();
  return scene.volume;
}
const Box3 part{{300, 300, 200}, {700, 700, 700}};

Row rays_row() {
  const auto volume = std::make_shared<const Volume>(rough());
  const auto samples =
      std::make_shared<const std::vector<SurfaceSample>>(sample_surface(*volume, part, 4, Stream(1), {}, Context()));
  std::vector<Vec3> at, normal;
  for (const SurfaceSample& s : *samples) at.push_back(s.at), normal.push_back(s.normal);
  const auto bits = std::make_shared<const RockBits>(*volume, at, 40, 0.7, Context());
  Row row;
  row.fast = [=] { bits->open_shares(at, normal, RayFan(32), 40, Context()); };
  row.hash = [=] {
    Hasher hasher;
    for (const float share : bits->open_shares(at, normal, RayFan(32), 40, Context()))
      hasher.add(static_cast<double>(share));
    return hasher.finish();
  };
  // One in five hundred, by casts.
  row.reference = [=] {
    const RayFan fan(32);
    for (size_t i = 0; i < at.size(); i += 500) {
      const auto around = fan.around(normal[i], 0);
      for (size_t k = 0; k < 32; ++k) volume->cast(at[i] + normal[i], fan.direction(k, around), 40, 0.7);
    }
  };
  row.reference_part = 1.0 / 500;
  row.items = static_cast<double>(at.size()) * 32;
  row.size = fmt::format("{} rays of 40 m", static_cast<int64_t>(row.items));
  return row;
}

Row poisson_row() {
  const auto volume = std::make_shared<const Volume>(rough());
  const SurfacePlaces places = surface_candidates(*volume, part, 3, Stream(1), {}, Context());
  Row row;
  row.fast = [=] { poisson_disk(places.at, places.priority, 3, Context()); };
  row.hash = [=] {
    Hasher hasher;
    for (const uint32_t i : poisson_disk(places.at, places.priority, 3, Context())) hasher.add(static_cast<int64_t>(i));
    return hasher.finish();
  };
  row.items = static_cast<double>(places.at.size());
  row.size = fmt::format("{} candidates", places.at.size());
  return row;
}

[[maybe_unused]] const bool listed = [] {
  Registrar("paper-003/sea/generation", sea_row);
  Registrar("paper-003/canyon/generation", canyon_row);
  Registrar("landforms/rays", rays_row);
  Registrar("landforms/poisson_disk", poisson_row);
  return true;
}();

}  // namespace

}  // namespace tepui::bench

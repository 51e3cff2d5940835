// States of a run that lie on disk for a while.
#include "tepui/erode/thermal.h"
#include "tepui/erode/weathering.h"
#include "tepui/generate/shape.h"
#include "tepui/io/raster/geotiff.h"
#include "tepui/io/read.h"
#include "tests/support/support.h"

namespace tepui::resume_test {

namespace {

const Context quiet;

/// The land as it comes back from a GeoTIFF.
Terrain from_disk(const Terrain& land) {
  const test::TemporaryFolder folder;
  write_geotiff(folder / "state.tif", land, land.layers(), quiet);
  ReadParams p;
  p.file = {folder / "state.tif"};
  return read(p, quiet);
}

Terrain block() {
  ShapeParams p;
  p.height = metres(33.3);
  return shape(make_world({100, 75}, 61), p, quiet);
}

void expect_same_layers(const Terrain& a, const Terrain& b, std::initializer_list<const char*> names) {
  for (const char* name : names) EXPECT_TRUE(test::same_cells(a.layer(name).grid(), b.layer(name).grid())) << name;
}

}  // namespace

TEST(Resume, WeatheringGoesOnFromAGeoTiff) {
  for (const WeatheringMode mode : {WeatheringMode::block, WeatheringMode::smooth}) {
    WeatheringParams p;
    p.mode = mode;
    p.reach = metres(2.5);
    p.cover = metres(0.7);
    p.retreat = metres(9);
    const Terrain whole = weathering(block(), nullptr, p, quiet);
    p.retreat = metres(4);
    const Terrain state = from_disk(weathering(block(), nullptr, p, quiet));
    p.retreat = metres(9);
    p.from = 4;
    expect_same_layers(weathering(state, nullptr, p, quiet), whole,
                       {"height", "bedrock", "sediment", "wear", "deposits"});
  }
}

TEST(Resume, ThermalErosionGoesOnFromAGeoTiff) {
  const ThermalParams all{.steps = 50}, half{.steps = 20}, rest{.steps = 50, .from = 20};
  expect_same_layers(thermal(from_disk(thermal(block(), half, quiet)), rest, quiet), thermal(block(), all, quiet),
                     {"height", "deposits"});
}

}  // namespace tepui::resume_test

#include "tepui/io/reproject.h"

#include <gdal/ogr_spatialref.h>

#include "bench/bench.h"
#include "reference/reproject.h"
#include "tepui/core/math.h"
#include "tepui/io/place/crs.h"

namespace tepui {

namespace {

/// Waves on 3" cells from 37 N, 113 W, about where Zion is.
Terrain geographic_land(int64_t side) {
  Frame frame;
  frame.width = frame.height = side;
  frame.cell = {74, 92.5};
  frame.size = {74 * static_cast<double>(side - 1), 92.5 * static_cast<double>(side - 1)};
  frame.geo = std::make_shared<const Georeference>(
      Georeference{crs_wkt(parse_crs("EPSG:4326")), {-113, 37}, {1.0 / 1200, 1.0 / 1200}});
  Grid<float> z(side, side);
  for (int64_t y = 0; y < side; ++y) {
    const double wave = math::sin(static_cast<double>(y) / 19);
    for (int64_t x = 0; x < side; ++x)
      z(x, y) = static_cast<float>(1500 + 500 * wave * static_cast<double>(x) / static_cast<double>(side));
  }
  return Terrain(frame, {1000, 2000}, std::move(z));
}

}  // namespace

TEPUI_BENCH("io/reproject/2048x2048") {
  struct Lands {
    Terrain in, out;
    CrsTransform way_back;
  };
  const auto l = std::make_shared<Lands>(
      Lands{geographic_land(2048), Terrain(), CrsTransform(parse_crs("EPSG:32612"), parse_crs("EPSG:4326"))});
  l->out = reproject(l->in, {}, Context());
  bench::Row row;
  row.fast = [l] { l->out = reproject(l->in, {}, Context()); };
  row.reference = [l] {
    reference::reproject(l->in.height(), l->in.frame(), l->out.frame(),
                         [&](std::span<double> x, std::span<double> y) { l->way_back(x, y); });
  };
  row.hash = [l] { return l->out.hash(); };
  row.size = "2048x2048";
  row.items = static_cast<double>(l->out.height().size());
  return row;
}

}  // namespace tepui

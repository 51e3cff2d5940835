#include "tepui/erode/stream_power.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/bench.h"
#include "reference/stream_power.h"
#include "tepui/erode/stream_land.h"
#include "tepui/generate/noise.h"
#include "tepui/geology/strata.h"
#include "tepui/hydrology/flow.h"

namespace tepui {

namespace {

Terrain hills(int64_t side, uint64_t seed) {
  NoiseParams params;
  params.height = metres(900);
  params.seed.recipe = seed;
  return noise(make_world({8000, 8000}, side), params, Context());
}

/// A plateau of layered rock, 600 m up.
Terrain plateau(int64_t side, uint64_t seed) {
  NoiseParams params;
  params.height = metres(40);
  params.seed.recipe = seed;
  const Terrain land = noise(make_world({8000, 8000}, side), params, Context());
  Grid<float> z = land.height().clone();
  for (float& v : z.cells()) v += 600;
  return land.with_height(std::move(z));
}

Geology beds() {
  StrataParams params;
  params.beds = {{"shale", metres(120), 0.2},    {"limestone", metres(40), 0.75}, {"mudstone", metres(90), 0.1},
                 {"sandstone", metres(40), 0.7}, {"marl", metres(80), 0.1},       {"limestone", metres(300), 0.85}};
  params.elevation = metres(200);
  return strata(make_world({8000, 8000}, 129), params, Context());
}

Terrain run(const Terrain& in, const StreamPowerParams& params, const Geology* rock = nullptr) {
  return stream_power(in, rock, nullptr, nullptr, nullptr, nullptr, params, Context());
}

struct Lands {
  Terrain in, out;
};

bench::Row whole_row(int64_t side) {
  const auto lands = std::make_shared<Lands>(Lands{hills(side, 3), Terrain()});
  bench::Row row;
  row.fast = [lands] { lands->out = run(lands->in, {}); };
  row.hash = [lands] { return lands->out.hash(); };
  row.size = fmt::format("{}x{}", side, side);
  row.items = static_cast<double>(side) * static_cast<double>(side);
  return row;
}

/// One step on the plain lattice, depressions included, beside the plain twin's on a part of the land.
bench::Row step_row(int64_t side) {
  const Lattice lattice{side, side, {2, 2}, {}, 1};
  const auto land = std::make_shared<StreamLand>(lattice, nullptr, StreamLaw{}, Context());
  const auto start = std::make_shared<Terrain>(run(hills(side, 3), {}));
  bench::Row row;
  row.fast = [land, start, side] {
    land->height = start->height().clone();
    land->ground.quanta_area = 4;
    land->ground.kind = Grid<WaterCell>(side, side, WaterCell::inner);
    for (int64_t i = 0; i < side; ++i)
      for (WaterCell* kind : {&land->ground.kind(i, 0), &land->ground.kind(i, side - 1), &land->ground.kind(0, i),
                              &land->ground.kind(side - 1, i)})
        *kind = WaterCell::edge;
    land->step(0.2, Context());
  };
  constexpr int64_t part = 256;
  row.reference = [start] {
    Grid<double> z(part, part);
    for (int64_t y = 0; y < part; ++y)
      for (int64_t x = 0; x < part; ++x) z(x, y) = static_cast<double>(start->height()(x, y));
    reference::StreamPower law{{2, 2}, 1, 0.45, 1, 5000};
    reference::stream_power_step(z, law, 0.2);
  };
  row.reference_part = static_cast<double>(part * part) / (static_cast<double>(side) * static_cast<double>(side));
  row.size = fmt::format("{}x{}", side, side);
  row.items = static_cast<double>(side) * static_cast<double>(side);
  return row;
}

/// How far the low-passed heights of two lands lie apart, as a share of the relief: over squares of a 64th of a side.
double broad_difference(const Terrain& a, const Terrain& b) {
  constexpr int64_t squares = 64;
  const auto means = [](const Terrain& land) {
    std::vector<double> sums(squares * squares), counts(squares * squares);
    const Grid<float>& z = land.height();
    for (int64_t y = 0; y < z.height() - 1; ++y)
      for (int64_t x = 0; x < z.width() - 1; ++x) {
        const auto square =
            static_cast<size_t>((y * squares / (z.height() - 1)) * squares + x * squares / (z.width() - 1));
        sums[square] += static_cast<double>(z(x, y)), counts[square] += 1;
      }
    for (size_t i = 0; i < sums.size(); ++i) sums[i] /= counts[i];
    return sums;
  };
  const std::vector<double> ma = means(a), mb = means(b);
  double square = 0;
  for (size_t i = 0; i < ma.size(); ++i) square += (ma[i] - mb[i]) * (ma[i] - mb[i]);
  return std::sqrt(square / static_cast<double>(ma.size())) / b.relief().span();
}

/// Of the preview's samples that drain over a 64th of the land: how many cells away the world's nearest such sample
/// is, in the median, and the share of them that lie more than three cells away.
struct Astray {
  double median = 0, far = 0;
};
Astray channels_astray(const Terrain& preview, const Terrain& world) {
  const double least = 8000.0 * 8000.0 / 64;
  const Grid<float>&p = preview.layer("drainage").grid(), &q = world.layer("drainage").grid();
  const int64_t step = (q.width() - 1) / (p.width() - 1), reach = 8 * step;
  std::vector<double> distances;
  for (int64_t y = 0; y < p.height(); ++y)
    for (int64_t x = 0; x < p.width(); ++x) {
      if (static_cast<double>(p(x, y)) < least) continue;
      double nearest = 8;
      for (int64_t j = std::max<int64_t>(0, y * step - reach); j <= std::min(q.height() - 1, y * step + reach); ++j)
        for (int64_t i = std::max<int64_t>(0, x * step - reach); i <= std::min(q.width() - 1, x * step + reach); ++i)
          if (static_cast<double>(q(i, j)) >= least)
            nearest =
                std::min(nearest, std::hypot(static_cast<double>(i - x * step), static_cast<double>(j - y * step)) /
                                      static_cast<double>(step));
      distances.push_back(nearest);
    }
  if (distances.empty()) return {};
  std::ranges::sort(distances);
  const auto far = static_cast<double>(std::ranges::count_if(distances, [](double d) { return d > 3; }));
  return {distances[distances.size() / 2], far / static_cast<double>(distances.size())};
}

/// Previews of 257, 513 and 1025 samples beside the world of 2049: medians of five seeds.
bench::Row preview_row(const std::function<Terrain(int64_t side, uint64_t seed)>& make) {
  bench::Row row;
  const auto text = std::make_shared<std::string>();
  row.fast = [text, make] {
    if (!text->empty()) return;
    std::vector<std::array<double, 3>> rows[3];
    for (uint64_t seed = 1; seed <= 5; ++seed) {
      const Terrain world = make(2049, seed);
      for (size_t k = 0; k < 3; ++k) {
        const Terrain preview = make(int64_t{256} << k | 1, seed);
        const Astray astray = channels_astray(preview, world);
        rows[k].push_back({broad_difference(preview, world), astray.median, astray.far});
      }
    }
    for (size_t k = 0; k < 3; ++k) {
      std::array<double, 3> median{};
      for (size_t i = 0; i < 3; ++i) {
        std::vector<double> values;
        for (const auto& r : rows[k]) values.push_back(r[i]);
        std::ranges::sort(values);
        median[i] = values[2];
      }
      *text += fmt::format("{}{}: heights {:.2f} %, channels {:.1f} cells, {:.0f} % over 3", k > 0 ? "; " : "",
                           int64_t{256} << k | 1, 100 * median[0], median[1], 100 * median[2]);
    }
  };
  row.tells = [text] { return *text; };
  row.size = "2049x2049";
  return row;
}

}  // namespace

TEPUI_BENCH("erode/stream_power/257x257") { return whole_row(257); }
TEPUI_BENCH("erode/stream_power/513x513") { return whole_row(513); }
TEPUI_BENCH("erode/stream_power/4097x4097") { return whole_row(4097); }
TEPUI_BENCH("erode/stream_power_step/4096x4096") { return step_row(4096); }
TEPUI_BENCH("erode/stream_power_preview/fractal") {
  return preview_row([](int64_t side, uint64_t seed) { return run(hills(side, seed), {}); });
}
TEPUI_BENCH("erode/stream_power_preview/floors") {
  return preview_row([](int64_t side, uint64_t seed) {
    StreamPowerParams params;
    params.valley_floor = metres(40);
    return run(hills(side, seed), params);
  });
}
TEPUI_BENCH("erode/stream_power_preview/plateau") {
  const auto rock = std::make_shared<Geology>(beds());
  return preview_row([rock](int64_t side, uint64_t seed) {
    StreamPowerParams params;
    params.uplift_shape = UpliftShape::none;
    params.fall = metres(350);
    return run(plateau(side, seed), params, rock.get());
  });
}

}  // namespace tepui

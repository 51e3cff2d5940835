#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tepui/core/error.h"
#include "tepui/render/light/colour.h"
#include "tepui/render/page/cut_figure.h"
#include "tepui/render/page/figure.h"
#include "tepui/render/page/layer_scale.h"

namespace tepui {

namespace {

/// How far rock darkens where another begins.
constexpr float edge_shade = 0.55f;

Interval heights_of(const Geology& rock, const Frame& world, const FigureParams& params) {
  if (params.range) return *params.range;
  const Interval levels = rock.root().levels();
  const double span = levels.high - levels.low;
  if (span > 0) return {levels.low - 0.06 * span, levels.high + 0.06 * span};
  // Rock without levels of its own: as high as land is by default.
  return {levels.low, levels.low + 0.15 * world.shorter_side()};
}

double usual_exaggeration(double pixels) {
  return pixels >= 320 && pixels < 640 ? 1 : round_exaggeration(320 / pixels);
}

/// The named rocks that the cut meets, the one that lies highest on average first.
std::vector<LegendClass> legend_of(const Geology& rock, const CutSamples& s, const ColourScale& scale) {
  const std::vector<NamedRock> names = rock.root().names();
  struct Met {
    size_t rock = 0;
    double count = 0, rows = 0;
  };
  std::vector<Met> all(names.size());
  for (size_t i = 0; i < all.size(); ++i) all[i].rock = i;
  for (size_t i = 0; i < s.which.size(); ++i) {
    const int32_t which = s.which[i];
    if (which < 0 || static_cast<size_t>(which) >= names.size()) continue;
    all[static_cast<size_t>(which)].count += 1;
    all[static_cast<size_t>(which)].rows += static_cast<double>(i / static_cast<size_t>(s.width));
  }
  std::erase_if(all, [](const Met& met) { return met.count == 0; });
  std::ranges::stable_sort(all, {}, [](const Met& met) { return met.rows / met.count; });
  std::vector<LegendClass> list;
  for (const Met& met : all) {
    const NamedRock& named = names[met.rock];
    list.push_back({scale.colour(static_cast<double>(named.resistance)),
                    fmt::format("{}  ({:.2g})", named.name, named.resistance)});
  }
  return list;
}

}  // namespace

RockFace cut_rock(const Geology& rock, const SectionLine& line, Interval heights, Vec2 size, ColourMap map,
                  const Context& context) {
  const CutSamples samples = sample_cut(rock, nullptr, line, heights, size, context);
  const ColourScale scale = rock_scale(map);
  Image image = samples.painted([&](int x, int y) {
    const uint32_t rgb = scale.colour(static_cast<double>(samples.rho[samples.at(x, y)]));
    return samples.borders_rock(x, y) ? to_hex(from_hex(rgb) * edge_shade) : rgb;
  });
  return {std::move(image), scale, legend_of(rock, samples, scale)};
}

Vec2 rock_bar_size(const RockFace& face, double height) {
  return {14, std::clamp(height * (face.rocks.empty() ? 1 : 0.5) - 24, 80.0, 240.0)};
}

Drawing draw_figure(const Geology& rock, const Frame& world, const FigureParams& params, const Context& context) {
  check_params(params);
  if (params.kind != FigureKind::section) refuse("rock is shown as a section", "kind = section");
  const Interval heights = heights_of(rock, world, params);
  const CutPlot cut = cut_plot(section_line(world, params), heights, params, usual_exaggeration);
  const RockFace face = cut_rock(rock, cut.line, heights, cut.area.size, params.colour_map, context);
  return draw_cut_page(cut, face, true, params);
}

}  // namespace tepui

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/render/light/colour.h"
#include "tepui/render/page/cut_figure.h"
#include "tepui/render/page/figure.h"
#include "tepui/render/page/layer_scale.h"

namespace tepui {

namespace {

constexpr uint32_t plain_rock = 0xb08d6a, air = 0xf4f6f7;
/// How far rock darkens where air or another rock begins.
constexpr float surface_shade = 0.25f, edge_shade = 0.7f;

SectionLine line_through(const Box3& box, const FigureParams& params) {
  Frame frame;
  frame.origin = {box.low.x, box.low.y};
  frame.cell = frame.size = {box.high.x - box.low.x, box.high.y - box.low.y};
  frame.width = frame.height = 2;
  return section_line(frame, params);
}

Interval heights_of(const Box3& box, const FigureParams& params) {
  if (params.range) return *params.range;
  const double margin = std::max(0.04 * (box.high.z - box.low.z), 1e-3);
  return {box.low.z - margin, box.high.z + margin};
}

/// Heights are as they are where that makes a page.
double usual_exaggeration(double pixels) {
  return pixels >= 80 && pixels <= 900 ? 1 : round_exaggeration(320 / pixels);
}

/// The share of a pixel that is rock, from how fast the field falls around it.
float rock_share(const CutSamples& s, int x, int y) {
  const size_t i = s.at(x, y), row = static_cast<size_t>(s.width);
  const float left = x > 0 ? s.v[i - 1] : s.v[i], right = x + 1 < s.width ? s.v[i + 1] : s.v[i];
  const float up = y > 0 ? s.v[i - row] : s.v[i], down = y + 1 < s.height ? s.v[i + row] : s.v[i];
  const float fall = 0.5f * (std::abs(right - left) + std::abs(down - up));
  return fall > 0 ? clamp01(0.5f + s.v[i] / fall) : s.v[i] > 0 ? 1.0f : 0.0f;
}

bool borders_air(const CutSamples& s, int x, int y) {
  const size_t i = s.at(x, y), row = static_cast<size_t>(s.width);
  return (x > 0 && !(s.v[i - 1] > 0)) || (x + 1 < s.width && !(s.v[i + 1] > 0)) || (y > 0 && !(s.v[i - row] > 0)) ||
         (y + 1 < s.height && !(s.v[i + row] > 0));
}

Image paint(const CutSamples& s, const ColourScale* scale) {
  return s.painted([&](int x, int y) {
    Rgb rock = from_hex(scale != nullptr ? scale->colour(static_cast<double>(s.rho[s.at(x, y)])) : plain_rock);
    if (borders_air(s, x, y))
      rock = rock * surface_shade;
    else if (s.borders_rock(x, y))
      rock = rock * edge_shade;
    return to_hex(mix(from_hex(air), rock, rock_share(s, x, y)));
  });
}

}  // namespace

Drawing draw_figure(const Volume& volume, const FigureParams& params, const Context& context) {
  check_params(params);
  if (params.kind != FigureKind::section) refuse("a volume is shown as a section", "kind = section");
  const Box3 box = volume.support();
  if (box.empty()) refuse("this volume is empty, so there is nothing to cut");
  const Interval heights = heights_of(box, params);
  const CutPlot cut = cut_plot(line_through(box, params), heights, params, usual_exaggeration);
  const CutSamples samples = sample_cut(volume.rock(), &volume, cut.line, heights, cut.area.size, context);
  const ColourScale scale = rock_scale(params.colour_map);
  const bool known = volume.rock().hash() != Geology().hash();
  return draw_cut_page(cut, {paint(samples, known ? &scale : nullptr), scale, {}}, known, params);
}

}  // namespace tepui

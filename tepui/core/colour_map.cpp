#include "tepui/core/colour_map.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/core/params.h"
#include "tepui/core/srgb.h"

namespace tepui {

namespace {

/// D65, and the linear light of sRGB's primaries in it (IEC 61966-2-1).
constexpr double white[3] = {0.95047, 1, 1.08883};
constexpr double to_xyz[3][3] = {
    {0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}};
constexpr double from_xyz[3][3] = {
    {3.2404542, -1.5371385, -0.4985314}, {-0.9692660, 1.8760108, 0.0415560}, {0.0556434, -0.2040259, 1.0572252}};

double curve(double t) {
  constexpr double d = 6.0 / 29;
  return t > d * d * d ? math::pow(t, 1.0 / 3) : t / (3 * d * d) + 4.0 / 29;
}

double curve_back(double f) {
  constexpr double d = 6.0 / 29;
  return f > d ? f * f * f : 3 * d * d * (f - 4.0 / 29);
}

std::array<double, 3> linear_from_lab(Lab lab) {
  const double y = (lab.l + 16) / 116;
  const double xyz[3] = {white[0] * curve_back(y + lab.a / 500), white[1] * curve_back(y),
                         white[2] * curve_back(y - lab.b / 200)};
  std::array<double, 3> rgb{};
  for (size_t i = 0; i < 3; ++i) rgb[i] = from_xyz[i][0] * xyz[0] + from_xyz[i][1] * xyz[1] + from_xyz[i][2] * xyz[2];
  return rgb;
}

bool on_screen(const std::array<double, 3>& rgb) {
  return std::ranges::all_of(rgb, [](double v) { return v > -1e-4 && v < 1 + 1e-4; });
}

/// Through the stops' hues, smoothly (Catmull and Rom 1974), with lightness linear from the first to the last stop.
ColourTable sequence(std::span<const Lab> stops) {
  ColourTable table{};
  const int last = static_cast<int>(stops.size()) - 1;
  for (size_t i = 0; i < table.size(); ++i) {
    const double t = static_cast<double>(i) / 255, place = t * last;
    const int at = std::min(static_cast<int>(place), last - 1);
    const double u = place - at;
    const auto spline = [&](double Lab::*m) {
      const auto stop = [&](int k) { return stops[static_cast<size_t>(std::clamp(k, 0, last))].*m; };
      const double p = stop(at - 1), q = stop(at), r = stop(at + 1), s = stop(at + 2);
      return q + 0.5 * u * (r - p + u * (2 * p - 5 * q + 4 * r - s + u * (3 * (q - r) + s - p)));
    };
    table[i] =
        srgb_from_lab({stops.front().l + (stops.back().l - stops.front().l) * t, spline(&Lab::a), spline(&Lab::b)});
  }
  return table;
}

ColourTable sequence(std::initializer_list<uint32_t> colours) {
  std::vector<Lab> stops;
  for (const uint32_t rgb : colours) stops.push_back(lab_from_srgb(rgb));
  return sequence(stops);
}

/// Two sequences from one light middle.
ColourTable diverging(Lab low, Lab middle, Lab high) {
  ColourTable table{};
  for (size_t i = 0; i < table.size(); ++i) {
    const double t = static_cast<double>(i) / 255 * 2 - 1, u = std::abs(t);
    const Lab& end = t < 0 ? low : high;
    table[i] = srgb_from_lab(
        {middle.l + (end.l - middle.l) * u, middle.a + (end.a - middle.a) * u, middle.b + (end.b - middle.b) * u});
  }
  return table;
}

/// Around the circle of hues, the lightest at `light` of the way.
ColourTable ring(double light) {
  ColourTable table{};
  for (size_t i = 0; i < table.size(); ++i) {
    const double turn = 2 * math::pi * static_cast<double>(i % 255) / 255;
    constexpr double chroma = 36;
    table[i] = srgb_from_lab({62 + 16 * math::cos(turn - 2 * math::pi * light), chroma * math::cos(turn + 2.2),
                              -chroma * math::sin(turn + 2.2)});
  }
  return table;
}

}  // namespace

Lab lab_from_srgb(uint32_t rgb) {
  double linear[3], f[3];
  for (size_t c = 0; c < 3; ++c) linear[c] = linear_from_srgb(static_cast<double>(rgb >> (16 - 8 * c) & 255u) / 255);
  for (size_t i = 0; i < 3; ++i)
    f[i] = curve((to_xyz[i][0] * linear[0] + to_xyz[i][1] * linear[1] + to_xyz[i][2] * linear[2]) / white[i]);
  return {116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
}

uint32_t srgb_from_lab(Lab colour) {
  const double l = std::clamp(colour.l, 0.0, 100.0);
  const auto with_share = [&](double share) { return linear_from_lab({l, colour.a * share, colour.b * share}); };
  std::array<double, 3> rgb = with_share(1);
  if (!on_screen(rgb)) {
    double inside = 0, outside = 1;
    for (int i = 0; i < 30; ++i) {
      const double half = (inside + outside) / 2;
      (on_screen(with_share(half)) ? inside : outside) = half;
    }
    rgb = with_share(inside);
  }
  uint32_t packed = 0;
  for (const double v : rgb)
    packed = packed << 8 | static_cast<uint32_t>(srgb_from_linear(std::clamp(v, 0.0, 1.0)) * 255 + 0.5);
  return packed;
}

const std::vector<std::string>& colour_map_names() {
  static const std::vector<std::string> names{"viridis",    "cividis", "grey",    "relief",
                                              "difference", "earth",   "compass", "by_layer"};
  return names;
}

const ColourTable& colour_table(ColourMap map) {
  static const std::array<ColourTable, 7> tables{
      sequence({0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c, 0x28ae80, 0x5ec962, 0xaddc30, 0xfde725}),
      sequence({0x00224e, 0x3b496c, 0x7c7b78, 0xbbad6d, 0xfee838}),
      sequence({0x000000, 0xffffff}),
      sequence({0x3b6450, 0x5f7d53, 0x8f9560, 0xbdab74, 0xd8c39a, 0xe9dcc4, 0xf9f8f6}),
      diverging({36, 4, -47}, {96, 0, 0}, {36, 47, 28}),
      sequence({0x3a2420, 0x6b3a2a, 0x9c5a38, 0xc08552, 0xd9b27c, 0xf3e6c8}),
      ring(7.0 / 8),
  };
  return tables[map == ColourMap::by_layer ? 0 : static_cast<size_t>(map)];
}

uint32_t colour_at(ColourMap map, double t) {
  return colour_table(map)[static_cast<size_t>(std::clamp(t, 0.0, 1.0) * 255 + 0.5)];
}

}  // namespace tepui

#include "tepui/render/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/render/grain.h"
#include "tepui/render/horizon.h"

namespace tepui {

namespace {

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

/// Samples of one axis of the reduced grid: both ends stay where they are. At least two, so that there is an area.
struct Axis {
  int64_t from = 1, to = 2;
  double step = 0;  ///< source samples per target sample
};
Axis make_axis(int64_t from, double factor) {
  Axis axis{from, std::max<int64_t>(2, 1 + static_cast<int64_t>(std::floor(static_cast<double>(from - 1) / factor))),
            0};
  if (axis.to == from) return {from, from, 1};
  axis.step = static_cast<double>(from - 1) / static_cast<double>(axis.to - 1);
  return axis;
}

struct Taps {
  int64_t first = 0;
  std::vector<float> weights;
};
/// A tent as wide as the target's spacing: an area mean that keeps linear slopes.
std::vector<Taps> make_taps(const Axis& axis) {
  std::vector<Taps> taps(static_cast<size_t>(axis.to));
  for (int64_t i = 0; i < axis.to; ++i) {
    const double centre = static_cast<double>(i) * axis.step, reach = std::max(axis.step, 1.0);
    Taps& tap = taps[static_cast<size_t>(i)];
    tap.first = std::max<int64_t>(0, static_cast<int64_t>(std::ceil(centre - reach)));
    const int64_t last = std::min(axis.from - 1, static_cast<int64_t>(std::floor(centre + reach)));
    double sum = 0;
    for (int64_t k = tap.first; k <= last; ++k)
      sum += std::max(0.0, 1 - std::abs(static_cast<double>(k) - centre) / reach);
    for (int64_t k = tap.first; k <= last; ++k)
      tap.weights.push_back(
          static_cast<float>(std::max(0.0, 1 - std::abs(static_cast<double>(k) - centre) / reach) / sum));
  }
  return taps;
}

Grid<float> reduce_smoothly(const Grid<float>& in, const Axis& ax, const Axis& ay, const Context& context) {
  if (ax.to == ax.from && ay.to == ay.from) return in.clone();
  const std::vector<Taps> tx = make_taps(ax), ty = make_taps(ay);
  Grid<float> rows(ax.to, in.height()), out(ax.to, ay.to);
  parallel_chunks(in.height(), 16, context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y)
      for (int64_t x = 0; x < ax.to; ++x) {
        const Taps& tap = tx[static_cast<size_t>(x)];
        float sum = 0;
        for (size_t k = 0; k < tap.weights.size(); ++k)
          sum += tap.weights[k] * in.row(y)[tap.first + static_cast<int64_t>(k)];
        rows(x, y) = sum;
      }
  });
  parallel_chunks(ay.to, 16, context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y) {
      const Taps& tap = ty[static_cast<size_t>(y)];
      std::fill_n(out.row(y), ax.to, 0.0f);
      for (size_t k = 0; k < tap.weights.size(); ++k) {
        const float* row = rows.row(tap.first + static_cast<int64_t>(k));
        for (int64_t x = 0; x < ax.to; ++x) out(x, y) += tap.weights[k] * row[x];
      }
    }
  });
  return out;
}

Grid<float> reduce_nearest(const Grid<float>& in, const Axis& ax, const Axis& ay) {
  Grid<float> out(ax.to, ay.to);
  const auto nearest = [](const Axis& axis, int64_t i) {
    return std::min(axis.from - 1, static_cast<int64_t>(std::lround(static_cast<double>(i) * axis.step)));
  };
  for (int64_t y = 0; y < ay.to; ++y)
    for (int64_t x = 0; x < ax.to; ++x) out(x, y) = in(nearest(ax, x), nearest(ay, y));
  return out;
}

Grid<float> reduce_layer(const Layer& layer, const Axis& ax, const Axis& ay, const Context& context) {
  return layer.kind == LayerKind::category ? reduce_nearest(layer.grid(), ax, ay)
                                           : reduce_smoothly(layer.grid(), ax, ay, context);
}

/// Horn's (1981) slopes; one-sided at the border.
void add_slopes(const Grid<float>& z, Vec2 cell, Grid<float>& dx, Grid<float>& dy, const Context& context) {
  const int64_t w = z.width(), h = z.height();
  parallel_chunks(h, 16, context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y) {
      const int64_t s = std::max<int64_t>(y - 1, 0), n = std::min(h - 1, y + 1);
      const float *south = z.row(s), *here = z.row(y), *north = z.row(n);
      const float per_y = 1 / static_cast<float>(4 * static_cast<double>(n - s) * cell.y);
      for (int64_t x = 0; x < w; ++x) {
        const int64_t l = std::max<int64_t>(x - 1, 0), r = std::min(w - 1, x + 1);
        const float per_x = 1 / static_cast<float>(4 * static_cast<double>(r - l) * cell.x);
        dx(x, y) = ((south[r] - south[l]) + 2 * (here[r] - here[l]) + (north[r] - north[l])) * per_x;
        dy(x, y) = ((north[l] - south[l]) + 2 * (north[x] - south[x]) + (north[r] - south[r])) * per_y;
      }
    }
  });
}

/// The mean of the square window of `reach` samples to each side, cut at the border.
Grid<float> window_mean(const Grid<float>& z, int64_t reach, const Context& context) {
  const int64_t w = z.width(), h = z.height();
  Grid<float> rows(w, h), out(w, h);
  const auto slide = [reach](const float* in, float* result, int64_t count, int64_t stride) {
    double sum = 0;
    int64_t have = std::min(reach, count);
    for (int64_t i = 0; i < have; ++i) sum += static_cast<double>(in[i * stride]);
    for (int64_t i = 0; i < count; ++i) {
      if (i + reach < count) sum += static_cast<double>(in[(i + reach) * stride]), ++have;
      if (i - reach - 1 >= 0) sum -= static_cast<double>(in[(i - reach - 1) * stride]), --have;
      result[i * stride] = static_cast<float>(sum / static_cast<double>(have));
    }
  };
  parallel_chunks(h, 16, context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y) slide(z.row(y), rows.row(y), w, 1);
  });
  parallel_chunks(w, 16, context, [&](int64_t begin, int64_t end) {
    for (int64_t x = begin; x < end; ++x) slide(rows.data() + x, out.data() + x, h, w);
  });
  return out;
}

std::pair<float, float> range_of(const Grid<float>& grid) {
  const auto [low, high] = std::ranges::minmax_element(grid.cells());
  return {*low, *high};
}

void choose_paint(Scene& scene, const Terrain& land, const PictureParams& params, const Axis& ax, const Axis& ay,
                  const Context& context) {
  if (params.colour == PictureColour::layer) {
    if (params.layer.empty() && land.layers().size() != 1)
      refuse("'layer' is empty: which layer should give the colours?", "for example layer = \"material\"");
    const Layer& layer = params.layer.empty() ? land.layers().front() : land.layer(params.layer);
    scene.paint = reduce_layer(layer, ax, ay, context);
    scene.paint_kind = layer.kind;
    std::tie(scene.paint_low, scene.paint_high) = range_of(layer.grid());
    if (layer.kind == LayerKind::mask) scene.paint_low = 0, scene.paint_high = 1;
  } else if (params.colour == PictureColour::natural) {
    if (const Layer* material = land.find("material"); material != nullptr && material->kind == LayerKind::category) {
      scene.paint = reduce_layer(*material, ax, ay, context);
      std::tie(scene.paint_low, scene.paint_high) = range_of(material->grid());
    }
    if (const Layer* hardness = land.find("hardness")) scene.hardness = reduce_layer(*hardness, ax, ay, context);
  }
}

void light_cells(Scene& scene, const Grid<float>& ground, const Context& context) {
  const int64_t w = scene.width, h = scene.height;
  Grid<float> surface = ground.clone();
  for (float& z : surface.cells()) z = scene.surface(z);
  Grid<float> dx(w, h), dy(w, h);
  add_slopes(ground, scene.cell, dx, dy, context);
  constexpr double penumbra = 1.1;
  Grid<float> sun(w, h, 1.0f);
  if (!scene.light.plain) {
    sun = sun_visibility(surface, scene.cell, scene.light.azimuth, scene.light.elevation, radians(penumbra),
                         context.stage("sun", 0, 0.1));
  }
  const Grid<float> sky = scene.light.plain ? Grid<float>(w, h, 1.0f)
                                            : sky_light(surface, scene.cell, dx, dy, context.stage("sky", 0.1, 0.9));
  const int64_t reach = std::max<int64_t>(2, std::max(w, h) / 40);
  const Grid<float> mean = window_mean(ground, reach, context);
  scene.cells = Grid<SceneCell>(w, h);
  parallel_chunks(h, 16, context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y)
      for (int64_t x = 0; x < w; ++x)
        scene.cells(x, y) = {ground(x, y), dx(x, y), dy(x, y), sun(x, y), sky(x, y), ground(x, y) - mean(x, y)};
  });
}

}  // namespace

double Scene::side() const {
  return std::max(static_cast<double>(width - 1) * cell.x, static_cast<double>(height - 1) * cell.y);
}

float Scene::level(float z) const {
  const float base = sea ? std::min(std::max(low, *sea), high - 0.01f * span()) : low;
  return (z - base) / (high - base);
}

float Scene::depth(float z) const {
  return sea && z < *sea ? (*sea - z) / std::max(*sea - low, 0.002f * static_cast<float>(side())) : 0;
}

Light make_light(const PictureParams& params) {
  Light light;
  // fmod is exact, so that a full turn of the sun gives the same bits.
  double azimuth = std::fmod(params.sun_azimuth.degrees, 360.0);
  if (azimuth < 0) azimuth += 360;
  light.azimuth = radians(azimuth);
  light.elevation = radians(params.sun_elevation.degrees);
  const double up = std::sin(light.elevation), out = std::cos(light.elevation);
  light.sun_x = static_cast<float>(std::sin(light.azimuth) * out);
  light.sun_y = static_cast<float>(std::cos(light.azimuth) * out);
  light.sun_z = static_cast<float>(up);
  light.shadows = static_cast<float>(params.shadows);
  light.plain = params.colour == PictureColour::hillshade;
  // A low sun is exposed for, up to a point.
  const float strength = 0.72f / static_cast<float>(std::max(up, std::sin(radians(5))));
  if (light.plain) {
    light.sun = Rgb{1, 1, 1} * strength;
    light.sky = Rgb{1, 1, 1} * 0.28f;
    return light;
  }
  if (params.colour == PictureColour::natural) {
    // A late sun; rock is dark beside clay, and is exposed for.
    constexpr float exposure = 1.55f;
    light.sun = Rgb{1.16f, 1.0f, 0.80f} * (strength * exposure);
    light.sky = Rgb{0.145f, 0.225f, 0.40f} * exposure;
    light.bounce = Rgb{0.22f, 0.14f, 0.085f} * exposure;
  } else {
    // Nearly white, so that colours that mean something stay what they are.
    light.sun = Rgb{1.04f, 1.0f, 0.93f} * strength;
    light.sky = Rgb{0.20f, 0.24f, 0.31f};
    light.bounce = Rgb{0.14f, 0.13f, 0.12f};
  }
  return light;
}

Rgb Light::falling_on(float nx, float ny, float nz, float sun_seen, float sky_seen) const {
  const float facing = std::max(0.0f, nx * sun_x + ny * sun_y + nz * sun_z);
  const float seen = 1 - shadows * (1 - sun_seen);
  return sun * (facing * seen) + sky * sky_seen + bounce * (1 - sky_seen);
}

Scene make_scene(const Terrain& land, const PictureParams& params, std::optional<double> sea_level, int64_t max_side,
                 const Context& context) {
  const Frame& frame = land.frame();
  if (frame.width < 1 || frame.height < 1) refuse("this land has no samples to draw");
  const double factor = std::max(1.0, static_cast<double>(std::max(frame.width, frame.height) - 1) /
                                          static_cast<double>(std::max<int64_t>(max_side - 1, 1)));
  const Axis ax = make_axis(frame.width, factor), ay = make_axis(frame.height, factor);

  Scene scene;
  scene.width = ax.to;
  scene.height = ay.to;
  // A single row or column is drawn one cell wide.
  scene.cell = {frame.cell.x * (frame.width > 1 ? ax.step : 1), frame.cell.y * (frame.height > 1 ? ay.step : 1)};
  scene.margin = {frame.width > 1 ? 0.5 / ax.step : 0, frame.height > 1 ? 0.5 / ay.step : 0};
  scene.colour = params.colour;
  scene.light = make_light(params);
  const float lift = static_cast<float>(params.exaggeration);
  Grid<float> ground;
  if (params.colour == PictureColour::layer && land.find("height") == nullptr)
    ground = Grid<float>(ax.to, ay.to, 0.0f);
  else
    ground = reduce_smoothly(land.height(), ax, ay, context);
  for (float& z : ground.cells()) z *= lift;
  if (sea_level) scene.sea = static_cast<float>(*sea_level) * lift;
  std::tie(scene.low, scene.high) = range_of(ground);
  // Slopes are squared in single precision.
  const double steepest = static_cast<double>(scene.high) - static_cast<double>(scene.low);
  if (!(steepest < 1e15 * std::min(scene.cell.x, scene.cell.y)) || std::abs(scene.high) > 1e15f)
    refuse(fmt::format("heights from {} to {} m are beyond what can be drawn", scene.low, scene.high),
           "scale the land, or lower the exaggeration");
  if (!(scene.high > scene.low)) scene.high = scene.low + std::max(1.0f, 1e-3f * std::abs(scene.low));
  choose_paint(scene, land, params, ax, ay, context);
  light_cells(scene, ground, context);
  return scene;
}

SceneCell cell_at(const Scene& scene, double u, double v) {
  u = std::clamp(u, 0.0, static_cast<double>(scene.width - 1));
  v = std::clamp(v, 0.0, static_cast<double>(scene.height - 1));
  const int64_t x = std::min(static_cast<int64_t>(u), scene.width - 2),
                y = std::min(static_cast<int64_t>(v), scene.height - 2);
  const float s = static_cast<float>(u - static_cast<double>(x)), t = static_cast<float>(v - static_cast<double>(y));
  const SceneCell *south = scene.cells.row(y) + x, *north = scene.cells.row(y + 1) + x;
  const auto blend = [&](float SceneCell::*m) {
    const float a = south[0].*m + s * (south[1].*m - south[0].*m), b = north[0].*m + s * (north[1].*m - north[0].*m);
    return a + t * (b - a);
  };
  return {blend(&SceneCell::z),   blend(&SceneCell::dx),  blend(&SceneCell::dy),
          blend(&SceneCell::sun), blend(&SceneCell::sky), blend(&SceneCell::rise)};
}

namespace {

float nearest(const Grid<float>& grid, double u, double v) {
  return grid(std::clamp<int64_t>(std::lround(u), 0, grid.width() - 1),
              std::clamp<int64_t>(std::lround(v), 0, grid.height() - 1));
}

float between(const Grid<float>& grid, double u, double v) {
  u = std::clamp(u, 0.0, static_cast<double>(grid.width() - 1));
  v = std::clamp(v, 0.0, static_cast<double>(grid.height() - 1));
  const int64_t x = std::min(static_cast<int64_t>(u), grid.width() - 2),
                y = std::min(static_cast<int64_t>(v), grid.height() - 2);
  const float s = static_cast<float>(u - static_cast<double>(x)), t = static_cast<float>(v - static_cast<double>(y));
  const float a = grid(x, y) + s * (grid(x + 1, y) - grid(x, y));
  const float b = grid(x, y + 1) + s * (grid(x + 1, y + 1) - grid(x, y + 1));
  return a + t * (b - a);
}

Rgb layer_colour(const Scene& scene, double u, double v) {
  if (scene.paint_kind == LayerKind::category) return category_colour(std::lround(nearest(scene.paint, u, v)));
  const float range = scene.paint_high - scene.paint_low;
  return uniform_ramp(range > 0 ? (between(scene.paint, u, v) - scene.paint_low) / range : 0.5f);
}

Place place_at(const Scene& scene, const SceneCell& cell, double u, double v) {
  const double side = scene.side();
  Place place;
  place.x = u * scene.cell.x / side;
  place.y = v * scene.cell.y / side;
  place.level = scene.level(cell.z);
  place.slope = std::sqrt(cell.dx * cell.dx + cell.dy * cell.dy);
  place.rise = cell.rise / scene.span();
  if (!scene.paint.empty() && scene.paint_high > 0) place.material = nearest(scene.paint, u, v) / scene.paint_high;
  if (!scene.hardness.empty()) place.hardness = clamp01(between(scene.hardness, u, v));
  return place;
}

}  // namespace

Rgb ground_colour(const Scene& scene, const SceneCell& cell, double u, double v) {
  static const Rgb grey{0.46f, 0.46f, 0.46f}, clay = from_hex(0xc9c3b9);
  switch (scene.colour) {
    case PictureColour::natural: {
      Rgb colour = scene.rock.at(place_at(scene, cell, u, v));
      if (scene.sea) {
        // The wet line at the water's edge.
        const float above = (cell.z - *scene.sea) / scene.span();
        colour = colour * (1 - 0.35f * (1 - smooth_step(0.0f, 0.006f, above)));
      }
      return colour;
    }
    case PictureColour::height:
      return height_ramp(scene.level(cell.z));
    case PictureColour::hillshade:
      return grey;
    case PictureColour::clay:
      return clay;
    case PictureColour::layer:
      return layer_colour(scene, u, v);
  }
  return clay;
}

Rgb shade(const Scene& scene, const SceneCell& cell, double u, double v, Vec3 view) {
  const Rgb ground = ground_colour(scene, cell, u, v);
  float dx = cell.dx, dy = cell.dy;
  Rgb colour = ground;
  const bool water = scene.sea && cell.z < *scene.sea && scene.colour != PictureColour::layer;
  if (water) {
    // Foam within about a cell of the shore.
    const float slope = std::sqrt(cell.dx * cell.dx + cell.dy * cell.dy) + 0.01f;
    const float offshore = (*scene.sea - cell.z) / (slope * static_cast<float>(std::min(scene.cell.x, scene.cell.y)));
    colour = mix(water_colour(ground, scene.depth(cell.z)), Rgb{0.62f, 0.68f, 0.66f},
                 0.6f * (1 - smooth_step(0.3f, 1.3f, offshore)));
    dx = dy = 0;
  } else if (scene.colour == PictureColour::natural) {
    const Vec2 rough = RockColours::roughness(place_at(scene, cell, u, v));
    dx += static_cast<float>(rough.x);
    dy += static_cast<float>(rough.y);
  }
  const float length = 1 / std::sqrt(1 + dx * dx + dy * dy);
  Rgb lit = colour * scene.light.falling_on(-dx * length, -dy * length, length, cell.sun, cell.sky);
  if (water) {
    // Schlick's reflection of a pale sky.
    const float grazing = 1 - static_cast<float>(std::abs(view.z)), g2 = grazing * grazing;
    lit = mix(lit, Rgb{0.55f, 0.66f, 0.80f}, 0.02f + 0.8f * g2 * g2 * grazing);
  }
  return lit;
}

}  // namespace tepui

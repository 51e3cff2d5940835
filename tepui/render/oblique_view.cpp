#include <algorithm>
#include <cmath>

#include "tepui/render/height_pyramid.h"
#include "tepui/render/horizon.h"
#include "tepui/render/rays.h"
#include "tepui/render/studio.h"
#include "tepui/render/views.h"

namespace tepui {

namespace {

/// The block of land in metres: south-west corner at the origin, standing on a floor.
struct Block {
  double east = 1, north = 1;  ///< far corner
  double floor = 0, top = 1;
  double side() const { return std::max(east, north); }
};

/// Outline points of the block: its foot, and the surface on a coarse lattice.
std::vector<Vec3> outline(const Scene& scene, const Block& block) {
  std::vector<Vec3> points;
  for (const double x : {0.0, block.east})
    for (const double y : {0.0, block.north}) points.push_back({x, y, block.floor});
  constexpr int64_t lattice = 96;
  for (int64_t j = 0; j <= lattice; ++j)
    for (int64_t i = 0; i <= lattice; ++i) {
      const int64_t x = i * (scene.width - 1) / lattice, y = j * (scene.height - 1) / lattice;
      points.push_back({static_cast<double>(x) * scene.cell.x, static_cast<double>(y) * scene.cell.y,
                        static_cast<double>(scene.surface(scene.cells(x, y).z))});
    }
  return points;
}

/// Sun and sky on the floor around the block, on a coarse lattice that reaches `margin` samples beyond it.
struct FloorLight {
  double cell = 1;
  int64_t margin = 0;
  int64_t inner_x = 1, inner_y = 1;  ///< samples of the block
  Grid<float> sun, sky;
};

FloorLight light_floor(const Scene& scene, const HeightPyramid& land, const Block& block, int64_t across,
                       const Context& context) {
  FloorLight light;
  light.cell = block.side() / across;
  light.inner_x = static_cast<int64_t>(std::floor(block.east / light.cell)) + 1;
  light.inner_y = static_cast<int64_t>(std::floor(block.north / light.cell)) + 1;
  light.margin = across / 2;
  Grid<float> z(light.inner_x + 2 * light.margin, light.inner_y + 2 * light.margin, static_cast<float>(block.floor));
  for (int64_t y = 0; y < light.inner_y; ++y)
    for (int64_t x = 0; x < light.inner_x; ++x)
      z(x + light.margin, y + light.margin) = static_cast<float>(land.height_at(
          static_cast<double>(x) * light.cell / scene.cell.x, static_cast<double>(y) * light.cell / scene.cell.y));
  const Vec2 cell{light.cell, light.cell};
  const Grid<float> level(z.width(), z.height(), 0.0f);
  light.sun = scene.light.plain ? Grid<float>(z.width(), z.height(), 1.0f)
                                : sun_visibility(z, cell, scene.light.azimuth, scene.light.elevation, 0.035, context);
  light.sky = sky_light(z, cell, level, level, context);
  return light;
}

/// Reads the floor's light outside the block, never from the samples on top of it.
std::pair<float, float> floor_light_at(const FloorLight& light, double x, double y) {
  double u = x / light.cell, v = y / light.cell;
  const double right = static_cast<double>(light.inner_x - 1), top = static_cast<double>(light.inner_y - 1);
  // Two samples away: the next one is softened with the block's own.
  const double to_left = u + 2, to_right = right + 2 - u, to_low = v + 2, to_top = top + 2 - v;
  const double inside = std::min({to_left, to_right, to_low, to_top});
  if (inside > 0) {
    if (inside == to_left)
      u = -2;
    else if (inside == to_right)
      u = right + 2;
    else if (inside == to_low)
      v = -2;
    else
      v = top + 2;
  }
  const auto read = [&](const Grid<float>& grid) {
    const double a =
        std::clamp(u + static_cast<double>(light.margin), 0.0, static_cast<double>(grid.width() - 1) - 1e-6);
    const double b =
        std::clamp(v + static_cast<double>(light.margin), 0.0, static_cast<double>(grid.height() - 1) - 1e-6);
    const int64_t i = static_cast<int64_t>(a), j = static_cast<int64_t>(b);
    const float s = static_cast<float>(a - static_cast<double>(i)), t = static_cast<float>(b - static_cast<double>(j));
    const float low = grid(i, j) + s * (grid(i + 1, j) - grid(i, j));
    const float high = grid(i, j + 1) + s * (grid(i + 1, j + 1) - grid(i, j + 1));
    return low + t * (high - low);
  };
  return {read(light.sun), read(light.sky)};
}

/// Casts one ray after another into the scene.
class Eye {
 public:
  Eye(const Scene& scene, const HeightPyramid& land, const FloorLight& floor, const Block& block, const Studio& studio)
      : scene_(scene), land_(land), floor_(floor), block_(block), studio_(studio), lens_(studio.lens()) {}

  /// The colour at (x, y) of the picture, both in [-1, 1], up positive; tone-mapped.
  Rgb look(double x, double y) const;

 private:
  float bed_level(double z) const;
  Rgb wall(Vec3 at, double nx, double ny) const;
  Rgb ground(Vec3 at, Vec3 view) const;
  Rgb floor(Vec3 at, double y) const;

  const Scene& scene_;
  const HeightPyramid& land_;
  const FloorLight& floor_;
  const Block& block_;
  const Studio& studio_;
  const Lens& lens_;
};

Rgb Eye::ground(Vec3 at, Vec3 view) const {
  const double u = at.x / scene_.cell.x, v = at.y / scene_.cell.y;
  return shade(scene_, cell_at(scene_, u, v), u, v, view);
}

float Eye::bed_level(double z) const {
  const float level = scene_.level(static_cast<float>(z));
  if (level >= 0) return level;
  // Below flat land the beds are as thick as the block asks for.
  const float foot = scene_.level(static_cast<float>(block_.floor));
  return foot < -0.5f ? 0.5f * level / -foot : level;
}

Rgb Eye::wall(Vec3 at, double nx, double ny) const {
  static const Rgb sawn = from_hex(0xb08968);
  const double along = (at.x + at.y) / block_.side();
  const double u = at.x / scene_.cell.x, v = at.y / scene_.cell.y;
  const SceneCell cell = cell_at(scene_, u, v);
  Rgb colour;
  if (scene_.colour == PictureColour::natural)
    colour = mix(scene_.rock.bed(along, bed_level(at.z)), sawn, 0.22f);
  else
    colour = mix(ground_colour(scene_, cell, u, v), Rgb{0.45f, 0.44f, 0.42f}, 0.75f);
  if (scene_.sea && at.z > static_cast<double>(cell.z))
    colour = water_colour(colour, 0.3f + 0.7f * scene_.depth(static_cast<float>(at.z)));
  // Half of a wall's view is floor, which is in shade close to it.
  const float foot = static_cast<float>((at.z - block_.floor) / (0.10 * block_.side()));
  const float sky = 0.5f * (0.55f + 0.45f * smooth_step(0, 1, foot));
  return colour * scene_.light.falling_on(static_cast<float>(nx), static_cast<float>(ny), 0, 1, sky);
}

Rgb Eye::floor(Vec3 at, double y) const {
  const auto [sun, sky] = floor_light_at(floor_, at.x, at.y);
  return studio_.floor(at, scene_.light.falling_on(0, 0, 1, sun, sky), y);
}

Rgb Eye::look(double px, double py) const {
  const Vec3 raw = lens_.ray(px, py);
  const Vec3 d = raw * (1 / std::sqrt(dot(raw, raw)));
  // The stretch of the ray inside the block's box.
  double from = 0, to = 1e30, nx = 0, ny = 0;
  const auto slab = [&](double origin, double direction, double low, double high, double& normal, double& other) {
    if (direction == 0) {
      if (origin < low || origin > high) to = -1;
      return;
    }
    const double a = (low - origin) / direction, b = (high - origin) / direction;
    if (std::min(a, b) > from) from = std::min(a, b), normal = direction > 0 ? -1 : 1, other = 0;
    to = std::min(to, std::max(a, b));
  };
  double none = 0, spare = 0;
  slab(lens_.eye.z, d.z, block_.floor, block_.top, none, spare);
  const double top_from = from;
  slab(lens_.eye.x, d.x, 0, block_.east, nx, ny);
  slab(lens_.eye.y, d.y, 0, block_.north, ny, nx);
  if (from < to) {
    const Vec3 start{lens_.eye.x / scene_.cell.x, lens_.eye.y / scene_.cell.y, lens_.eye.z};
    const Vec3 step{d.x / scene_.cell.x, d.y / scene_.cell.y, d.z};
    const Vec3 entry = lens_.eye + d * from;
    const bool side = from > top_from;
    const double level = land_.height_at(entry.x / scene_.cell.x, entry.y / scene_.cell.y);
    if (side && entry.z <= level) return tone_map(studio_.through_air(wall(entry, nx, ny), from));
    if (const auto t = land_.hit(start, step, from, to))
      return tone_map(studio_.through_air(ground(lens_.eye + d * *t, d), *t));
  }
  if (d.z < 0) return floor(lens_.eye + d * ((block_.floor - lens_.eye.z) / d.z), py);
  return studio_.backdrop(py);
}

}  // namespace

Image draw_oblique(const Scene& scene, const PictureParams& params, int width, int height, const Context& context) {
  Grid<float> surface(scene.width, scene.height);
  for (int64_t y = 0; y < scene.height; ++y)
    for (int64_t x = 0; x < scene.width; ++x) surface(x, y) = scene.surface(scene.cells(x, y).z);
  const HeightPyramid land(std::move(surface), context);
  Block block;
  block.east = static_cast<double>(scene.width - 1) * scene.cell.x;
  block.north = static_cast<double>(scene.height - 1) * scene.cell.y;
  block.top = land.highest();
  block.floor = static_cast<double>(scene.low) -
                std::max(0.035 * block.side(), 0.12 * (block.top - static_cast<double>(scene.low)));
  const FloorLight floor =
      light_floor(scene, land, block, std::clamp(width / 3, 24, 400), context.stage("floor", 0, 0.1));
  const Vec3 low{0, 0, block.floor}, high{block.east, block.north, block.top};
  const Lens lens = fit_lens(outline(scene, block), low, high, params, static_cast<double>(width) / height);
  const Studio studio(lens, low, high, scene.colour);
  const Eye eye(scene, land, floor, block, studio);
  return draw_rays(width, height, context.stage("rays", 0.1, 1),
                   [&](double x, double y, RaySample) { return eye.look(x, y); });
}

}  // namespace tepui

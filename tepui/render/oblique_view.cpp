#include <algorithm>
#include <cmath>
#include <numbers>

#include "tepui/core/parallel.h"
#include "tepui/core/random.h"
#include "tepui/render/grain.h"
#include "tepui/render/height_pyramid.h"
#include "tepui/render/horizon.h"
#include "tepui/render/views.h"

namespace tepui {

namespace {

Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Vec3 operator*(Vec3 a, double s) { return {a.x * s, a.y * s, a.z * s}; }
double dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/// The block of land in metres: south-west corner at the origin, standing on a floor.
struct Block {
  double east = 1, north = 1;  ///< far corner
  double floor = 0, top = 1;
  double side() const { return std::max(east, north); }
};

/// A lens on a ray from the block's middle, shifted so that the block sits in the middle of the picture.
struct Lens {
  Vec3 eye, forward, right, up;
  double half_x = 1, half_y = 1;    ///< tangents of half the field of view
  double shift_x = 0, shift_y = 0;  ///< of the picture's middle
  double near = 0;                  ///< distance of the nearest part of the block

  Vec3 ray(double x, double y) const { return forward + right * (shift_x + x * half_x) + up * (shift_y + y * half_y); }
};

struct ScreenBox {
  double left = 1e30, right = -1e30, low = 1e30, high = -1e30, near = 1e30;
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

Lens fit_lens(const std::vector<Vec3>& points, const Block& block, const PictureParams& params, double aspect) {
  const double azimuth = std::fmod(params.view_azimuth.degrees, 360.0) * std::numbers::pi / 180;
  const double elevation = params.view_elevation.degrees * std::numbers::pi / 180;
  const Vec3 back{std::sin(azimuth) * std::cos(elevation), std::cos(azimuth) * std::cos(elevation),
                  std::sin(elevation)};
  Lens lens;
  lens.forward = back * -1;
  lens.right = {-std::cos(azimuth), std::sin(azimuth), 0};
  lens.up = {-std::sin(azimuth) * std::sin(elevation), -std::cos(azimuth) * std::sin(elevation), std::cos(elevation)};
  lens.half_y = std::tan(17 * std::numbers::pi / 180) * std::min(1.0, 1.5 / aspect);
  lens.half_x = lens.half_y * aspect;
  const Vec3 middle{block.east / 2, block.north / 2, 0.5 * (block.floor + block.top)};
  const auto seen_from = [&](double distance) {
    ScreenBox box;
    for (const Vec3& point : points) {
      const Vec3 p = point - middle;
      const double depth = distance - dot(p, back);
      const double x = dot(p, lens.right) / depth, y = dot(p, lens.up) / depth;
      box = {std::min(box.left, x), std::max(box.right, x), std::min(box.low, y), std::max(box.high, y),
             std::min(box.near, depth)};
    }
    return box;
  };
  // Room at the sides, and more at the top for the sky.
  const double wide = 2 * lens.half_x * 0.95, tall = 2 * lens.half_y * 0.84;
  double low = 0, high = 1;
  const double size = std::sqrt(block.east * block.east + block.north * block.north +
                                (block.top - block.floor) * (block.top - block.floor));
  const auto fits = [&](double distance) {
    const ScreenBox box = seen_from(distance);
    return box.near > 0.05 * size && box.right - box.left <= wide && box.high - box.low <= tall;
  };
  low = 0.05 * size;
  high = size;
  for (int i = 0; i < 60 && !fits(high); ++i) high *= 2;
  for (int i = 0; i < 50; ++i) (fits(0.5 * (low + high)) ? high : low) = 0.5 * (low + high);
  const ScreenBox box = seen_from(high);
  lens.eye = middle + back * high;
  lens.near = box.near;
  lens.shift_x = 0.5 * (box.left + box.right);
  lens.shift_y = 0.5 * (box.low + box.high) + 0.06 * lens.half_y;
  return lens;
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
  Eye(const Scene& scene, const HeightPyramid& land, const FloorLight& floor, const Block& block, const Lens& lens)
      : scene_(scene), land_(land), floor_(floor), block_(block), lens_(lens) {}

  /// The colour at (x, y) of the picture, both in [-1, 1], up positive; tone-mapped.
  Rgb look(double x, double y) const;

 private:
  Rgb backdrop(double y) const;
  float bed_level(double z) const;
  Rgb wall(Vec3 at, double nx, double ny) const;
  Rgb ground(Vec3 at, Vec3 view) const;
  Rgb floor(Vec3 at, double y) const;
  Rgb through_air(Rgb colour, double distance) const;

  const Scene& scene_;
  const HeightPyramid& land_;
  const FloorLight& floor_;
  const Block& block_;
  const Lens& lens_;
};

Rgb Eye::backdrop(double y) const {
  static const Rgb pale = from_hex(0xf3e6d6), middle = from_hex(0xb9d0e0), zenith = from_hex(0x5d8fbe);
  const float t = static_cast<float>(0.5 + 0.5 * y);
  return mix(mix(pale, middle, smooth_step(0.42f, 0.88f, t)), zenith, 0.9f * smooth_step(0.68f, 1.12f, t));
}

Rgb Eye::through_air(Rgb colour, double distance) const {
  const double thick = std::max(0.0, distance - lens_.near) / block_.side();
  const float haze = 1 - static_cast<float>(std::exp(-0.10 * thick * std::sqrt(thick)));
  static const Rgb air{0.66f, 0.74f, 0.84f};
  return mix(colour, air, haze);
}

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
  static const Rgb plate = from_hex(0xe9ddcd);
  const auto [sun, sky] = floor_light_at(floor_, at.x, at.y);
  // As bright as the backdrop it fades into, whatever the land is exposed for.
  const float exposure = scene_.colour == PictureColour::natural ? 1.0f : 1.5f;
  const Rgb lit = tone_map(plate * scene_.light.falling_on(0, 0, 1, sun, sky) * exposure);
  const double dx = std::max({-at.x, at.x - block_.east, 0.0}), dy = std::max({-at.y, at.y - block_.north, 0.0});
  // Fades sooner behind the block, where the sky begins.
  const double behind = (at.x - block_.east / 2) * lens_.forward.x + (at.y - block_.north / 2) * lens_.forward.y;
  const double reach =
      0.5 - 0.38 * static_cast<double>(smooth_step(-0.3f, 0.6f, static_cast<float>(behind / block_.side())));
  const float away = static_cast<float>(std::sqrt(dx * dx + dy * dy) / block_.side());
  return mix(lit, backdrop(y), smooth_step(0.0f, static_cast<float>(reach), away));
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
    if (side && entry.z <= level) return tone_map(through_air(wall(entry, nx, ny), from));
    if (const auto t = land_.hit(start, step, from, to))
      return tone_map(through_air(ground(lens_.eye + d * *t, d), *t));
  }
  if (d.z < 0) return floor(lens_.eye + d * ((block_.floor - lens_.eye.z) / d.z), py);
  return backdrop(py);
}

/// Four samples on a turned square; where they differ, an edge runs through the pixel and twelve more are taken, so
/// that all sixteen stand on different rows and columns.
Rgb pixel(const Eye& eye, int x, double y, int width, int height) {
  const auto sample = [&](int i) {
    // Bit reversal of i gives the column: the Hammersley points of sixteen.
    const int column = ((i & 1) << 3) | ((i & 2) << 1) | ((i & 4) >> 1) | ((i & 8) >> 3);
    return eye.look(2 * (x + (column + 0.5) / 16) / width - 1, 1 - 2 * (y + (i + 0.5) / 16) / height);
  };
  constexpr int first[4] = {1, 6, 11, 12};
  Rgb sum;
  float dimmest = 2, brightest = 0;
  for (const int i : first) {
    const Rgb colour = sample(i);
    const float seen = std::sqrt(luminance(colour));
    dimmest = std::min(dimmest, seen);
    brightest = std::max(brightest, seen);
    sum = sum + colour;
  }
  if (brightest - dimmest < 0.12f) return sum * 0.25f;
  for (int i = 0; i < 16; ++i)
    if (i != 1 && i != 6 && i != 11 && i != 12) sum = sum + sample(i);
  return sum * (1.0f / 16);
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
  const Lens lens = fit_lens(outline(scene, block), block, params, static_cast<double>(width) / height);
  const Eye eye(scene, land, floor, block, lens);

  Image image(width, height, 3);
  const Stream dither(0x6469'7468u);
  parallel_chunks(height, 4, context.stage("rays", 0.1, 1), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row)
      for (int x = 0; x < width; ++x) {
        const Rgb colour = pixel(eye, x, static_cast<double>(row), width, height);
        const uint64_t index = static_cast<uint64_t>(row * width + x);
        store_srgb(colour, static_cast<float>(dither.uniform(index)), image.at(x, static_cast<int>(row)));
      }
  });
  return image;
}

}  // namespace tepui

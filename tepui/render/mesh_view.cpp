#include "tepui/render/mesh_view.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

#include "tepui/core/error.h"
#include "tepui/render/mesh_model.h"
#include "tepui/render/ray_scene.h"
#include "tepui/render/rays.h"
#include "tepui/render/rock_colours.h"
#include "tepui/render/scene.h"
#include "tepui/render/studio.h"
#include "tepui/render/views.h"

namespace tepui {

namespace {

constexpr uint64_t sky_rays = 8, sun_rays = 4;
constexpr double lift = 1e-5;      ///< of a ray's start over its surface; the model's side is 1
constexpr double sun_disc = 0.02;  ///< half its width, radians: as soft as the shadows of land

/// A point of a surface, seen from one side.
struct Surface {
  Vec3 at, start;      ///< where it is, and where rays from it start
  Vec3 facet, normal;  ///< both towards the eye, unit length
};

/// Two unit vectors at right angles to n and to each other (Duff et al. 2017).
std::pair<Vec3, Vec3> around(Vec3 n) {
  const double sign = std::copysign(1.0, n.z);
  const double a = -1 / (sign + n.z), b = n.x * n.y * a;
  return {{1 + sign * n.x * n.x * a, sign * b, -sign * n.x}, {b, sign + n.y * n.y * a, -n.y}};
}

/// The picture's point set: an additive recurrence (Roberts 2018), shifted for each pixel by its own random numbers.
Vec2 sample_point(RaySample sample, uint64_t of_sample, uint64_t rays, uint64_t channel) {
  static const Stream stream(0x6d65'7368u);
  const double n = static_cast<double>(sample.number * rays + of_sample);
  const double u = stream.uniform(sample.pixel, channel) + n * 0.7548776662466927;
  const double v = stream.uniform(sample.pixel, channel + 1) + n * 0.5698402909980532;
  return {u - std::floor(u), v - std::floor(v)};
}

/// Shades what rays from the eye meet.
class MeshEye {
 public:
  MeshEye(const MeshModel& model, const RayScene& scene, const PictureParams& params)
      : model_(model), scene_(scene), colour_(params.colour), light_(make_light(params)) {
    sun_ = {static_cast<double>(light_.sun_x), static_cast<double>(light_.sun_y), static_cast<double>(light_.sun_z)};
    std::tie(sun_right_, sun_up_) = around(sun_);
  }

  const Light& light() const { return light_; }
  std::optional<RayHit> hit(Vec3 from, Vec3 direction) const { return scene_.hit(from, direction); }

  /// The lit colour of a point that a ray along `view` has met, before tone mapping.
  Rgb shade(const RayHit& hit, Vec3 view, RaySample sample) const {
    const Surface surface = surface_of(hit, view);
    const bool wall = hit.triangle >= model_.own_triangles;
    const Rgb colour = wall ? wall_colour(surface) : own_colour(hit, surface);
    return colour * light_on(wall ? surface : roughened(surface), sample);
  }

  /// What falls on the floor.
  Rgb light_on_floor(Vec3 at, RaySample sample) const {
    return light_on({at, at + Vec3{0, 0, lift}, {0, 0, 1}, {0, 0, 1}}, sample);
  }

 private:
  float level(double z) const {
    return static_cast<float>((z - model_.low.z) / std::max(model_.high.z - model_.low.z, 1e-6));
  }

  /// Slope and place of a surface as the colours of rock ask for them.
  Place place_of(const Surface& surface) const {
    Place place;
    place.x = surface.at.x + 0.5;
    place.y = surface.at.y + 0.5;
    place.level = level(surface.at.z);
    const Vec3 n = surface.normal;
    place.slope = n.z > 1e-3 ? static_cast<float>(std::min(std::sqrt(n.x * n.x + n.y * n.y) / n.z, 100.0)) : 100;
    return place;
  }

  Surface surface_of(const RayHit& hit, Vec3 view) const {
    const MeshTriangle& t = model_.triangles[hit.triangle];
    const Vec3 a = to_vec(model_.positions[t[0]]), b = to_vec(model_.positions[t[1]]),
               c = to_vec(model_.positions[t[2]]);
    const double weights[3] = {1 - hit.u - hit.v, hit.u, hit.v};
    Surface surface;
    surface.at = a * weights[0] + b * weights[1] + c * weights[2];
    Vec3 facet = cross(b - a, c - a);
    facet = facet * (1 / std::max(length(facet), 1e-300));
    const double side = dot(facet, view) > 0 ? -1 : 1;
    surface.facet = facet * side;
    surface.normal = {};
    surface.start = {};
    for (size_t k = 0; k < 3; ++k) {
      const Vec3 normal = corner_normal(hit.triangle, t[k], facet) * side;
      surface.normal = surface.normal + normal * weights[k];
      // Rays start on the smooth surface that the normals tell of, not on the facet under it, lest facets shade
      // themselves (Hanika 2021).
      const Vec3 corner = to_vec(model_.positions[t[k]]);
      const double below = std::min(0.0, dot(surface.at - corner, normal));
      surface.start = surface.start + (surface.at - normal * below) * weights[k];
    }
    surface.normal = surface.normal * (1 / std::max(length(surface.normal), 1e-300));
    surface.start = surface.start + surface.facet * lift;
    return surface;
  }

  /// Smooth over gentle folds only: a vertex of a sharp edge has no normal of its own.
  Vec3 corner_normal(uint32_t triangle, uint32_t vertex, Vec3 facet) const {
    if (triangle >= model_.own_triangles) return facet;
    const Vec3 normal = to_vec(model_.normals[vertex]);
    const double across = dot(normal, facet);
    // The normals of a file may point to the other side of its facets.
    if (std::abs(across) < model_.sharpest) return facet;
    return across < 0 ? normal * -1 : normal;
  }

  Rgb own_colour(const RayHit& hit, const Surface& surface) const {
    static const Rgb grey{0.46f, 0.46f, 0.46f}, clay = from_hex(0xc9c3b9);
    switch (colour_) {
      case PictureColour::natural:
        return model_.colours.empty() ? rock_.at(place_of(surface)) : vertex_colour(hit);
      case PictureColour::height:
        return height_ramp(level(surface.at.z));
      case PictureColour::hillshade:
        return grey;
      default:
        return clay;
    }
  }

  Rgb vertex_colour(const RayHit& hit) const {
    const MeshTriangle& t = model_.triangles[hit.triangle];
    const double weights[3] = {1 - hit.u - hit.v, hit.u, hit.v};
    Rgb sum;
    for (size_t k = 0; k < 3; ++k) {
      const MeshColour& c = model_.colours[t[k]];
      sum = sum + Rgb{decoded(c[0]), decoded(c[1]), decoded(c[2])} * static_cast<float>(weights[k]);
    }
    return sum;
  }

  static float decoded(uint8_t byte) {
    static const auto table = [] {
      std::array<float, 256> values{};
      for (size_t i = 0; i < 256; ++i) values[i] = srgb_decode(static_cast<float>(i) / 255);
      return values;
    }();
    return table[byte];
  }

  Rgb wall_colour(const Surface& surface) const {
    static const Rgb sawn = from_hex(0xb08968), plain{0.45f, 0.44f, 0.42f};
    if (colour_ != PictureColour::natural || !model_.colours.empty()) return plain;
    return mix(rock_.bed(surface.at.x + surface.at.y + 1, level(surface.at.z)), sawn, 0.22f);
  }

  /// With the small relief that rock has, where there is something like ground.
  Surface roughened(const Surface& surface) const {
    if (colour_ != PictureColour::natural || !model_.colours.empty() || surface.normal.z < 0.2) return surface;
    Surface result = surface;
    const Vec2 rough = RockColours::roughness(place_of(surface));
    const Vec3 n = surface.normal;
    const Vec3 turned{n.x - rough.x * n.z, n.y - rough.y * n.z, n.z};
    result.normal = turned * (1 / length(turned));
    return result;
  }

  Rgb light_on(const Surface& surface, RaySample sample) const {
    const auto f = [](double v) { return static_cast<float>(v); };
    const Vec3 n = surface.normal;
    const float sun = light_.plain ? 1 : sun_seen(surface, sample), sky = light_.plain ? 1 : sky_seen(surface, sample);
    return light_.falling_on(f(n.x), f(n.y), f(n.z), sun, sky);
  }

  float sun_seen(const Surface& surface, RaySample sample) const {
    if (dot(surface.normal, sun_) <= 0) return 0;
    float seen = 0;
    for (uint64_t i = 0; i < sun_rays; ++i) {
      const Vec2 p = sample_point(sample, i, sun_rays, 0);
      const double angle = 2 * std::numbers::pi * p.x, radius = sun_disc * std::sqrt(p.y);
      const Vec3 d = sun_ + sun_right_ * (radius * std::cos(angle)) + sun_up_ * (radius * std::sin(angle));
      if (d.z > 0 && !scene_.blocked(surface.start, d)) seen += 1;
    }
    return seen / sun_rays;
  }

  /// The share of the sky, weighted by the cosine: 1 on open level ground, whose lower half sees the floor.
  float sky_seen(const Surface& surface, RaySample sample) const {
    const auto [right, up] = around(surface.normal);
    float seen = 0;
    for (uint64_t i = 0; i < sky_rays; ++i) {
      const Vec2 p = sample_point(sample, i, sky_rays, 2);
      const double angle = 2 * std::numbers::pi * p.x, radius = std::sqrt(p.y);
      const Vec3 d = right * (radius * std::cos(angle)) + up * (radius * std::sin(angle)) +
                     surface.normal * std::sqrt(std::max(0.0, 1 - p.y));
      if (d.z > 0 && dot(d, surface.facet) > 0 && !scene_.blocked(surface.start, d)) seen += 1;
    }
    return seen / sky_rays;
  }

  const MeshModel& model_;
  const RayScene& scene_;
  PictureColour colour_;
  Light light_;
  Vec3 sun_, sun_right_, sun_up_;
  RockColours rock_;
};

/// Points that the whole of the model lies between: its vertices, or some thousands of them, and its foot.
std::vector<Vec3> outline(const MeshModel& model) {
  std::vector<Vec3> points;
  const size_t step = std::max<size_t>(1, model.positions.size() / 20000);
  for (size_t i = 0; i < model.positions.size(); i += step) points.push_back(to_vec(model.positions[i]));
  for (const double x : {model.low.x, model.high.x})
    for (const double y : {model.low.y, model.high.y})
      if (model.sheet) points.push_back({x, y, model.floor});
  return points;
}

Image draw_three_quarter(const MeshModel& model, const MeshEye& eye, const PictureParams& params, PixelSize size,
                         const Context& context) {
  const Vec3 low{model.low.x, model.low.y, model.floor};
  const Lens lens = fit_lens(outline(model), low, model.high, params, static_cast<double>(size.width) / size.height);
  const Studio studio(lens, low, model.high, params.colour);
  return draw_rays(size.width, size.height, context, [&](double x, double y, RaySample sample) {
    const Vec3 ray = lens.ray(x, y), view = ray * (1 / length(ray));
    if (const auto hit = eye.hit(lens.eye, view))
      return tone_map(studio.through_air(eye.shade(*hit, view, sample), hit->distance));
    if (view.z >= 0) return studio.backdrop(y);
    const Vec3 at = lens.eye + view * ((model.floor - lens.eye.z) / view.z);
    return studio.floor(at, eye.light_on_floor(at, sample), y);
  });
}

Image draw_from_above(const MeshModel& model, const MeshEye& eye, PixelSize size, const Context& context) {
  static const Rgb paper = from_hex(0xf2eee6);
  const double margin = model.sheet ? 1 : 1.06;
  const double wide = (model.high.x - model.low.x) * margin, tall = (model.high.y - model.low.y) * margin;
  const double pixel = std::max(wide / size.width, tall / size.height);
  const Rgb open = eye.light().falling_on(0, 0, 1, 1, 1);
  return draw_rays(size.width, size.height, context, [&](double x, double y, RaySample sample) {
    const Vec3 from{0.5 * (model.low.x + model.high.x) + 0.5 * x * pixel * size.width,
                    0.5 * (model.low.y + model.high.y) + 0.5 * y * pixel * size.height, model.high.z + 1};
    const Vec3 view{0, 0, -1};
    if (const auto hit = eye.hit(from, view)) return tone_map(eye.shade(*hit, view, sample));
    if (model.sheet) return paper;
    // A shadow on paper.
    const Rgb light = eye.light_on_floor({from.x, from.y, model.floor}, sample);
    return paper * Rgb{light.r / open.r, light.g / open.g, light.b / open.b};
  });
}

}  // namespace

Image draw_mesh(const Mesh& mesh, const PictureParams& params, const Context& context) {
  check_picture(params);
  if (params.colour == PictureColour::layer)
    refuse("a mesh has no layers to colour by", "colour = natural, height, hillshade or clay");
  const MeshModel model = make_model(mesh, params.exaggeration, context.stage("mesh", 0, 0.1));
  const RayScene scene(model.positions, model.triangles, context.stage("mesh", 0.1, 0.2));
  const MeshEye eye(model, scene, params);
  const Context draw = context.stage("rays", 0.2, 1);
  if (params.camera == Camera::top) {
    const double wide = std::max(model.high.x - model.low.x, 0.05), tall = std::max(model.high.y - model.low.y, 0.05);
    const double scale = 1024 / std::max(wide, tall);
    return draw_from_above(model, eye, resolve_size(params.size, wide * scale, tall * scale), draw);
  }
  return draw_three_quarter(model, eye, params, resolve_size(params.size, 1280, 720), draw);
}

}  // namespace tepui

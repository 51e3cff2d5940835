#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/mesh/mesh.h"
#include "tepui/render/page/figure_parts.h"

namespace tepui {

namespace {

constexpr Stroke wire{0x33302c, 0.4, false};

/// A parallel projection onto the page.
struct Sight {
  Vec3 right, up, to_eye;

  explicit Sight(const FigureParams& params) {
    const double azimuth = math::radians(params.view_azimuth.degrees);
    const double elevation = math::radians(params.view_elevation.degrees);
    const Vec3 level{math::sin(azimuth), math::cos(azimuth), 0};
    to_eye = level * math::cos(elevation) + Vec3{0, 0, math::sin(elevation)};
    right = cross(Vec3{0, 0, 1}, level);
    up = cross(to_eye, right);
  }
  Vec2 page(Vec3 p) const { return {dot(p, right), -dot(p, up)}; }
};

/// Between white and grey, by how much a triangle turns away from light that falls from the upper left.
uint32_t shade(Vec3 normal, const Sight& sight) {
  const Vec3 light = sight.to_eye * 0.6 + sight.up * 0.6 + sight.right * -0.53;
  const double size = length(normal), lit = size > 0 ? dot(normal, light) / size : 1;
  const auto grey = static_cast<uint32_t>(255 - 90 * std::clamp(1 - lit, 0.0, 1.0));
  return grey << 16 | grey << 8 | grey;
}

}  // namespace

Drawing draw_figure(const Mesh& mesh, const FigureParams& params, const Context& context) {
  if (mesh.triangles().empty()) refuse("a wireframe needs a mesh with triangles");
  const Sight sight(params);
  std::vector<std::pair<double, size_t>> order(mesh.triangles().size());
  const auto corner = [&](size_t t, size_t k) { return to_vec(mesh.positions()[mesh.triangles()[t][k]]); };
  Vec2 least{1e300, 1e300}, most{-1e300, -1e300};
  for (size_t t = 0; t < order.size(); ++t) {
    double depth = 0;
    for (size_t k = 0; k < 3; ++k) {
      const Vec2 p = sight.page(corner(t, k));
      least = {std::min(least.x, p.x), std::min(least.y, p.y)};
      most = {std::max(most.x, p.x), std::max(most.y, p.y)};
      depth += dot(corner(t, k), sight.to_eye);
    }
    order[t] = {depth, t};
  }
  // From the farthest to the nearest: what is in front covers what is behind.
  std::ranges::sort(order);
  context.check();
  const Vec2 wanted = params.wanted_size();
  const double across = std::max(most.x - least.x, 1e-300), down = std::max(most.y - least.y, 1e-300);
  double scale = wanted.x > 0 ? wanted.x / across : wanted.y > 0 ? 1e300 : 820 / across;
  if (wanted.y > 0) scale = std::min(scale, wanted.y / down);
  scale = std::min(scale, 4096 / down);
  const std::string note = fmt::format("{} triangles", order.size());
  const double top = figure_margin + heading_room(params.title, note);
  const double width = std::max(across * scale + 2 * figure_margin, heading_width(params.title, note));
  Drawing drawing(std::ceil(width), std::ceil(top + down * scale + figure_margin));
  draw_heading(drawing, params.title, note);
  const Vec2 shift = Vec2{figure_margin, top} - least * scale;
  for (const auto& [depth, t] : order) {
    std::vector<Vec2> outline;
    for (const size_t k : {0, 1, 2, 0}) outline.push_back(shift + sight.page(corner(t, k)) * scale);
    drawing.area(outline, shade(cross(corner(t, 1) - corner(t, 0), corner(t, 2) - corner(t, 0)), sight));
    drawing.line(std::move(outline), wire);
  }
  return drawing;
}

}  // namespace tepui

#include "tepui/render/picture/mesh_model.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/mesh/checks.h"

namespace tepui {

namespace {

constexpr int64_t grain = 1 << 15;

MeshPoint single(Vec3 v) { return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)}; }

Vec3 facet(const MeshModel& model, const MeshTriangle& t) {
  const Vec3 a = to_vec(model.positions[t[0]]);
  return cross(to_vec(model.positions[t[1]]) - a, to_vec(model.positions[t[2]]) - a);
}

void place_vertices(const Mesh& mesh, double exaggeration, MeshModel& model, const Context& context) {
  Vec3 low = to_vec(mesh.bounds().low), high = to_vec(mesh.bounds().high);
  // Something upright, such as a wall, has next to no side in plan.
  const double side = std::max({high.x - low.x, high.y - low.y, 0.05 * (high.z - low.z)});
  if (!(side > 0) || mesh.triangles().empty()) refuse("this mesh has no surface to draw");
  const Vec3 middle = (low + high) * 0.5;
  const auto place = [&](const MeshPoint& point) {
    const Vec3 p = (to_vec(point) - middle) * (1 / side);
    return Vec3{p.x, p.y, p.z * exaggeration};
  };
  model.low = place(mesh.bounds().low);
  model.high = place(mesh.bounds().high);
  model.positions.resize(mesh.positions().size());
  model.normals.assign(mesh.normals().begin(), mesh.normals().end());
  parallel_chunks(static_cast<int64_t>(model.positions.size()), grain, context, [&](int64_t begin, int64_t end) {
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
      model.positions[i] = single(place(mesh.positions()[i]));
      if (model.normals.empty()) continue;
      const Vec3 n = to_vec(model.normals[i]);
      const Vec3 turned{n.x * exaggeration, n.y * exaggeration, n.z};
      const double size = length(turned);
      model.normals[i] = size > 0 ? single(turned * (1 / size)) : MeshPoint{};
    }
  });
}

/// Means over the triangles around each vertex, weighted by area.
void smooth_normals(const std::vector<uint32_t>& welded, MeshModel& model) {
  std::vector<MeshPoint> sums(welded.size(), MeshPoint{});
  for (const MeshTriangle& t : model.triangles) {
    const MeshPoint n = single(facet(model, t));
    for (const uint32_t corner : t)
      for (size_t k = 0; k < 3; ++k) sums[welded[corner]][k] += n[k];
  }
  model.normals.resize(welded.size());
  for (size_t i = 0; i < welded.size(); ++i) {
    const Vec3 sum = to_vec(sums[welded[i]]);
    const double size = length(sum);
    model.normals[i] = size > 1e-30 ? single(sum * (1 / size)) : MeshPoint{};
  }
}

bool faces_up(const MeshModel& model, const Context& context) {
  const int64_t down = parallel_reduce(
      static_cast<int64_t>(model.triangles.size()), grain, context, int64_t{0},
      [&](int64_t begin, int64_t end) {
        int64_t count = 0;
        for (int64_t i = begin; i < end; ++i)
          if (facet(model, model.triangles[static_cast<size_t>(i)]).z < 0) ++count;
        return count;
      },
      [](int64_t a, int64_t b) { return a + b; });
  return down == 0;
}

/// Walls from the rim of a sheet down to the floor.
void add_walls(const std::vector<std::pair<uint32_t, uint32_t>>& rim, MeshModel& model) {
  const auto foot = [&](uint32_t vertex) {
    MeshPoint p = model.positions[vertex];
    p[2] = static_cast<float>(model.floor);
    model.positions.push_back(p);
    return static_cast<uint32_t>(model.positions.size() - 1);
  };
  for (const auto& [from, to] : rim) {
    const uint32_t below_from = foot(from), below_to = foot(to);
    model.triangles.push_back({from, below_from, below_to});
    model.triangles.push_back({from, below_to, to});
  }
}

}  // namespace

MeshModel make_model(const Mesh& mesh, double exaggeration, const Context& context) {
  MeshModel model;
  place_vertices(mesh, exaggeration, model, context);
  model.triangles.assign(mesh.triangles().begin(), mesh.triangles().end());
  model.colours.assign(mesh.colours().begin(), mesh.colours().end());
  model.own_triangles = model.triangles.size();
  model.floor = model.low.z;
  const bool up = faces_up(model, context);
  std::vector<uint32_t> welded;
  if (up || model.normals.empty()) welded = weld(mesh, context);
  if (model.normals.empty()) {
    smooth_normals(welded, model);
    model.sharpest = 0.94;  // 20 degrees: facets that meet at twice that are meant to be seen
  }
  if (!up) return model;
  const auto rim = boundary_edges(mesh, welded, context);
  // Twice as many vertices again must still have numbers.
  if (rim.empty() || model.positions.size() + 2 * rim.size() > UINT32_MAX) return model;
  model.sheet = true;
  model.floor = model.low.z - std::max(0.035, 0.12 * (model.high.z - model.low.z));
  add_walls(rim, model);
  return model;
}

}  // namespace tepui

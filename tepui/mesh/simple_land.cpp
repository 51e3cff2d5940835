#include "tepui/mesh/simple_land.h"

#include <algorithm>

#include "tepui/core/parallel.h"
#include "tepui/mesh/source.h"

namespace tepui {

namespace {

constexpr double unseen_share = 0.2;
constexpr double most_vertices = 0.1, few_vertices = 1000, error_step = 1.5;
constexpr int most_steps = 4;
constexpr int64_t grain = 1 << 14;

std::vector<MeshPoint> normals_of(const MeshData& mesh) {
  std::vector<Vec3> sums(mesh.positions.size());
  for (const MeshTriangle& t : mesh.triangles) {
    const Vec3 a = to_vec(mesh.positions[t[0]]);
    const Vec3 area = cross(to_vec(mesh.positions[t[1]]) - a, to_vec(mesh.positions[t[2]]) - a);
    for (const uint32_t corner : t) sums[corner] = sums[corner] + area;
  }
  std::vector<MeshPoint> normals(sums.size());
  std::ranges::transform(sums, normals.begin(), [](Vec3 sum) {
    const Vec3 normal = sum * (1 / length(sum));
    return MeshPoint{static_cast<float>(normal.x), static_cast<float>(normal.y), static_cast<float>(normal.z)};
  });
  return normals;
}

}  // namespace

double unseen_error(const Frame& frame) { return unseen_share * std::min(frame.cell.x, frame.cell.y); }

Mesh simple_land(const Terrain& land, const LandTriangulationParams& params, const Context& context) {
  const LandMesh sheet(land);
  LandTriangulation triangulation = triangulate_land(land.height(), params, context.stage("simplifying", 0, 0.9));
  const auto count = static_cast<int64_t>(triangulation.samples.size());
  MeshData data;
  data.centre = sheet.facts().centre;
  data.triangles = std::move(triangulation.triangles);
  data.positions.resize(static_cast<size_t>(count));
  data.coordinates.resize(static_cast<size_t>(count));
  parallel_chunks(count, grain, context.stage("simplifying", 0.9, 1), [&](int64_t begin, int64_t end) {
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
      sheet.positions(triangulation.samples[i], {&data.positions[i], 1});
      sheet.coordinates(triangulation.samples[i], {&data.coordinates[i], 1});
    }
  });
  data.normals = normals_of(data);
  return Mesh(std::move(data));
}

Mesh small_land(const Terrain& land, const Context& context) {
  double error = unseen_error(land.frame());
  for (int i = 0;; ++i, error *= error_step) {
    Mesh mesh = simple_land(land, {.error = error}, context.stage("simplifying", 0.2 * i, 0.2 * (i + 1)));
    if (i == most_steps || static_cast<double>(mesh.positions().size()) <=
                               std::max(most_vertices * static_cast<double>(land.height().size()), few_vertices))
      return mesh;
  }
}

}  // namespace tepui

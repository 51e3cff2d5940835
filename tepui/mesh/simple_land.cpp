#include "tepui/mesh/simple_land.h"

#include <algorithm>
#include <numeric>

#include "tepui/core/parallel.h"

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

Mesh simple_tile(const LandMesh& land, const Frame& whole, const Terrain& tile, double error, const Context& context) {
  const Frame& frame = tile.frame();
  const LandMesh own(tile);
  MeshData data;
  data.centre = land.facts().centre;
  std::vector<uint32_t> samples(static_cast<size_t>(own.facts().vertices));
  if (error > 0) {
    LandTriangulation triangulation =
        triangulate_land(tile.height(), {.error = error, .tile = true}, context.stage("simplifying", 0, 0.9));
    samples = std::move(triangulation.samples);
    data.triangles = std::move(triangulation.triangles);
  } else {
    std::iota(samples.begin(), samples.end(), 0u);
    data.triangles.resize(static_cast<size_t>(own.facts().triangles));
    own.triangles(0, data.triangles);
  }
  const auto sample_of_land = [&](uint32_t sample) {
    const int64_t x = sample % frame.width + frame.first_x - whole.first_x,
                  y = sample / frame.width + frame.first_y - whole.first_y;
    return y * whole.width + x;
  };
  const auto on_border = [&](uint32_t sample) {
    const int64_t x = sample % frame.width, y = sample / frame.width;
    return x == 0 || y == 0 || x == frame.width - 1 || y == frame.height - 1;
  };
  data.positions.resize(samples.size());
  data.coordinates.resize(samples.size());
  for (size_t i = 0; i < samples.size(); ++i) {
    land.positions(sample_of_land(samples[i]), {&data.positions[i], 1});
    own.coordinates(samples[i], {&data.coordinates[i], 1});
  }
  data.normals = normals_of(data);
  for (size_t i = 0; i < samples.size(); ++i)
    if (!(error > 0) || on_border(samples[i])) land.normals(sample_of_land(samples[i]), {&data.normals[i], 1});
  return Mesh(std::move(data));
}

SmallLand small_land(const Terrain& land, const Context& context) {
  double error = unseen_error(land.frame());
  for (int i = 0;; ++i, error *= error_step) {
    Mesh mesh = simple_land(land, {.error = error}, context.stage("simplifying", 0.2 * i, 0.2 * (i + 1)));
    if (i == most_steps || static_cast<double>(mesh.positions().size()) <=
                               std::max(most_vertices * static_cast<double>(land.height().size()), few_vertices))
      return {std::move(mesh), error};
  }
}

}  // namespace tepui

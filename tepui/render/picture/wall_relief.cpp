#include "tepui/render/picture/wall_relief.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/parallel.h"
#include "tepui/core/random.h"
#include "tepui/render/ground/solid_grain.h"
#include "tepui/render/light/colour.h"

namespace tepui {

namespace {

constexpr int64_t grain = 1 << 12;
constexpr float most = 0.6f;

float noise(Vec3 at, int octaves) { return solid_grain_value(at, {.octaves = octaves, .fall = 0.5f}); }

/// How much of a feature of that size is drawn.
float shown(double size, double smallest) {
  return smooth_step(1, 1.6f, static_cast<float>(size / std::max(smallest, 1e-9)));
}

/// Beds of about `thickness` metres, each standing out or worn back by a hashed amount in [-1, 1] that changes along
/// it, with a furrow at the parting below.
float beds(Vec3 at, double thickness, uint64_t family) {
  const Stream stream(0x6265'6473u + family);
  const double level = at.z / thickness;
  const auto whole = static_cast<int64_t>(std::floor(level));
  const auto floor_of = [&](int64_t bed) {
    return static_cast<double>(bed) + 0.7 * (stream.uniform(static_cast<uint64_t>(bed)) - 0.5);
  };
  int64_t bed = whole;
  if (level < floor_of(bed)) --bed;
  if (level >= floor_of(bed + 1)) ++bed;
  const auto stands = [&](int64_t i) {
    const double own = 2 * stream.uniform(static_cast<uint64_t>(i), 1) - 1, far = 0.4 / thickness;
    const Vec3 along{at.x * far, at.y * far, 17.3 * static_cast<double>(i & 1023)};
    return static_cast<float>(0.5 * own) + 0.9f * noise(along, 3);
  };
  const auto above = static_cast<float>(level - floor_of(bed));
  const float step = smooth_step(0, 0.22f, above);
  // A parting opens here and there.
  const double reach = 0.6 / thickness;
  const float open = smooth_step(-0.1f, 0.5f, noise({at.x * reach, at.y * reach, 0.3 * level + 91}, 2));
  const float furrow = (1 - smooth_step(0, 0.1f, above)) * 0.7f * open;
  return stands(bed - 1) * (1 - step) + stands(bed) * step - furrow;
}

/// Upright cracks between blocks.
float joints(Vec3 at) {
  const float field = noise({at.x / 3.1, at.y / 3.1, at.z / 14}, 3);
  const float off = field / 0.05f;
  return off * off < 9 ? 1 / (1 + off * off) - 0.1f : 0;
}

bool is_face(const WallRelief& relief, Vec3 at) {
  return relief.tolerance > 0 && std::abs(relief.cut.distance(at)) <= relief.tolerance;
}

/// How far each vertex moves along its normal; 0 for those that stay.
std::vector<float> moves_of(const Mesh& mesh, const WallRelief& relief, const Context& context) {
  std::vector<float> moves(mesh.positions().size());
  parallel_chunks(static_cast<int64_t>(moves.size()), grain, context, [&](int64_t begin, int64_t end) {
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
      // Level ground is soil and sand.
      const float wall = 1 - smooth_step(0.6f, 0.9f, mesh.normals()[i][2]);
      const Vec3 at = mesh.centre() + to_vec(mesh.positions()[i]);
      if (wall <= 0 || is_face(relief, at)) continue;
      const float resistance = relief.rock != nullptr ? relief.rock->resistance(at) : 0.5f;
      const float n = mesh.normals()[i][2], upright = 1 - smooth_step(0.3f, 0.85f, n < 0 ? -n : n);
      moves[i] = wall * static_cast<float>(relief_at({at, resistance, upright}, 2.5 * relief.cell));
    }
  });
  return moves;
}

}  // namespace

double relief_at(const ReliefPoint& point, double smallest) {
  const Vec3 at = point.at;
  const float hard = smooth_step(0.3f, 0.8f, point.resistance), weak = 1 - hard;
  // Beds are not quite level.
  Vec3 in_beds = at;
  in_beds.z += 0.5 * static_cast<double>(noise(at * (1.0 / 22), 3));
  float sum = 0;
  const auto add_beds = [&](double thickness, uint64_t family, float metres) {
    // A bed is as thin as its furrow.
    if (const float seen = point.upright * shown(0.6 * thickness, smallest); seen > 0)
      sum += seen * metres * beds(in_beds, thickness, family);
  };
  add_beds(1.7, 1, 0.14f + 0.1f * hard);
  add_beds(0.55, 2, 0.04f + 0.06f * weak);
  add_beds(0.17, 3, 0.006f + 0.02f * weak);
  if (const float seen = shown(0.35, smallest); seen > 0 && hard > 0) sum -= seen * hard * 0.12f * joints(at);
  // Hollows with sharp rims, as water and weather leave them.
  for (double size = 1.9; size > 0.08; size *= 0.45)
    if (const float seen = shown(size, smallest); seen > 0) {
      const float hump = noise({at.x / size, at.y / size, 1.4 * at.z / size}, 1);
      sum -= seen * 0.09f * static_cast<float>(size) * std::abs(hump) * (0.6f + 0.6f * weak);
    }
  constexpr double broad = 5;
  sum += 0.22f *
         solid_grain_value(at * (1 / broad),
                           {.octaves = 12, .footprint = static_cast<float>(0.5 * smallest / broad), .fall = 0.48f});
  return static_cast<double>(std::clamp(sum, -most, most));
}

Mesh with_relief(const Mesh& mesh, const WallRelief& relief, const Context& context) {
  if (mesh.normals().empty()) return mesh;
  const std::vector<float> moves = moves_of(mesh, relief, context);
  MeshData data = mesh.data();
  for (size_t i = 0; i < moves.size(); ++i)
    for (size_t k = 0; k < 3; ++k) data.positions[i][k] += moves[i] * data.normals[i][k];
  std::vector<MeshPoint> sums(moves.size(), MeshPoint{});
  for (const MeshTriangle& t : data.triangles) {
    const Vec3 a = to_vec(data.positions[t[0]]);
    const Vec3 n = cross(to_vec(data.positions[t[1]]) - a, to_vec(data.positions[t[2]]) - a);
    for (const uint32_t corner : t) {
      sums[corner][0] += static_cast<float>(n.x);
      sums[corner][1] += static_cast<float>(n.y);
      sums[corner][2] += static_cast<float>(n.z);
    }
  }
  for (size_t i = 0; i < moves.size(); ++i) {
    const Vec3 n = to_vec(sums[i]);
    const double size = length(n);
    if (moves[i] == 0 || !(size > 1e-12)) continue;
    for (size_t k = 0; k < 3; ++k) data.normals[i][k] = sums[i][k] / static_cast<float>(size);
  }
  return Mesh(std::move(data));
}

}  // namespace tepui

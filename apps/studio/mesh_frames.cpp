#include "apps/studio/mesh_frames.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

#include "apps/studio/mesh_levels.h"
#include "tepui/core/vec.h"

namespace tepui::studio {

namespace {

/// A block is well below a megabyte.
constexpr size_t most_vertices = 24000, most_triangles = 64000;
/// Above the finest.
constexpr int most_levels = 4;

using Corners = std::array<Vec3, 2>;

Ordered json_of(const Corners& box) { return {{box[0].x, box[0].y, box[0].z}, {box[1].x, box[1].y, box[1].z}}; }

/// Ten bits of each, mixed.
uint32_t curve_place(Vec3 share) {
  const auto spread = [](double v) {
    auto bits = static_cast<uint32_t>(std::clamp(v, 0.0, 1.0) * 1023);
    bits = (bits | (bits << 16)) & 0x030000ff;
    bits = (bits | (bits << 8)) & 0x0300f00f;
    bits = (bits | (bits << 4)) & 0x030c30c3;
    return (bits | (bits << 2)) & 0x09249249;
  };
  return spread(share.x) | (spread(share.y) << 1) | (spread(share.z) << 2);
}

double share(double at, double low, double high) { return high > low ? (at - low) / (high - low) : 0; }

/// The triangles, neighbours beside each other.
std::vector<uint32_t> near_each_other(const Mesh& mesh) {
  const MeshBox& box = mesh.bounds();
  const Vec3 low = to_vec(box.low), high = to_vec(box.high);
  std::vector<uint32_t> places;
  places.reserve(mesh.triangles().size());
  for (const MeshTriangle& t : mesh.triangles()) {
    const Vec3 middle =
        (to_vec(mesh.positions()[t[0]]) + to_vec(mesh.positions()[t[1]]) + to_vec(mesh.positions()[t[2]])) * (1.0 / 3);
    places.push_back(
        curve_place({share(middle.x, low.x, high.x), share(middle.y, low.y, high.y), share(middle.z, low.z, high.z)}));
  }
  std::vector<uint32_t> order(places.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, {}, [&](uint32_t i) { return places[i]; });
  return order;
}

std::vector<MeshBlock> blocks_of(const Mesh& mesh, const Context& context) {
  std::vector<MeshBlock> blocks;
  // Of each vertex: the block that has it, counted from 1, and which it is there.
  std::vector<std::pair<uint32_t, uint16_t>> known(mesh.positions().size());
  size_t done = 0;
  for (const uint32_t i : near_each_other(mesh)) {
    if (++done % 65536 == 0) context.check();
    if (blocks.empty() || blocks.back().vertices.size() + 3 > most_vertices ||
        blocks.back().indices.size() >= 3 * most_triangles)
      blocks.emplace_back();
    MeshBlock& block = blocks.back();
    const auto number = static_cast<uint32_t>(blocks.size());
    for (const uint32_t vertex : mesh.triangles()[i]) {
      if (known[vertex].first != number) {
        known[vertex] = {number, static_cast<uint16_t>(block.vertices.size())};
        block.vertices.push_back(vertex);
      }
      block.indices.push_back(known[vertex].second);
    }
  }
  return blocks;
}

template <class T>
void put(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

/// A direction on an octahedron's unfolded faces (Meyer et al. 2010).
std::array<int8_t, 4> folded(Vec3 n) {
  const double sum = std::abs(n.x) + std::abs(n.y) + std::abs(n.z);
  if (!(sum > 0)) return {0, 0, 0, 0};
  double x = n.x / sum, y = n.y / sum;
  if (n.z < 0) {
    const double old = x;
    x = (1 - std::abs(y)) * (x < 0 ? -1 : 1);
    y = (1 - std::abs(old)) * (y < 0 ? -1 : 1);
  }
  return {static_cast<int8_t>(std::lround(x * 127)), static_cast<int8_t>(std::lround(y * 127)), 0, 0};
}

Corners box_of(const Mesh& mesh, const MeshBlock& block) {
  Vec3 low = to_vec(mesh.positions()[block.vertices.front()]), high = low;
  for (const uint32_t vertex : block.vertices) {
    const Vec3 p = to_vec(mesh.positions()[vertex]);
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  return {low, high};
}

std::string cells_of(const Mesh& mesh, const MeshBlock& block, const Corners& box) {
  std::string cells;
  cells.reserve(block.vertices.size() * 16 + block.indices.size() * 2 + 2);
  const auto step = [](double at, double low, double high) {
    return static_cast<uint16_t>(std::lround(share(at, low, high) * 65535));
  };
  for (const uint32_t vertex : block.vertices) {
    const Vec3 p = to_vec(mesh.positions()[vertex]);
    put(cells, std::array<uint16_t, 4>{step(p.x, box[0].x, box[1].x), step(p.y, box[0].y, box[1].y),
                                       step(p.z, box[0].z, box[1].z), 0});
  }
  for (size_t i = 0; i < block.vertices.size(); ++i)
    put(cells, mesh.normals().empty()
                   ? std::array<int8_t, 4>{}
                   : folded(block.normals.empty() ? to_vec(mesh.normals()[block.vertices[i]]) : block.normals[i]));
  for (size_t i = 0; i < block.vertices.size(); ++i)
    put(cells, mesh.colours().empty()  ? MeshColour{170, 165, 155, 255}
               : block.colours.empty() ? mesh.colours()[block.vertices[i]]
                                       : block.colours[i]);
  for (const uint16_t index : block.indices) put(cells, index);
  return cells;
}

}  // namespace

void send_mesh(const Mesh& mesh, const ShownMesh& shown, FrameSink& sink, const Context& context) {
  const std::vector<MeshBlock> blocks = blocks_of(mesh, context);
  sink.text({{"say", "mesh"},
             {"generation", shown.generation},
             {"node", shown.node},
             {"preview", shown.preview},
             {"blocks", blocks.size()},
             {"triangles", mesh.triangles().size()},
             {"box", json_of(mesh.world_bounds())}});
  for (size_t i = 0; i < blocks.size(); ++i) {
    context.check();
    const Corners box = box_of(mesh, blocks[i]);
    const auto send = [&](const MeshBlock& block, size_t level) {
      sink.frame(FrameKind::mesh,
                 {{"generation", shown.generation},
                  {"node", shown.node},
                  {"preview", shown.preview},
                  {"block", i},
                  {"level", level},
                  {"vertices", block.vertices.size()},
                  {"triangles", block.triangles()},
                  {"box", json_of({box[0] + mesh.centre(), box[1] + mesh.centre()})},
                  {"index", "u16"}},
                 cells_of(mesh, block, box));
    };
    // A preview is coarse as it is, and soon replaced.
    const std::vector<MeshBlock> levels = coarser_levels(mesh, blocks[i], shown.preview ? 0 : most_levels);
    for (size_t level = levels.size(); level > 0; --level) send(levels[level - 1], level);
    send(blocks[i], 0);
  }
}

}  // namespace tepui::studio

#include "apps/studio/mesh_frames.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
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

double share(double at, double low, double high) { return high > low ? (at - low) / (high - low) : 0; }

/// Cubes of this side: a power of two, so that a stroke at the mesh's border leaves it as it is; from four to eight of
/// them along the longest side.
double cube_side(const Mesh& mesh) {
  const MeshBox& box = mesh.bounds();
  const Vec3 size = to_vec(box.high) - to_vec(box.low);
  const double longest = std::max({size.x, size.y, size.z});
  return longest > 0 ? std::exp2(std::floor(std::log2(longest / 4))) : 1;
}

/// The cube of a triangle, by its middle; sixteen bits for each axis.
uint64_t cube_of(const Mesh& mesh, const MeshTriangle& t, double side) {
  const Vec3 middle =
      (to_vec(mesh.positions()[t[0]]) + to_vec(mesh.positions()[t[1]]) + to_vec(mesh.positions()[t[2]])) * (1.0 / 3);
  const auto index = [&](double at) {
    return static_cast<uint64_t>(static_cast<int64_t>(std::floor(at / side)) + 256) & 511;
  };
  return index(middle.x) | index(middle.y) << 9 | index(middle.z) << 18;
}

/// Blocks by their numbers: of the cube, and in the upper bits which of its blocks it is.
std::map<uint64_t, MeshBlock> blocks_of(const Mesh& mesh, double side, const Context& context) {
  std::map<uint64_t, std::vector<uint32_t>> cubes;
  // Triangles that follow each other mostly lie in one cube.
  uint64_t last = 0;
  std::vector<uint32_t>* list = nullptr;
  for (uint32_t i = 0; i < mesh.triangles().size(); ++i) {
    const uint64_t cube = cube_of(mesh, mesh.triangles()[i], side);
    if (list == nullptr || cube != last) list = &cubes[last = cube];
    list->push_back(i);
  }
  std::map<uint64_t, MeshBlock> blocks;
  // Of each vertex: the block that has it, counted from 1, and which it is there.
  std::vector<std::pair<uint32_t, uint16_t>> known(mesh.positions().size());
  uint32_t number = 0;
  for (const auto& [cube, triangles] : cubes) {
    context.check();
    MeshBlock* block = nullptr;
    uint64_t part = 0;
    for (const uint32_t i : triangles) {
      if (block == nullptr || block->vertices.size() + 3 > most_vertices ||
          block->indices.size() >= 3 * most_triangles) {
        block = &blocks[cube | part++ << 27];
        ++number;
      }
      for (const uint32_t vertex : mesh.triangles()[i]) {
        if (known[vertex].first != number) {
          known[vertex] = {number, static_cast<uint16_t>(block->vertices.size())};
          block->vertices.push_back(vertex);
        }
        block->indices.push_back(known[vertex].second);
      }
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

Hash hash_of(const Mesh& mesh, const MeshBlock& block) {
  std::string bytes;
  bytes.reserve(block.vertices.size() * 28 + block.indices.size() * 2);
  for (const uint32_t vertex : block.vertices) {
    put(bytes, mesh.positions()[vertex]);
    if (!mesh.normals().empty()) put(bytes, mesh.normals()[vertex]);
    if (!mesh.colours().empty()) put(bytes, mesh.colours()[vertex]);
  }
  for (const uint16_t index : block.indices) put(bytes, index);
  return hash_bytes(bytes.data(), bytes.size());
}

/// Sends blocks with all of their levels.
class BlockSender {
 public:
  BlockSender(const Mesh& mesh, const ShownMesh& shown, FrameSink& sink) : mesh_(mesh), shown_(shown), sink_(sink) {}

  void send(uint64_t number, const MeshBlock& block) {
    const Corners box = block.vertices.empty() ? Corners{} : box_of(mesh_, block);
    // A preview is coarse as it is, and soon replaced.
    const std::vector<MeshBlock> levels = coarser_levels(mesh_, block, shown_.preview ? 0 : most_levels);
    for (size_t level = levels.size(); level > 0; --level) send(number, levels[level - 1], level, box);
    send(number, block, 0, box);
  }

 private:
  void send(uint64_t number, const MeshBlock& block, size_t level, const Corners& box) {
    sink_.frame(FrameKind::mesh,
                {{"generation", shown_.generation},
                 {"node", shown_.node},
                 {"preview", shown_.preview},
                 {"block", number},
                 {"level", level},
                 {"vertices", block.vertices.size()},
                 {"triangles", block.triangles()},
                 {"box", json_of({box[0] + mesh_.centre(), box[1] + mesh_.centre()})},
                 {"index", "u16"}},
                cells_of(mesh_, block, box));
  }

  const Mesh& mesh_;
  const ShownMesh& shown_;
  FrameSink& sink_;
};

/// Of what has been sent: whether it is of this mesh's cubes. If not, nothing has been sent.
bool keeps(SentMesh& sent, const Mesh& mesh, double side) {
  if (sent.whole && sent.side == side && sent.centre == mesh.centre()) return true;
  sent.whole = false;
  sent.blocks.clear();
  sent.side = side;
  sent.centre = mesh.centre();
  return false;
}

}  // namespace

void send_mesh(const Mesh& mesh, const ShownMesh& shown, SentMesh* sent, FrameSink& sink, const Context& context) {
  const double side = cube_side(mesh);
  std::map<uint64_t, MeshBlock> blocks = blocks_of(mesh, side, context);
  const bool kept = sent != nullptr && keeps(*sent, mesh, side);
  std::map<uint64_t, Hash> hashes;
  if (sent != nullptr) {
    for (const auto& [number, block] : blocks) hashes[number] = hash_of(mesh, block);
    std::erase_if(blocks, [&](const auto& entry) {
      const auto old = sent->blocks.find(entry.first);
      return old != sent->blocks.end() && old->second == hashes[entry.first];
    });
    for (const auto& [number, hash] : sent->blocks)
      if (!hashes.contains(number)) blocks[number] = {};
  }
  sink.text({{"say", "mesh"},
             {"generation", shown.generation},
             {"node", shown.node},
             {"preview", shown.preview},
             {"keeps", kept},
             {"blocks", blocks.size()},
             {"triangles", mesh.triangles().size()},
             {"box", json_of(mesh.world_bounds())}});
  BlockSender sender(mesh, shown, sink);
  for (const auto& [number, block] : blocks) {
    context.check();
    if (sent != nullptr) sent->blocks.erase(number);  // while its levels are under way the pages have neither
    sender.send(number, block);
    if (sent != nullptr && !block.indices.empty()) sent->blocks[number] = hashes[number];
  }
  if (sent != nullptr) sent->whole = true;
}

}  // namespace tepui::studio

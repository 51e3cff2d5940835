#include "tepui/io/mesh/mesh_output.h"

#include <fmt/format.h>

#include <algorithm>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"

namespace tepui {

namespace {

constexpr int64_t block = 8192;
constexpr int64_t blocks_at_once = 32;

}  // namespace

void require_surface(const std::string& path, const MeshSource::Facts& facts) {
  if (facts.triangles < 1) refuse(fmt::format("cannot write '{}': the mesh has no triangles", path));
}

void check_land_mesh(const std::string& path, const Frame& frame) {
  if (frame.width < 2 || frame.height < 2)
    refuse(fmt::format("cannot write '{}': land of {} x {} samples has no surface", path, frame.width, frame.height));
  if (static_cast<double>(frame.width) * static_cast<double>(frame.height) > 4294967295.0)
    refuse(fmt::format("cannot write '{}': a mesh has fewer than 2^32 vertices, the land has {} x {} samples", path,
                       frame.width, frame.height),
           "bring the land to fewer samples with 'resample'");
}

void write_blocks(ByteSink& file, int64_t count, const Context& context,
                  const std::function<void(int64_t begin, int64_t end, std::string& bytes)>& make) {
  std::vector<std::string> parts(static_cast<size_t>(blocks_at_once));
  for (int64_t first = 0; first < count; first += block * blocks_at_once) {
    const int64_t last = std::min(count, first + block * blocks_at_once);
    const auto share = [&](int64_t at) { return static_cast<double>(at) / static_cast<double>(count); };
    const Context stage = context.stage("writing", share(first), share(last));
    for (std::string& part : parts) part.clear();
    parallel_chunks(last - first, block, stage, [&](int64_t begin, int64_t end) {
      make(first + begin, first + end, parts[static_cast<size_t>(begin / block)]);
    });
    for (const std::string& part : parts) file.write(part.data(), part.size());
  }
}

VertexBlock vertex_block(const MeshSource& source, int64_t begin, int64_t end) {
  const MeshSource::Facts& facts = source.facts();
  const auto count = static_cast<size_t>(end - begin);
  VertexBlock result;
  result.positions.resize(count);
  source.positions(begin, result.positions);
  if (facts.normals) result.normals.resize(count), source.normals(begin, result.normals);
  if (facts.coordinates) result.coordinates.resize(count), source.coordinates(begin, result.coordinates);
  if (facts.colours) result.colours.resize(count), source.colours(begin, result.colours);
  for (size_t which = 0; which < facts.attributes.size(); ++which) {
    result.attributes.emplace_back(count);
    source.attribute(which, begin, result.attributes.back());
  }
  return result;
}

}  // namespace tepui

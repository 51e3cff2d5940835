#include "tepui/mesh/land_attributes.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/parallel.h"

namespace tepui {

namespace {

/// Where a place lies along an axis: between `low` and the next sample.
struct Between {
  int64_t low = 0, high = 0;
  double share = 0;
};

Between between(double place, double first, double cell, int64_t count) {
  const double at = std::clamp((place - first) / cell, 0.0, static_cast<double>(count - 1));
  const auto low = static_cast<int64_t>(at);
  return {low, std::min(low + 1, count - 1), at - static_cast<double>(low)};
}

float read(const Grid<float>& cells, Between x, Between y, bool nearest) {
  if (nearest) return cells(x.share < 0.5 ? x.low : x.high, y.share < 0.5 ? y.low : y.high);
  const auto along = [&](int64_t row) {
    const auto from = static_cast<double>(cells(x.low, row)), to = static_cast<double>(cells(x.high, row));
    return from + (to - from) * x.share;
  };
  const double south = along(y.low), north = along(y.high);
  return static_cast<float>(south + (north - south) * y.share);
}

}  // namespace

Mesh with_layers(const Mesh& mesh, const Terrain& land, const Context& context) {
  const Frame& frame = land.frame();
  if (frame.width < 1 || frame.height < 1) return mesh;
  MeshData data = mesh.data();
  const auto count = static_cast<int64_t>(data.positions.size());
  for (const Layer& layer : land.layers()) {
    const bool known = std::ranges::any_of(data.attributes, [&](const auto& a) { return a.name == layer.name; });
    if (layer.name == "height" || known || !is_attribute_name(layer.name) || data.attributes.size() == most_attributes)
      continue;
    MeshAttribute attribute{layer.name, layer.unit, std::vector<float>(data.positions.size())};
    parallel_chunks(count, 1 << 14, context, [&](int64_t begin, int64_t end) {
      for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
        const Vec3 p = to_vec(data.positions[i]) + data.centre;
        attribute.values[i] =
            read(layer.grid(), between(p.x, frame.x(0), frame.cell.x, frame.width),
                 between(p.y, frame.y(0), frame.cell.y, frame.height), layer.kind != LayerKind::continuous);
      }
    });
    data.attributes.push_back(std::move(attribute));
  }
  return Mesh(std::move(data));
}

}  // namespace tepui

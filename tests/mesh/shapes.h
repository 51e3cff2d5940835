#pragma once

#include <cmath>

#include "tepui/core/random.h"
#include "tepui/mesh/mesh.h"

namespace tepui::test {

inline MeshData cube() {
  MeshData data;
  for (int i = 0; i < 8; ++i)
    data.positions.push_back({static_cast<float>(i & 1), static_cast<float>(i >> 1 & 1), static_cast<float>(i >> 2)});
  data.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return data;
}

/// A ring of n x n quads with radii 3 and 1, lying flat, its middle at (x, 0, 0).
inline MeshData torus(uint32_t n, double x = 0) {
  MeshData data;
  for (uint32_t j = 0; j < n; ++j)
    for (uint32_t i = 0; i < n; ++i) {
      const double a = 2 * M_PI * i / n, b = 2 * M_PI * j / n;
      data.positions.push_back({static_cast<float>(x + (3 + std::cos(b)) * std::cos(a)),
                                static_cast<float>((3 + std::cos(b)) * std::sin(a)), static_cast<float>(std::sin(b))});
      const uint32_t i1 = (i + 1) % n, j1 = (j + 1) % n;
      const uint32_t p = j * n + i, q = j * n + i1, r = j1 * n + i1, s = j1 * n + i;
      data.triangles.push_back({p, q, r});
      data.triangles.push_back({p, r, s});
    }
  return data;
}

/// Every triangle with vertices of its own.
inline MeshData split(const MeshData& whole) {
  MeshData data;
  for (const MeshTriangle& triangle : whole.triangles) {
    const auto first = static_cast<uint32_t>(data.positions.size());
    for (const uint32_t corner : triangle) data.positions.push_back(whole.positions[corner]);
    data.triangles.push_back({first, first + 1, first + 2});
  }
  return data;
}

/// The same with numbers for every vertex.
inline MeshData with_attributes(MeshData data, uint64_t seed) {
  const auto draw = [&](uint64_t k) {
    std::vector<float> values(data.positions.size());
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(Stream(seed).uniform(i, k, -5, 5));
    return values;
  };
  data.attributes = {{"resistance", "", draw(1)}, {"layer", "m", draw(2)}};
  return data;
}

/// Any triangles between any points, all of which they use.
inline MeshData random_mesh(uint64_t seed, bool normals, bool coordinates, bool colours) {
  const Stream stream(seed);
  const auto vertices = static_cast<uint32_t>(3 + stream.bits(0) % 30);
  MeshData data;
  for (uint32_t i = 0; i < vertices; ++i) {
    const auto draw = [&](uint64_t k) { return static_cast<float>(stream.uniform(i, k, -100, 100)); };
    data.positions.push_back({draw(1), draw(2), draw(3)});
    if (normals) data.normals.push_back({draw(4), draw(5), draw(6)});
    if (coordinates) data.coordinates.push_back({draw(7) / 100, draw(8) / 100});
    const auto byte = [&](uint64_t k) { return static_cast<uint8_t>(stream.bits(i, k)); };
    if (colours) data.colours.push_back({byte(9), byte(10), byte(11), 255});
    data.triangles.push_back({i, static_cast<uint32_t>(stream.bits(i, 12) % vertices),
                              static_cast<uint32_t>(stream.bits(i, 13) % vertices)});
  }
  return data;
}

}  // namespace tepui::test

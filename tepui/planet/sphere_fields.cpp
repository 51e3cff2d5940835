#include "tepui/planet/sphere_fields.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tepui/core/parallel.h"

namespace tepui {

void even_out(std::vector<float>& field, const SphereMesh& mesh, const Neighbours& around, double far,
              const Context& context) {
  // A round spreads a value over about 0.6 edges; rounds add up as a random walk does.
  const double edges = far / edge_of_level(mesh.level);
  const int rounds = static_cast<int>(std::ceil(edges * edges / 0.7));
  std::vector<float> next(field.size());
  for (int round = 0; round < rounds; ++round) {
    parallel_chunks(static_cast<int64_t>(field.size()), 8192, context, [&](int64_t begin, int64_t end) {
      for (auto v = static_cast<int32_t>(begin); v < static_cast<int32_t>(end); ++v) {
        const auto near = around.of(v);
        float sum = field[static_cast<size_t>(v)];
        for (const int32_t w : near) sum += field[static_cast<size_t>(w)];
        next[static_cast<size_t>(v)] = sum / static_cast<float>(near.size() + 1);
      }
    });
    field.swap(next);
  }
}

std::vector<float> raised(std::span<const float> coarse, std::span<const std::array<int32_t, 2>> parents) {
  std::vector<float> fine(coarse.begin(), coarse.end());
  fine.reserve(parents.size());
  for (size_t v = coarse.size(); v < parents.size(); ++v)
    fine.push_back(0.5f * (fine[static_cast<size_t>(parents[v][0])] + fine[static_cast<size_t>(parents[v][1])]));
  return fine;
}

double exceeded_by(std::span<const float> field, std::span<const double> areas, double share) {
  std::vector<int32_t> order(field.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    const float x = field[static_cast<size_t>(a)], y = field[static_cast<size_t>(b)];
    return x != y ? x > y : a < b;
  });
  const double wanted = share * std::accumulate(areas.begin(), areas.end(), 0.0);
  double sum = 0;
  for (const int32_t v : order) {
    sum += areas[static_cast<size_t>(v)];
    if (sum > wanted) return static_cast<double>(field[static_cast<size_t>(v)]);
  }
  return static_cast<double>(field[static_cast<size_t>(order.back())]);
}

}  // namespace tepui

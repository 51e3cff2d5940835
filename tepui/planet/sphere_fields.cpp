#include "tepui/planet/sphere_fields.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tepui/core/parallel.h"

namespace tepui {

namespace {

/// x^power as a sum of Chebyshev's polynomials: the share of T_0, T_1 and so on, as far as they matter. There are some
/// 3 sqrt(power) of them, which is what makes many rounds of evening out cheap.
std::vector<float> chebyshev_shares(int power) {
  std::vector<double> shares(static_cast<size_t>(power) + 1, 0);
  // Binomials from the middle outwards; only their ratios matter, as all shares add up to 1.
  double share = 1;
  for (int j = power % 2; j <= power; j += 2) {
    shares[static_cast<size_t>(j)] = j == 0 ? share / 2 : share;
    share *= static_cast<double>(power - j) / static_cast<double>(power + j + 2);
    if (share < 1e-5) break;
  }
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  while (shares.back() == 0) shares.pop_back();
  std::vector<float> result;
  for (const double each : shares) result.push_back(static_cast<float>(each / sum));
  return result;
}

}  // namespace

void even_out(std::vector<float>& field, const SphereMesh& mesh, const Neighbours& around, double far,
              const Context& context) {
  // A round spreads a value over about 0.6 edges; rounds add up as a random walk does. What so many rounds would give
  // is summed from T_0, T_1, T_2, ... of one round, T_(k+1) = 2 round(T_k) - T_(k-1).
  const double edges = far / edge_of_level(mesh.level);
  const int rounds = static_cast<int>(std::ceil(edges * edges / 0.7));
  if (rounds < 1) return;
  const std::vector<float> shares = chebyshev_shares(rounds);
  std::vector<float> before(field), now(field.size()), sum(field.size());
  for (size_t v = 0; v < field.size(); ++v) sum[v] = shares[0] * field[v];
  for (size_t k = 1; k < shares.size(); ++k) {
    // `before` holds T_(k-2), which T_k takes the place of, and `now` T_(k-1).
    const std::vector<float>& last = k == 1 ? field : now;
    std::vector<float>& next = k == 1 ? now : before;
    parallel_chunks(static_cast<int64_t>(field.size()), 8192, context, [&](int64_t begin, int64_t end) {
      for (auto v = static_cast<int32_t>(begin); v < static_cast<int32_t>(end); ++v) {
        const auto at = static_cast<size_t>(v);
        const auto near = around.of(v);
        float total = last[at];
        for (const int32_t w : near) total += last[static_cast<size_t>(w)];
        const float mean = total / static_cast<float>(near.size() + 1);
        next[at] = k == 1 ? mean : 2 * mean - next[at];
        sum[at] += shares[k] * next[at];
      }
    });
    if (k > 1) before.swap(now);
  }
  field.swap(sum);
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

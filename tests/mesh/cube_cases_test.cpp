#include "tepui/mesh/cube_cases.h"

#include <map>
#include <set>

#include "tests/support/support.h"

namespace tepui::cube_cases_test {
namespace {

constexpr auto edges = cube_edges();
using Pair = std::pair<int, int>;

/// How often each pair of neighbouring vertices is gone along, from and to.
std::map<Pair, int> directed(unsigned corners, bool other_diagonal) {
  std::map<Pair, int> counts;
  const CubeCase& cell = cube_case(corners);
  const auto add = [&](int a, int b, int c) { ++counts[{a, b}], ++counts[{b, c}], ++counts[{c, a}]; };
  for (size_t t = 0; t < cell.triangles; ++t) {
    const auto& [a, b, c] = cell.triangle[t];
    if (!other_diagonal || t >= 2u * cell.quads) {
      add(a, b, c);
    } else if (t % 2 == 0) {
      const int d = cell.triangle[t + 1][2];
      add(a, b, d), add(b, c, d);
    }
  }
  return counts;
}

int face_of(int a, int b) {
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side) {
      const auto on = [&](int edge) {
        const CubeEdge& e = edges[static_cast<size_t>(edge)];
        return (e.low >> axis & 1) == side && (e.high >> axis & 1) == side;
      };
      if (on(a) && on(b)) return 2 * axis + side;
    }
  return -1;
}

/// The pairs that only one triangle of the cell goes along.
std::set<Pair> border(const std::map<Pair, int>& counts) {
  std::set<Pair> open;
  for (const auto& [pair, count] : counts)
    if (!counts.contains({pair.second, pair.first})) open.insert(pair);
  return open;
}

TEST(CubeCases, VerticesLieWhereRockMeetsAir) {
  for (unsigned c = 0; c < 256; ++c) {
    std::set<int> used, crossed;
    for (const auto& [pair, count] : directed(c, false)) used.insert(pair.first);
    for (int e = 0; e < 12; ++e)
      if ((c >> edges[static_cast<size_t>(e)].low & 1) != (c >> edges[static_cast<size_t>(e)].high & 1))
        crossed.insert(e);
    EXPECT_EQ(used, crossed) << c;
  }
}

TEST(CubeCases, NoDiagonalLiesInAFaceAndNoneIsSharedByThree) {
  for (unsigned c = 0; c < 256; ++c)
    for (const bool other : {false, true}) {
      const std::map<Pair, int> counts = directed(c, other);
      for (const auto& [pair, count] : counts) {
        EXPECT_EQ(count, 1) << c;
        const bool inner = counts.contains({pair.second, pair.first});
        EXPECT_EQ(face_of(pair.first, pair.second) >= 0, !inner) << c;
      }
    }
}

/// The lines that a case leaves in the face of `axis` and `side`, with edges told as those of the lower face.
std::set<Pair> lines_in(unsigned corners, int axis, int side) {
  std::set<Pair> lines;
  const auto lowered = [&](int edge) {
    const CubeEdge& e = edges[static_cast<size_t>(edge)];
    const auto shift = static_cast<uint8_t>(side << axis);
    for (int k = 0; k < 12; ++k)
      if (edges[static_cast<size_t>(k)].low == (e.low ^ shift) &&
          edges[static_cast<size_t>(k)].high == (e.high ^ shift))
        return k;
    return -1;
  };
  for (const Pair& pair : border(directed(corners, false)))
    if (face_of(pair.first, pair.second) == 2 * axis + side)
      lines.insert(Pair{lowered(pair.first), lowered(pair.second)});
  return lines;
}

TEST(CubeCases, AnyTwoCellsAgreeOnTheFaceTheyShare) {
  for (int axis = 0; axis < 3; ++axis)
    for (unsigned a = 0; a < 256; ++a)
      for (unsigned b = 0; b < 256; ++b) {
        bool fit = true;
        for (unsigned corner = 0; corner < 8; ++corner)
          if ((corner >> axis & 1) == 0) fit = fit && (a >> (corner | 1u << axis) & 1) == (b >> corner & 1);
        if (!fit) continue;
        std::set<Pair> there;
        for (const Pair& pair : lines_in(b, axis, 0)) there.insert({pair.second, pair.first});
        EXPECT_EQ(lines_in(a, axis, 1), there) << a << ' ' << b;
      }
}

TEST(CubeCases, OneCornerOfRockLooksAway) {
  const CubeCase& cell = cube_case(1);
  ASSERT_EQ(cell.triangles, 1);
  // Along x, then y, then z: counter-clockwise seen from the far corner.
  EXPECT_EQ(cell.triangle[0], (std::array<uint8_t, 3>{0, 4, 8}));
  EXPECT_EQ(cube_case(0).triangles, 0);
  EXPECT_EQ(cube_case(255).triangles, 0);
}

}  // namespace
}  // namespace tepui::cube_cases_test

#pragma once  // internal

#include <array>
#include <cstdint>

// What a surface looks like within a cell, for each of the 256 ways in which its corners lie in rock or in air
// (Lorensen and Cline 1987). Corner c lies at (c & 1, c >> 1 & 1, c >> 2) of the cell.

namespace tepui {

/// Edges 0 to 3 go along x, 4 to 7 along y, 8 to 11 along z; `low` is the corner at the lower end.
struct CubeEdge {
  uint8_t axis = 0, low = 0, high = 0;
};
constexpr std::array<CubeEdge, 12> cube_edges() {
  return {{{0, 0, 1},
           {0, 2, 3},
           {0, 4, 5},
           {0, 6, 7},
           {1, 0, 2},
           {1, 1, 3},
           {1, 4, 6},
           {1, 5, 7},
           {2, 0, 4},
           {2, 1, 5},
           {2, 2, 6},
           {2, 3, 7}}};
}

/// The triangles of a case, whose corners are vertices on edges of the cell, counter-clockwise from the air. The first
/// 2 * quads of them are pairs (a, b, c), (a, c, d) that may as well be (a, b, d), (b, c, d).
struct CubeCase {
  static constexpr int most = 10;
  uint8_t quads = 0, triangles = 0;
  std::array<std::array<uint8_t, 3>, most> triangle{};
};

/// All cases; bit c of a case's number says whether corner c is rock. On a face whose corners alternate, each rock
/// corner is cut off by itself, whichever cell looks at it: so cells agree on every face they share. No diagonal
/// between two triangles lies in a face of the cell, where another cell's might meet it.
const std::array<CubeCase, 256>& cube_cases();
inline const CubeCase& cube_case(unsigned corners) { return cube_cases()[corners & 255]; }

}  // namespace tepui

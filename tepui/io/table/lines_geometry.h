#pragma once  // internal

#include <string>
#include <vector>

#include "tepui/terrain/lines.h"

class OGRGeometry;

namespace tepui {

/// The geometry of one feature of a file, taken apart into points, lines and polygons.
struct FileGeometry {
  struct Part {
    size_t first = 0, end = 0;  ///< its vertices
    bool returns = false;       ///< whether its last vertex is its first again
  };
  struct Piece {
    FeatureShape shape = FeatureShape::line;
    std::vector<Part> parts;
  };
  std::vector<Vec3> vertices;  ///< as they are in the file, in its order
  std::vector<Piece> pieces;

  /// Vertices without those that only close a part.
  size_t distinct_vertices() const;
};

/// Takes a geometry apart, as lines_from_file tells; empty ones give nothing. Refuses kinds that are no points, lines
/// or polygons; `whose` says in the message which feature has it.
void take_apart(const OGRGeometry& geometry, const std::string& whose, FileGeometry& into);

}  // namespace tepui

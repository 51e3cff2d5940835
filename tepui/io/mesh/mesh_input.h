#pragma once  // internal

#include <string>
#include <string_view>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/mesh/mesh.h"

namespace tepui {

/// What a reader of meshes gathers from a file that nobody vouches for.
class MeshInput {
 public:
  MeshInput(std::string path, const char* format, const Context& context)
      : path_(std::move(path)), format_(format), context_(context) {}

  [[noreturn]] void broken(std::string_view reason) const;

  /// Room for so many more; the file's length must back the numbers.
  void reserve(uint64_t points, uint64_t triangles);
  /// Refuses what is not finite or beyond 1e30.
  void add_point(Vec3 p);
  /// Corners are checked at the end: files may name vertices before they give them.
  void add_triangle(uint64_t a, uint64_t b, uint64_t c);
  /// A polygon as a fan around its first corner; fewer than three corners make nothing.
  void add_polygon(const std::vector<uint64_t>& corners);

  size_t points() const { return points_.size(); }

  /// Per vertex; kept if there is one for each at the end. Normals need not have unit length.
  std::vector<MeshPoint> normals;
  std::vector<MeshCoordinate> coordinates;
  std::vector<MeshColour> colours;
  std::vector<MeshAttribute> attributes;  ///< names and units are those that a mesh can have

  /// Checks the corners and makes the mesh, turned from Y up (x stays, +Y is up, +Z is south) if the file's axes are
  /// so. A mesh further from the origin than eight times its own size is centred.
  Mesh finish(bool from_y_up) &&;

 private:
  /// Looks up now and then to see whether anyone still waits for it.
  void count() {
    if ((++added_ & 0xffff) == 0) context_.check();
  }

  std::string path_;
  const char* format_;
  Context context_;
  uint64_t added_ = 0;
  std::vector<Vec3> points_;
  std::vector<MeshTriangle> triangles_;
};

/// A component of a colour in [0, 1] as a byte; anything else is brought there.
uint8_t colour_byte(double value);

}  // namespace tepui

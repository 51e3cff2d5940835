#pragma once  // internal

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tepui/io/mesh/glb.h"
#include "tepui/io/mesh/glb_parts.h"
#include "tepui/mesh/source.h"
#include "tepui/mesh/standing.h"

// Plants and rocks in a GLB: the models built in, each once, and where they stand (EXT_mesh_gpu_instancing).

namespace tepui {

/// One form of a species: the accessors that hold it are parts of GlbStanding, in their order.
struct GlbModel {
  std::string name;           ///< "conifer_3"
  size_t vertices = 0;        ///< parts [vertices, indices) are of vertices
  size_t indices = 0;         ///< the part of indices
  size_t translation = 0;     ///< and the next two: rotation and scale of each that stands there
  std::vector<size_t> own{};  ///< of those that stand
};

/// What stands at the points of lines, ready to be written. A model has the fewer triangles the more there are.
class GlbStanding {
 public:
  /// Places count from `centre`, in metres of the world. Of the options count those on what stands.
  GlbStanding(std::span<const Lines> points, Vec3 centre, const GlbOptions& options);

  const std::vector<GlbModel>& models() const { return models_; }
  /// The object must outlive them.
  std::vector<GlbPart> parts() const;

 private:
  Vec3 centre_;
  bool placed_;
  std::vector<Standing> all_;
  std::vector<GlbModel> models_;
  std::vector<std::unique_ptr<StoredMesh>> meshes_;
};

}  // namespace tepui

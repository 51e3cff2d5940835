#pragma once

#include <cstdint>
#include <string>

#include "apps/studio/frames.h"
#include "tepui/core/context.h"
#include "tepui/mesh/mesh.h"

namespace tepui::studio {

/// What a mesh belongs to.
struct ShownMesh {
  uint64_t generation = 0;
  std::string node;
  bool preview = false;
};

/// The mesh in blocks of neighbouring triangles, each in 16 bits around its own box, and with coarser levels for views
/// from afar, unless it is a preview.
void send_mesh(const Mesh& mesh, const ShownMesh& shown, FrameSink& sink, const Context& context);

}  // namespace tepui::studio

#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <string>

#include "apps/studio/frames.h"
#include "tepui/core/context.h"
#include "tepui/core/hash.h"
#include "tepui/core/vec.h"
#include "tepui/mesh/mesh.h"

namespace tepui::studio {

/// What a mesh belongs to.
struct ShownMesh {
  uint64_t generation = 0;
  std::string node;
  bool preview = false;
};

/// What pages have of a mesh: which blocks, and what is in them.
struct SentMesh {
  double side = 0;  ///< of the cubes that blocks are
  Vec3 centre{};
  std::map<uint64_t, Hash> blocks{};
  /// Whether a whole mesh has been sent; told to the thread that asks for the next.
  std::atomic<bool> whole = false;
};

/// The mesh in blocks, each in 16 bits around its own box, and with coarser levels for views from afar, unless it is a
/// preview. A block is what lies in a cube of a lattice of cubes, and has the cube's number; where that is too much for
/// a frame, several. Blocks that the pages have as they are stay there; without `sent` all are sent.
void send_mesh(const Mesh& mesh, const ShownMesh& shown, SentMesh* sent, FrameSink& sink, const Context& context);

}  // namespace tepui::studio

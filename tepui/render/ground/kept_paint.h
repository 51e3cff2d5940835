#pragma once

#include <memory>

#include "tepui/core/context.h"
#include "tepui/mesh/mesh.h"
#include "tepui/mesh/polygonize.h"
#include "tepui/render/ground/mesh_paint.h"

namespace tepui {

/// The colours of a surface, kept from one edit of it to the next.
class KeptPaint;

/// The natural look of a surface that is edited again and again, as `painted` gives it, but without kinds of ground and
/// roughness: `mesh` has the `parts`. A vertex's look depends on its place, its normal, its rock, the rock above it and
/// on the parts' lattice alone: the lattice tells of size and detail, where `painted` asks all of the mesh. So only
/// what is new, or has another shelter, is painted; the rest has the colours that were kept the last time, if any. The
/// same bits as without them, and for any number of threads.
Mesh painted_again(const Mesh& mesh, const SurfaceParts& parts, const MeshPaintParams& params,
                   std::shared_ptr<const KeptPaint>& kept, const Context& context);

}  // namespace tepui

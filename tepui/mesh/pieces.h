#pragma once  // internal

#include "tepui/core/context.h"
#include "tepui/mesh/mesh.h"

namespace tepui {

/// The mesh without the pieces, joined by vertices, that have less surface than this: crumbs that float in the air and
/// bubbles in the rock.
Mesh without_crumbs(const Mesh& mesh, double square_metres, const Context& context);

}  // namespace tepui

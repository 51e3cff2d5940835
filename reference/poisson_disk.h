#pragma once

#include <cstdint>
#include <vector>

#include "tepui/core/vec.h"

namespace tepui::reference {

/// Candidates one after the other, each kept unless one kept before is nearer than `spacing`: by the colour of their
/// block, a cube of 8 / sqrt(3) spacings, of which there are eight, then by block and priority. Indices, rising.
std::vector<uint32_t> poisson_disk(const std::vector<Vec3>& candidates, const std::vector<uint64_t>& priority,
                                   double spacing);

}  // namespace tepui::reference

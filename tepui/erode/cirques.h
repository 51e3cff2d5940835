#pragma once  // internal

#include <vector>

#include "tepui/core/random.h"
#include "tepui/erode/glacier_paths.h"
#include "tepui/erode/troughs.h"

namespace tepui {

/// The bowls in which glaciers begin, with a floor that lies a little lower than the lip over which the ice leaves
/// them. Not one beside another. `size` multiplies their usual size.
std::vector<Trough> cirques(const std::vector<GlacierPath>& paths, double size, double variety, Stream draws);

}  // namespace tepui

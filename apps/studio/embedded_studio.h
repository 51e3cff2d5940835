#pragma once

#include <vector>

#include "tepui/core/embedded.h"

namespace tepui {

/// The files of studio/dist and studio/presets; their names are relative to the root of the source tree.
const std::vector<EmbeddedFile>& embedded_studio();

}  // namespace tepui

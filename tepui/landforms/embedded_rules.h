#pragma once  // internal

#include <vector>

#include "tepui/core/embedded.h"

namespace tepui {

/// The files of rules/, which are built in; their names are relative to the root of the source tree.
const std::vector<EmbeddedFile>& embedded_rules();

}  // namespace tepui

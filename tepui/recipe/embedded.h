#pragma once

#include <vector>

#include "tepui/core/embedded.h"

namespace tepui {

/// The files of the source tree that are built in; their names are relative to its root.
const std::vector<EmbeddedFile>& embedded_files();

}  // namespace tepui

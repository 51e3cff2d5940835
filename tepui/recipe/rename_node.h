#pragma once

#include <string>
#include <vector>

#include "tepui/recipe/edit.h"

namespace tepui {

/// Gives a node another name, in every reference to it, too: ports, the world, outputs, "test" and the layout in "ui".
std::vector<Splice> rename_node(const Source& source, const std::string& from, const std::string& to);

}  // namespace tepui

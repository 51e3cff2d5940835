#pragma once  // internal

#include "tepui/core/hash.h"

namespace tepui {

/// Names this build of Tepui: its version, and the identity that the linker gave the program (or shared library) that
/// this function is part of. So that what a program remembers of its results goes with the code that made them.
Hash build_id();

}  // namespace tepui

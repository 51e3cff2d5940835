#pragma once  // internal

#include <string>
#include <vector>

namespace tepui {

/// The files beside a raster that tell more of it and that exist: a .hdr label, a .prj with the reference system, a
/// world file.
std::vector<std::string> sidecars(const std::string& path);

}  // namespace tepui

#pragma once  // internal

#include <string>
#include <vector>

namespace tepui {

/// The files beside a raster that tell more of it and that exist: a .hdr label, a .prj with the reference system, a
/// world file.
std::vector<std::string> sidecars(const std::string& path);

/// Of files beside a raster that other programs go by and Tepui does not, what they say that changes heights or their
/// place, unless the raster is `placed` by itself; each ready for a warning.
std::vector<std::string> unread_sidecars(const std::string& path, bool placed);

}  // namespace tepui

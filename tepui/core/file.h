#pragma once

#include <cstddef>
#include <string>

namespace tepui {

/// The whole file; refuses one larger than `limit`.
std::string read_file(const std::string& path, size_t limit);

/// Bytes in a regular file; refuses what is not one.
size_t file_size(const std::string& path);

/// "Folder/mesa.tif" -> "mesa.tif".
std::string file_name(const std::string& path);
/// "Folder/mesa.TIF" -> ".tif", "N36W113.hgt.zip" -> ".hgt.zip"; empty where there is none.
std::string file_ending(const std::string& path);

}  // namespace tepui

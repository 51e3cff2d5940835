#pragma once  // internal

#include <cstdint>
#include <string>

namespace tepui {

/// Of a TIFF's first directory.
struct TiffBlocks {
  uint64_t count = 0;  ///< of strips or tiles
  uint64_t empty = 0;  ///< of these, how many have no bytes in the file
  bool tiled = false;
  uint64_t orientation = 1;  ///< TIFF's number: where its first row and column are; 1: top and left
};

/// Refuses a TIFF whose directories list strips or tiles beyond the file's end, or fewer of them than its size needs.
/// The TIFF library would take memory and time for what such a directory claims, and zeros for what it leaves out. What
/// is no TIFF at all is left to the library to refuse.
TiffBlocks check_tiff_directories(const std::string& path);

}  // namespace tepui

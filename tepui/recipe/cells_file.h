#pragma once

#include <optional>
#include <string>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/core/hash.h"

// A layer's cells as a file of the cache: the floats as they lie in memory, then a foot.

namespace tepui {

/// Of a file with so many bytes of cells.
size_t cells_file_bytes(size_t bytes);

/// Writes a new file; 0, or what went wrong.
int write_cells(const std::string& path, const Grid<float>& cells);

/// The cells, if the file holds so many, whole and with that content. The claim alone takes no memory.
std::optional<Grid<float>> read_cells(const std::string& path, const Hash& content, int64_t width, int64_t height,
                                      const Context& context);

}  // namespace tepui

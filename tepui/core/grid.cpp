#include "tepui/core/grid.h"

#include <fmt/format.h>

#include "tepui/core/error.h"

namespace tepui {

size_t checked_grid_bytes(int64_t width, int64_t height, size_t bytes) {
  if (width < 0 || height < 0) refuse(fmt::format("a grid of {} x {} samples has a negative side", width, height));
  const double total = static_cast<double>(width) * static_cast<double>(height) * static_cast<double>(bytes);
  if (total > static_cast<double>(physical_memory()))
    refuse(fmt::format("a grid of {} x {} samples needs {}; this machine has {}", width, height, bytes_text(total),
                       bytes_text(static_cast<double>(physical_memory()))),
           "lower the resolution");
  return static_cast<size_t>(width) * static_cast<size_t>(height) * bytes;
}

}  // namespace tepui

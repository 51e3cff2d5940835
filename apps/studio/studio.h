#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "tepui/core/context.h"
#include "tepui/graph/disk_cache.h"

namespace tepui::studio {

struct StudioOptions {
  std::string recipe;  ///< a file or a preset
  uint16_t port = 0;   ///< 0: any that is free
  DiskCache* cache = nullptr;
  /// Told the address that the page is at, once, with the token in it.
  std::function<void(const std::string& url)> ready = {};
};

/// Serves the page of a recipe until the work is cancelled; what has not been saved by then is.
void run_studio(const StudioOptions& options, const Context& context);

}  // namespace tepui::studio

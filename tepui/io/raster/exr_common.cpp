#include "tepui/io/raster/exr_common.h"

#include <OpenEXR/ImfThreading.h>

#include <algorithm>
#include <mutex>
#include <thread>

#include "tepui/core/parallel.h"

namespace tepui {

int exr_threads(double block_bytes) {
  constexpr double memory = 256.0 * 1024 * 1024;
  static std::once_flag once;
  std::call_once(once, [] {
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    if (Imf::globalThreadCount() < cores) Imf::setGlobalThreadCount(cores);
  });
  // The library keeps two blocks for every thread, and the compressor as much again.
  const double served = memory / (4 * std::max(block_bytes, 1.0));
  const int threads = static_cast<int>(std::min<double>(thread_count(), served));
  return threads > 1 ? threads : 0;
}

}  // namespace tepui

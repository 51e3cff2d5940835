#include "tepui/planet/global_land.h"

namespace tepui {

std::vector<int64_t> supplies(const GlobalLand& land) {
  std::vector<int64_t> own = land.discharge;
  for (size_t v = 0; v < own.size(); ++v)
    if (land.receiver[v] >= 0) own[static_cast<size_t>(land.receiver[v])] -= land.discharge[v];
  return own;
}

}  // namespace tepui

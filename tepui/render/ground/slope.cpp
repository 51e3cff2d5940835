#include "tepui/render/ground/slope.h"

#include <algorithm>
#include <cmath>

namespace tepui {

float slope_of(Vec3 normal) {
  const double out = std::sqrt(normal.x * normal.x + normal.y * normal.y);
  return normal.z * 50 > out ? static_cast<float>(out / normal.z) : 50.0f;
}

}  // namespace tepui

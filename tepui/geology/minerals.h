#pragma once  // internal

#include <span>
#include <string_view>

namespace tepui {

/// A mineral of the scale of hardness: Warszawski et al. 2019, Table 1.
struct Mineral {
  std::string_view name;
  int absolute;  ///< hardness as measured; diamond's is 1500
  double hardness() const { return absolute / 1500.0; }
};

/// From `none` and talc to diamond.
std::span<const Mineral> minerals();

/// The hardness of a mineral, from 0 to 1; capitals do not matter. Throws with the nearest name.
double mineral_hardness(std::string_view name);

}  // namespace tepui

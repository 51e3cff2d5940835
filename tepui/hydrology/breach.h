#pragma once

#include <optional>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

enum class BreachRest { fill, keep };

struct BreachParams {
  std::optional<double> cut{};  // metres
  std::optional<Length> distance{};
  BreachRest rest = BreachRest::fill;
  std::optional<double> sea_level{};
};
void describe(Fields<BreachParams>&);

/// Lets pits drain by cutting notches instead of filling: from the lowest sample of each pit the way to lower ground,
/// the border or the sea that takes the least cutting, summed over its samples (Lindsay 2016). The notch falls evenly
/// from one end to the other. No sample is cut by more than `cut`, and no way is longer than `distance`; pits that this
/// leaves are filled, or kept for lakes.
Terrain breach(const Terrain& in, const BreachParams& params, const Context& context);

}  // namespace tepui

#pragma once

#include <string>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

struct TakeParams {
  std::string layer = "bedrock";
};
void describe(Fields<TakeParams>& f);

/// A layer as land of its own: its numbers become the heights, its range the relief; nothing else is kept. So the rock
/// below the sand, or the depth of the sand, can be drawn, worn and written as any land.
Terrain take(const Terrain& in, const TakeParams& params, const Context& context);

}  // namespace tepui

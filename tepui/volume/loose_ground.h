#pragma once  // internal

#include <memory>

#include "tepui/geology/geology.h"
#include "tepui/terrain/terrain.h"
#include "tepui/volume/land_sheet.h"

namespace tepui {

/// How the loose ground on land is called among the names of its rock.
inline constexpr const char* loose_ground_name = "debris";

/// The rock of land, and on it what is loose: between the land's layer `bedrock` and the ground, beds have fallen apart
/// and are mixed, and so the resistance there is one number, whatever lies at the same height within the rock.
///
/// Loose is what lies between height - depth and the ground, and up to half a cell above it, where a surface that was
/// made of the land may lie. The depth is that above `bedrock`, and no more than the layer `sediment` says, where there
/// is one: an operator may have changed the height since. It is linear between samples; beyond the land there is none.
///
/// `rock` itself for land without `bedrock`. `ground` is the land's.
Geology with_loose_ground(const Geology& rock, const Terrain& land, std::shared_ptr<const LandSheet> ground,
                          double resistance);

}  // namespace tepui

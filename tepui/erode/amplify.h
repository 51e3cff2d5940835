#pragma once

#include <optional>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/geology/geology.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

struct AmplifyParams {
  int factor = 4;
  double strength = 1;
  double concavity = 0.45;
  Angle talus{35};
  std::optional<double> creep{};         // square metres
  std::optional<double> channel_head{};  // square metres
  double variety = 1;
  std::optional<double> sea_level{};
  Seed seed;
};
void describe(Fields<AmplifyParams>& f);

/// Detail below the cells of a land, a measured one above all: gullies and small valleys that drain into those that are
/// there. The land's pits are breached; then its samples are doubled again and again. Each finer lattice begins with
/// noise, so that water finds ways that meet; rivers cut, as in stream_power, and soil creeps, while the broad shape is
/// kept: means over the old cells stay what they were. In the end the detail is made as strong as the land's own goes
/// on (fine_detail.h): gullies are deep in rough mountains, shallow on smooth slopes, and lakes stay flat.
///
/// The result has `factor` times the samples along each axis. Layers as those of stream_power; the land's other layers
/// are resampled.
Terrain amplify(const Terrain& in, const Geology* rock, const AmplifyParams& params, const Context& context);

/// Where the result lies.
Frame amplified_frame(const Frame& land, const AmplifyParams& params);

}  // namespace tepui

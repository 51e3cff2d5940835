#pragma once

#include "tepui/core/context.h"
#include "tepui/erode/debris.h"
#include "tepui/erode/weathering_params.h"
#include "tepui/geology/geology.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// Walls of rock shed blocks that turn to sand; sand slides and settles, and shields what it buries. Benes and Arriaga
/// 2005. With h the rock and m the ground above the lowest rock, H the largest h of the start, one step is
///
///   E_q = max(0, h - m_q) for the four places q at a distance of `reach` along x and y (between cells: exposure.h);
///   block: with the chance p = chance (max E / H)^2 the rock loses dh = min(max E, pace h^2 / H G), G = max(0, N(1,
///   spread)), of mean 1; smooth: always dh = pace (sum E / 4)^2 / H; what it loses lies there as debris;
///   then debris slides (debris.h), (reach / cell)^2 times a step, down slopes steeper than `talus`.
///
/// The rock is the land's height less its layer `sediment`, or less `cover` where it has none (no more of it than the
/// land is high, or 1 km: nothing lays bare what lies deeper). `rock` gives its resistance rho, else the layer
/// `hardness` does. In the face from the foot m_q up to h the weakest rock decides: it scales the chance (smooth: the
/// loss) by 1 - rho, and harder rock below it stays. In block mode what stands above it falls with it, and with that a
/// quarter of a block's thickness of the weak rock. So caprock goes at the pace of the soft rock under it, as long as
/// no debris covers that. Where the foot lies between the cells before and after a step, part of the cell sees either
/// one (Exposure): each counts by its part times what it leaves free.
///
/// `retreat` says when to stop: the chance (smooth: the pace) is scaled so that the walls the land begins with, if they
/// are of rock with rho = 0, wear back as fast as the walls of a block as high as the land, and steps are made until
/// the rim of a bare one would have worn back so far (weathering_steps). Walls count by the square of their height
/// there, as in p: the highest wear back so far, lower ones less; so do harder walls and those that debris buries. How
/// far debris slides then depends neither on chance nor on pace. `steps` gives the number of steps instead and scales
/// nothing. A run that ended at `from`, in the same measure (per cent where `retreat` is), can be taken up again and
/// ends with the very bits of one that never stopped.
///
/// Cost: debris slides (reach / cell)^2 times a step over all cells where it moves, so twice as fine a land takes up to
/// sixteen times as long; a shorter `reach` is the remedy.
///
/// Layers: `height`, `bedrock`, `sediment`, and since the start `wear` (rock lost) and `deposits` (debris gained,
/// negative where it went). All are whole multiples of one power of two (height_quanta.h): not a grain is ever lost.
///
/// Where we differ: the paper's loss k h^2 has no length in it, and its shares use s where they mean d. Debris begins
/// where the rock was and not on the neighbours, and the cells of a block, about `reach` wide, fall together, so that
/// lands of any cell size age alike. With reach = 0 and talus = 0 a step is the paper's.
Terrain weathering(const Terrain& in, const Geology* rock, const WeatheringParams& params, const Context& context);

/// The same with tiles of another size, for tests: no bit of the result depends on it.
Terrain weathering_in_tiles(const Terrain& in, const Geology* rock, const WeatheringParams& params, TileSize tile,
                            const Context& context);

}  // namespace tepui

#pragma once

#include "tepui/core/random.h"
#include "tepui/cover/dune_field.h"

namespace tepui::reference {

/// A spell of wind over sand, cell by cell: DuneField::blow to the bit.
void blow(DuneGround& ground, const DuneRule& rule, const WindSpell& spell);

/// Werner's slabs (1995), one at a time, with wind to the east and land that repeats: `picks` cells drawn by chance
/// give a slab of `slab` quanta, unless they lie in a shadow of 15 degrees; it hops `hop` cells, stays with a chance of
/// 0.6 on sand and 0.4 on rock, always in a shadow; slopes above the angle of rest (to eight neighbours) slide down
/// slab by slab, where it is taken and where it stays. `cell` and `slab` are in quanta.
struct WernerRule {
  int32_t cell = 1024, slab = 341;
  int64_t hop = 5;
  double repose = 0.65;
};
void werner(Grid<int32_t>& sand, const WernerRule& rule, int64_t picks, Stream draws);

}  // namespace tepui::reference

#pragma once

#include <optional>

#include "tepui/core/params.h"
#include "tepui/landforms/where.h"

namespace tepui {

/// `natural` spreads along beds and drops down joints, and keeps the ways that lead somewhere; `paper` is the printed
/// rule: into the lower half of all directions, and every point is kept.
enum class KarstForm { natural, paper };

/// Where the points that are given as sinks and springs lie.
enum class KarstEnds { ground, points };

struct KarstParams : WhereParams {
  KarstForm form = KarstForm::natural;
  bool pits = true;
  Length pit_depth = metres(2);
  int most_sinks = 24;
  KarstEnds ends = KarstEnds::ground;
  std::optional<Length> step{};
  std::optional<Length> spacing{};
  std::optional<double> hardest{};
  double wander = 0.1;
  std::optional<double> clogging{};
  int outlets = 2;
  Length outlet_distance = metres(60);
  bool joins = true;
  double dead_ends = 0.01;
  Length width = metres(2);
  double variation = 0.55;
  Length floor = metres(8);
  int64_t limit = 200'000;
  double growth = 1;
  std::optional<double> sea_level{};
  Seed seed{};
};
void describe(Fields<KarstParams>& f);

}  // namespace tepui

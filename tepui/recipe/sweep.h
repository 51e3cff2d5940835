#pragma once

#include <string>
#include <vector>

#include "tepui/recipe/recipe.h"

namespace tepui {

/// The most entries that sweeps make together.
inline constexpr size_t most_sweep_entries = 400;

/// A name of a recipe, and the values it takes one after the other.
struct Sweep {
  std::string name;                 ///< "seed", "resolution", a variable, or "node.parameter"
  std::vector<std::string> values;  ///< as --set takes them
  std::string text;                 ///< as it was given

  /// "count = 3": the parameter's own name, and the value.
  std::string caption(size_t value) const;
};

/// Reads "rock.count=3,5,7" (any values; commas inside brackets do not part them), "seed=1..16" (whole numbers, both
/// ends included, up or down) and "age=0..1:9" (nine values, evenly).
Sweep parse_sweep(const std::string& text);

/// One recipe of a sweep.
struct SweepEntry {
  Overrides overrides;
  std::string caption;
};

/// What sweeps make of a recipe. Without one: a single entry without a caption. One: a list. Two: a table, the first
/// sweep's values its rows, the second's its columns, row by row.
struct SweepTable {
  std::vector<SweepEntry> entries;
  std::vector<std::string> rows, columns;  ///< headings of a table; else empty
};

/// Each entry changes `base` by one value of every sweep.
SweepTable sweep_table(const std::vector<Sweep>& sweeps, const Overrides& base = {});

/// The most runs that sweeps make of a recipe.
inline constexpr size_t most_sweep_runs = 10000;

/// One combination of the values of sweeps.
struct SweepRun {
  Overrides overrides;
  std::vector<std::string> values;  ///< one of each sweep
  std::string name;                 ///< fit for a folder, and of no other run: "age=0.5_seed=3"
};

/// All combinations of any number of sweeps, those of the last one side by side.
std::vector<SweepRun> sweep_runs(const std::vector<Sweep>& sweeps, const Overrides& base = {});

}  // namespace tepui

#pragma once

#include <functional>
#include <string>

#include "tepui/core/context.h"
#include "tepui/core/hash.h"
#include "tepui/terrain/terrain.h"

namespace tepui::test {

/// Runs `make` at 1, 2 and 7 threads with the best SIMD level of this machine, and at every other level with one of
/// these numbers, and expects the same hash each time. Checks that the level asked for is the level that ran.
void expect_same_bits(const std::function<Hash()>& make);

/// The largest |a - b| over all cells; infinity where sizes differ or a cell is not finite.
double max_difference(const Grid<float>& a, const Grid<float>& b);

/// Whether all cells have the same bits.
bool same_cells(const Grid<float>& a, const Grid<float>& b);

/// A small rough land from a seed, made of sines and hashes: heights in [base, top] of its relief.
Terrain sample_land(int64_t width, int64_t height, uint64_t seed, double cell = 10, Relief relief = {100, 500});

/// Calls `act`, which must throw an Error, and returns its message with the hint after it.
std::string error_of(const std::function<void()>& act);

/// Calls `act` and returns the widest gap between the fractions that it reports, 0 and 1 among them.
double widest_progress_gap(const std::function<void(const Context&)>& act);

/// A fresh empty folder below the system's temporary one, removed when the object goes.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace tepui::test

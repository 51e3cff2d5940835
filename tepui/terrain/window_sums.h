#pragma once  // internal

#include <cmath>
#include <cstdint>
#include <functional>
#include <span>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/terrain.h"

// Sums of heights over the rectangle of samples around each sample, at a cost that does not grow with the rectangle.
// Heights are rounded to quanta and summed as whole numbers of 128 bits: adding and dropping samples is exact, so the
// bits do not depend on threads, or on which window of the land is at hand.

namespace tepui {

__extension__ using WideSum = __int128;

/// Samples each way of a window that reaches `radius` metres along x and y: rounded to cells, at least one.
Halo window_halo(const Frame& frame, double radius);

/// How heights become whole numbers: to the nearest multiple of a millionth of a cell or less. What is more than some
/// millions of cells high takes part as so high.
struct HeightSteps {
  double quantum = 1;  ///< metres, a power of two

  explicit HeightSteps(const Frame& frame);
  int64_t steps(float z) const {
    constexpr double limit = 0x1p44, rounder = 0x1.8p52;
    const double q = static_cast<double>(z) * (1 / quantum);
    return static_cast<int64_t>(((q < -limit ? -limit : q > limit ? limit : q) + rounder) - rounder);
  }
};

/// The sums over one window, which is clipped by the land's border.
struct WindowSum {
  int64_t across = 0, along = 0;     ///< samples from west to east and from south to north
  WideSum sum = 0, squares = 0;      ///< of quanta
  WideSum twist_x = 0, twist_y = 0;  ///< of quanta times twice the place from the window's middle, in samples

  double count() const { return static_cast<double>(across) * static_cast<double>(along); }
  /// In quanta.
  double mean() const { return static_cast<double>(sum) / count(); }
  /// The sum of the squared differences from `centre` quanta.
  double squares_from(int64_t centre) const {
    const WideSum n = static_cast<WideSum>(across) * along;
    return static_cast<double>(squares - 2 * centre * sum + n * centre * centre);
  }
  /// From the mean.
  double squares_from_mean() const {
    const auto near = static_cast<int64_t>(std::floor(mean()));
    const double rest = static_cast<double>(sum - static_cast<WideSum>(across) * along * near);
    return std::fmax(squares_from(near) - rest * rest / count(), 0.0);
  }
  /// From the plane of best fit. In a rectangle its slopes along x and y do not depend on each other.
  double squares_from_plane() const {
    const auto explained = [](WideSum twist, int64_t n, int64_t others) {
      if (n < 2) return 0.0;
      const double half = 0.5 * static_cast<double>(twist), m = static_cast<double>(n);
      return half * half / (static_cast<double>(others) * (m * (m * m - 1) / 12));
    };
    return std::fmax(squares_from_mean() - explained(twist_x, across, along) - explained(twist_y, along, across), 0.0);
  }
};

/// Calls body(y, sums) for every row with the sums around each of its samples; the two of planes are 0 unless `planes`.
void for_window_sums(const Terrain& land, Halo reach, bool planes, const Context& context,
                     const std::function<void(int64_t y, std::span<const WindowSum> sums)>& body);

}  // namespace tepui

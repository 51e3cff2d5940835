#pragma once  // internal

#include "tepui/core/context.h"
#include "tepui/core/frame.h"
#include "tepui/core/grid.h"
#include "tepui/erode/exposure.h"
#include "tepui/erode/weathering_params.h"

namespace tepui {

/// The parameters of weathering as numbers for one land: its cells, and the relief of its rock in quanta.
class WeatheringRule {
 public:
  WeatheringRule(const WeatheringParams& params, const Frame& frame, float relief);

  /// Makes the walls of this land, in quanta, begin to wear back as fast as the wall of a block as high as the land
  /// would: then so many steps are the same retreat on any land. Walls count by their height, the high ones most.
  void fit_walls(const Grid<float>& rock, const Grid<float>& ground, const Context& context);

  /// How far away a wall's foot is looked for: `reach`; in a run that is counted in steps at least a cell.
  const FootReach& along() const { return along_; }
  const FootReach& across() const { return across_; }

  /// How often debris has slid at the end of so many steps.
  int64_t slides_until(int64_t steps) const;

  /// The chance of a fall is this times the square of the largest exposure in quanta.
  float chance_scale() const { return chance_scale_; }
  /// A fall happens where draw(cell's key + the lower half of the step's key) is not above its chance. All cells of a
  /// block have the same key: those next to one of the points that are strewn, one in each square of `reach`, over the
  /// world; where these are smaller than cells, each cell is a block.
  Grid<uint32_t> cell_keys(const Context& context) const;
  uint64_t step_key(int64_t step) const { return stream_.bits(static_cast<uint64_t>(step), 2); }
  /// Quanta that fall from rock of this height.
  double block_thickness(float height, uint32_t cell_key, uint64_t step_key) const;

  /// Quanta that smooth weathering takes in a step where the exposures of the four sides have this sum.
  double worn_thickness(float exposures) const;
  /// A sum below which that is less than one.
  float least_exposures() const;

 private:
  uint32_t block_at(double x, double y) const;

  Frame frame_;
  WeatheringParams params_;
  double reach_ = 0, relief_ = 1;
  FootReach along_, across_;
  double slides_a_step_ = 1;
  double thickness_ = 0;  ///< pace of blocks whose mean is 1
  double smooth_pace_ = 0, chance_ = 0;
  float chance_scale_ = 0;
  Stream stream_;
};

/// Steps that 'retreat' may take.
inline constexpr double most_steps_of_retreat = 1e7;
/// Steps until `retreat` metres, on a land with this frame.
int64_t weathering_steps(const WeatheringParams& params, double retreat, const Frame& frame);

/// The mean of max(0, 1 + spread N), N being the normalised sum of eight random bytes.
double bell_mean(double spread);

}  // namespace tepui

#pragma once

#include <vector>

#include "tepui/erode/height_quanta.h"
#include "tepui/erode/thermal.h"
#include "tepui/erode/weak_bed.h"
#include "tepui/erode/weathering.h"
#include "tepui/erode/weathering_rule.h"

namespace tepui::reference {

/// Rock and ground in whole quanta, row after row.
struct WornState {
  int64_t width = 0, height = 0;
  std::vector<float> rock, ground;

  size_t at(int64_t x, int64_t y) const { return static_cast<size_t>(y * width + x); }
  bool holds(int64_t x, int64_t y) const { return x >= 0 && y >= 0 && x < width && y < height; }
};

/// Benes and Arriaga 2005, soft to soft: every cell hands its debris to those of its eight neighbours that lie lower.
void slide(WornState& state, const Talus& talus);

/// The layers of a land before anything wore it, in quanta; the state at the start of a run.
struct WornStart {
  WornStart(const Terrain& in, bool all_loose, double cover, bool resumed);
  Terrain land(const Terrain& in, const WornState& now, bool all_loose) const;

  HeightQuanta quanta;
  float relief = 1;
  std::vector<float> first_rock, first_ground;
  WornState state;
};

/// One step at a time, cell by cell.
class Weathering {
 public:
  Weathering(const Terrain& in, const Geology* rock, const WeatheringParams& params);

  /// Hard to soft, then soft to soft as often as the rule has it.
  void step(int64_t step);
  Terrain land() const { return start_.land(in_, now_, false); }
  const WornState& state() const { return now_; }

 private:
  WeakBed weak_bed(int64_t x, int64_t y, float rim, float foot) const;
  float step_to(float top, int64_t x, int64_t y, int64_t dx, int64_t dy) const;
  double fall(float h, uint64_t bytes) const;
  float loss(int64_t x, int64_t y, int64_t step) const;

  Terrain in_;
  const Geology* rock_;
  WeatheringParams params_;
  WornStart start_;
  WeatheringRule rule_;
  Grid<uint32_t> keys_;
  double mean_bell_ = 1;
  Talus talus_;
  WornState now_;
};

/// The whole operators.
Terrain weathering(const Terrain& in, const Geology* rock, const WeatheringParams& params);
Terrain thermal(const Terrain& in, const ThermalParams& params);

}  // namespace tepui::reference

#pragma once

#include <vector>

#include "tepui/erode/thermal.h"
#include "tepui/erode/weathering.h"

namespace tepui::reference {

/// Rock and ground in whole quanta, row after row.
struct WornState {
  int64_t width = 0, height = 0;
  std::vector<float> rock, ground;

  float debris(int64_t x, int64_t y) const;
};

/// Benes and Arriaga 2005, soft to soft: every cell hands its debris to those of its eight neighbours that lie lower.
void slide(WornState& state, const TalusSteps& talus);

/// The whole operator, cell by cell.
Terrain weathering(const Terrain& in, const Geology* rock, const WeatheringParams& params);
Terrain thermal(const Terrain& in, const ThermalParams& params);

/// One step as the paper has it: exposure over one cell, no talus, rock of one kind. For comparing speed.
class PaperWeathering {
 public:
  PaperWeathering(const Terrain& in, const WeatheringParams& params);
  void step();

 private:
  WornState state_;
  WeatheringParams params_;
  float relief_ = 1;
  int64_t step_ = 0;
};

}  // namespace tepui::reference

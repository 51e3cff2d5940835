#pragma once

#include <cstdint>
#include <vector>

namespace tepui::reference {

/// A candidate for room, in hundredths of a metre.
struct Crown {
  int64_t x = 0, y = 0;
  int32_t radius = 1;
  uint32_t chance = 0;
};

/// Which of them get their room (tepui/cover/crown_room.h), octave by octave and pass by pass.
std::vector<bool> crown_room(const std::vector<Crown>& all, double spacing, int passes);

}  // namespace tepui::reference

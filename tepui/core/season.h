#pragma once

#include <string>
#include <vector>

namespace tepui {

/// Seasons by the sun's course at the place itself: winter is the cold half's middle on either hemisphere.
enum class Season { winter, spring, summer, autumn };

/// Of the values in their order, as a field's choices.
inline std::vector<std::string> season_names() { return {"winter", "spring", "summer", "autumn"}; }

}  // namespace tepui

#pragma once

namespace tepui {

/// What happens at the borders.
enum class DuneBorder {
  returns,  ///< sand that the wind carries out comes in again on the other side
  repeats,  ///< the land goes on with its other side: it tiles
  open,     ///< sand that the wind carries out is gone
};

}  // namespace tepui

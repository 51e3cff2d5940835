#pragma once

#include <string>

#include "tepui/core/frame.h"
#include "tepui/core/params.h"

namespace tepui {

/// A rectangle of a world: metres of the world, or per cent of the side, counted from the world's south-west corner.
struct WindowBounds {
  Length west, south, east, north;
};

/// Reads "W,S,E,N": "0,0,512,512", "1km,0,2km,1km", "25%,25%,50%,50%".
WindowBounds parse_window(const std::string& text);

/// The samples of a land within the bounds, borders included. Refuses bounds that hold none, or that reach beyond it.
Frame frame_within(const Frame& land, const WindowBounds& bounds);

}  // namespace tepui

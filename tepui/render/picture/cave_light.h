#pragma once  // internal

#include "tepui/render/picture/path_trace.h"

namespace tepui {

/// The lamp of a visitor of a cave: to the right of the eye and above it, or to the left where the right is rock,
/// because a lamp at the eye casts no shadows that it sees. Warm, and so bright that walls at the distance `room` (in
/// units of the picture) stand up to `daylight`, the usual luminance of what the eye sees without it; where there is
/// hardly any, they are some five stops darker than open ground at day, so that a mouth glares but shows.
Lamp lamp_beside(const Lens& lens, const RayScene& rays, double room, double daylight, double brightness);

/// The luminance of the middle one of the pixels that show rock, before anything is filtered.
double usual_light(const Film& film);

/// What the light of a film is to be multiplied by, so that the most of what it shows is well exposed.
float own_exposure(const Film& film);

}  // namespace tepui

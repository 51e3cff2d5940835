#pragma once

#include <cstdint>
#include <span>

#include "tepui/core/context.h"
#include "tepui/volume/primitive.h"
#include "tepui/volume/volume.h"

namespace tepui {

/// The volume with one more heap of points. What was made, and how many points that took, is told to the context, and
/// kept by the volume for `info`.
Volume with_feature(const Volume& in, std::span<const FieldPoint> points, Made made, const Context& context);

/// The same of a volume that has its points already.
Volume made_by(const Volume& volume, Made made, const Context& context);

/// The key of random numbers for a feature at a place, by the place alone: a feature does not know of any other.
uint64_t key_at(uint64_t key, Vec3 at);

}  // namespace tepui

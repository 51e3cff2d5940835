#pragma once

#include "tepui/generate/profiles.h"

namespace tepui::reference {

/// Rankin's skyline, every peak at every sample.
std::vector<double> uplift_profile(const ProfileLine& line, const UpliftProfile& model, const Stream& stream);

/// A fractional Brownian curve, octave by octave.
std::vector<double> brownian_profile(const ProfileLine& line, const BrownianProfile& model, const Stream& stream);

}  // namespace tepui::reference

#pragma once

namespace tepui {

/// A component of a colour in [0, 1]: from the sRGB encoding (IEC 61966-2-1) to linear light and back. The same bits on
/// every machine, for files.
double linear_from_srgb(double encoded);
double srgb_from_linear(double linear);

}  // namespace tepui

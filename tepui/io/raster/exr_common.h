#pragma once  // internal

#include <cstdint>

namespace tepui {

inline constexpr const char* exr_origin = "tepui:origin";
inline constexpr const char* exr_step = "tepui:step";
inline constexpr const char* exr_crs = "tepui:crs";
inline constexpr const char* exr_layers = "tepui:layers";

/// Threads for a file whose blocks have so many bytes: those of the scope, but no more than a moderate amount of memory
/// serves. The library's own pool is made at the first call. 0: the caller's thread alone.
int exr_threads(double block_bytes);

}  // namespace tepui

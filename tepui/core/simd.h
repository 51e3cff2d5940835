#pragma once

#include <string>
#include <vector>

namespace tepui {

/// The SIMD level kernels run at now, by Highway's name: "AVX3" (AVX-512), "AVX2", "SSE4", "SCALAR" (none).
std::string simd_level();

/// The levels this machine can be told to use, best first.
const std::vector<std::string>& simd_levels();

/// Forces a level (case does not matter; "best" for the machine's own choice); refuses one the machine does not have.
/// For tests and `--simd`: results never depend on it.
void force_simd_level(const std::string& level);

}  // namespace tepui

// Reports and forces Highway's run-time dispatch.
#include "tepui/core/simd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tepui/core/simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tepui::HWY_NAMESPACE {

/// The target this very code was compiled for: what dispatch really chose, not what was asked for.
int64_t compiled_target() { return HWY_TARGET; }

}  // namespace tepui::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <fmt/format.h>

#include <algorithm>

#include "tepui/core/error.h"

namespace tepui {

HWY_EXPORT(compiled_target);

std::string simd_level() { return hwy::TargetName(HWY_DYNAMIC_DISPATCH(compiled_target)()); }

std::vector<std::string> simd_levels() {
  hwy::SetSupportedTargetsForTest(0);
  std::vector<std::string> names;
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) names.emplace_back(hwy::TargetName(target));
  return names;
}

void force_simd_level(const std::string& level) {
  std::string wanted = level;
  std::ranges::transform(wanted, wanted.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  hwy::SetSupportedTargetsForTest(0);
  if (wanted != "BEST") {
    for (const int64_t target : hwy::SupportedAndGeneratedTargets())
      if (wanted == hwy::TargetName(target)) hwy::SetSupportedTargetsForTest(target);
  }
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  if (wanted != "BEST" && simd_level() != wanted)
    refuse(fmt::format("this machine cannot run SIMD level '{}'", level),
           "it has " + fmt::format("{}", fmt::join(simd_levels(), ", ")));
}

}  // namespace tepui

#endif
